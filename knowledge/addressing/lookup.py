"""Looks up the numbered parts that a question names, in the documents that the caller may read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..documents import Block, Document
from ..search import Hit
from .finding import Outline, Stretch, find, is_numbered_like, outline_of
from .models import Addressed, AddressedPart
from .naming import Named, named_in
from .question import Address, addresses_in, wants_whole

MOST_LOOKED_INTO = 8
"""Documents that are opened for one question."""
SIDE_BY_SIDE = 3
"""So many documents with such a part are quoted beside each other where none is named; of more, the best."""


class Shelf(NamedTuple):
    """What parts are looked up in, on behalf of one caller."""

    documents: Callable[[], Sequence[Document]]
    """Those that may be read and are asked about, each with what has replaced it."""
    outdated: frozenset[str]
    """The ids of those that a newer edition, already in force, has replaced."""
    blocks_of: Callable[[Document], Sequence[Block]]
    """The blocks of a document in reading order."""
    ranked: Callable[[], Sequence[Document]]
    """The documents in which a search for the question found most, best first."""


class LookedUp(NamedTuple):
    """What was looked up, with the blocks of it as hits."""

    addressed: Addressed
    hits: tuple[Hit, ...]


class _Found(NamedTuple):
    document: Document
    address: Address
    stretches: tuple[Stretch, ...]


def look_up(question: str, shelf: Shelf, section: str = "", documents: Sequence[Document] = ()) -> LookedUp | None:
    """The parts that a question names; None where it names none, or only to say which rule is meant.

    Args:
        question: in natural language.
        shelf: what may be read.
        section: a label beside the question, which then takes the place of those in it.
        documents: that the part is in; empty: those that the question names.
    """
    from_section = addresses_in(section)
    addresses = from_section or tuple(one for one in addresses_in(question) if not one.is_mention)
    if not addresses:
        return None
    named = _named(question, () if from_section else addresses, shelf, documents)
    names = (*named.spans, *((named.unknown,) if named.unknown else ()))
    is_whole = wants_whole(question, names)
    if named.documents:
        found = _in_named(addresses, named.documents[:MOST_LOOKED_INTO], shelf, is_whole)
    elif named.unknown and is_whole:
        found = LookedUp(Addressed(is_whole=True, is_named=True, lacking=(("", named.unknown),)), ())
    else:
        found = _in_ranked(addresses, shelf, is_whole)
    return found and found._replace(addressed=found.addressed.model_copy(update={"names": named.spans}))


def _named(question: str, addresses: Sequence[Address], shelf: Shelf, documents: Sequence[Document]) -> Named:
    found = named_in(question, addresses[0].start if addresses else 0, documents or shelf.documents(), shelf.outdated)
    return found._replace(documents=found.documents or tuple(documents))


def _in_named(
    addresses: Sequence[Address], documents: Sequence[Document], shelf: Shelf, is_whole: bool
) -> LookedUp | None:
    found: list[_Found] = []
    lacking: list[tuple[str, str]] = []
    outlines = {document.doc_id: outline_of(shelf.blocks_of(document)) for document in documents}
    for address in addresses:
        own = [
            _Found(document, address, stretches)
            for document in documents
            if (stretches := find(address, outlines[document.doc_id]))
        ]
        found += own
        if not own:
            lacking += _lacking(address, documents, outlines, is_whole)
    if not found and not lacking:
        return None
    return _looked_up(found, Addressed(is_whole=is_whole, is_named=True, lacking=tuple(lacking)))


def _lacking(
    address: Address, documents: Sequence[Document], outlines: dict[str, Outline], is_whole: bool
) -> Iterator[tuple[str, str]]:
    """That a document has no such part; not of one without such numbers, where only a search can tell."""
    for document in documents:
        if is_whole or is_numbered_like(address, outlines[document.doc_id]):
            yield address.said, document.name


def _in_ranked(addresses: Sequence[Address], shelf: Shelf, is_whole: bool) -> LookedUp | None:
    """Among the documents that the search puts first those that have every part, else those that have one."""
    documents = [d for d in shelf.ranked() if d.superseded_by is None and d.doc_id not in shelf.outdated][
        :MOST_LOOKED_INTO
    ]
    outlines = {document.doc_id: outline_of(shelf.blocks_of(document)) for document in documents}
    by_document = [
        [_Found(d, address, s) for address in addresses if (s := find(address, outlines[d.doc_id]))] for d in documents
    ]
    holding = [found for found in by_document if len(found) == len(addresses)] or [f for f in by_document if f]
    holding = [found for found in holding if _is_exact(found)] or holding
    if not holding:
        return None
    few = holding if len(holding) <= SIDE_BY_SIDE else holding[:1]
    others = tuple(found[0].document.name for found in holding[len(few) :])
    shown = [one for found in few for one in found]
    return _looked_up(shown, Addressed(is_whole=is_whole, is_named=False, others=others))


def _is_exact(found: Sequence[_Found]) -> bool:
    """Whether a document writes the labels as the question does, with the word for the kind."""
    labels = ((one.stretches[0].label, one.address.label) for one in found)
    return all(label is not None and label.kind is asked.kind for label, asked in labels)


def _looked_up(found: Sequence[_Found], addressed: Addressed) -> LookedUp:
    parts = tuple(
        AddressedPart(
            said=one.address.said,
            document=one.document.name,
            places=tuple((stretch.block.block_id, stretch.span) for stretch in one.stretches),
        )
        for one in found
    )
    return LookedUp(addressed.model_copy(update={"parts": parts}), tuple(_hits(found)))


def _hits(found: Sequence[_Found]) -> Iterator[Hit]:
    """Each block once, with all of its stretches."""
    by_block: dict[str, Hit] = {}
    for one in found:
        for stretch in one.stretches:
            known = by_block.get(stretch.block.block_id)
            focus = (*(known.focus if known is not None else ()), stretch.span)
            rank = known.rank if known is not None else len(by_block) + 1
            by_block[stretch.block.block_id] = Hit(
                rank=rank, score=_SCORE, block=stretch.block, document=one.document, focus=focus
            )
    yield from by_block.values()


# What is looked up by its label is found without doubt.
_SCORE = 1.0
