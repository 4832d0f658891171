"""Which blocks follow from one that helped: what it refers to, the rest of its table, the rest of its section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from ...knowledge.addressing.finding import outline_of
from ...knowledge.addressing.naming import named_in
from ...knowledge.addressing.relative import places_of, relative_references
from ...knowledge.documents import Block, BlockKind, Document
from ...knowledge.evidence.cross_references import Reference, place_of, references_in
from ...knowledge.evidence.models import Evidence
from ...reading_state import Pointer, WhyRead
from ..by_rules.sources import named_documents

MOST_REFERENCES = 3
"""Followed from one block; a list of authorities refers to everything."""
# Of a document that is referred to as a whole.
_BEST_OF_DOCUMENT = 2
_TABLE_NOTE = re.compile(r"\s*(?:注|附注|备注|说明|Notes?|Remarks?)\s*[\d①]?\s*[：:.]", re.IGNORECASE)


class Shelf(NamedTuple):
    """What references are looked up in."""

    documents: Callable[[], Sequence[Document]]
    """The documents that may be read; asked for only where a text names one."""
    blocks_of: Callable[[Document], Sequence[Block]]
    """The blocks of a document in reading order, of the version that is read."""
    best_in: Callable[[Document], Sequence[Pointer]]
    """The blocks of a document that bear on the question, best first."""


def referenced(source: Evidence, text: str, shelf: Shelf) -> tuple[Pointer, ...]:
    """Where a text of a block refers to: parts of its own document, or others that may be read.

    Args:
        source: the block.
        text: of the block, the part that helped.
        shelf: what may be read.
    """
    found = (
        *(pointer for one in references_in(text) for pointer in _pointers(one, source, shelf)),
        *_by_place(source, text, shelf),
    )
    others = {pointer.block_id: pointer for pointer in found if not _is_here(pointer, source)}
    return tuple(others.values())[:MOST_REFERENCES]


def _by_place(source: Evidence, text: str, shelf: Shelf) -> Iterator[Pointer]:
    """Where 前条 or the preceding clause of a text leads, in the block's own document."""
    references = relative_references(text)
    if not references:
        return
    outline = outline_of(shelf.blocks_of(source.document))
    start = max(source.block.text.find(text), 0)
    for reference in references:
        for stretch in places_of(reference, outline, source.block.block_id, start + reference.start):
            yield pointer_to(stretch.block, source.document).model_copy(update={"focus": (stretch.span,)})


def _named(reference: Reference, own: Document, shelf: Shelf) -> Sequence[Document]:
    """The documents that a reference names; its own where it names none."""
    if not reference.title:
        return (own,)
    documents = shelf.documents()
    named = named_documents(reference.title, documents)
    if reference.is_plain:
        named = named or named_in(reference.title, len(reference.title), documents).documents
    return named


def _is_here(pointer: Pointer, source: Evidence) -> bool:
    """Whether a reference leads to the very place that is read, not to another clause of the block."""
    return pointer.block_id == source.block.block_id


def _pointers(reference: Reference, source: Evidence, shelf: Shelf) -> Iterator[Pointer]:
    own = source.document
    for document in _named(reference, own, shelf):
        if reference.title and document.doc_id == own.doc_id and reference.label is None:
            continue
        if reference.label is None:
            found = shelf.best_in(document)[:_BEST_OF_DOCUMENT]
            yield from (pointer.model_copy(update={"why": WhyRead.REFERENCE, "focus": ()}) for pointer in found)
            continue
        place = place_of(reference.label, shelf.blocks_of(document))
        if place is not None:
            yield pointer_to(place.block, document).model_copy(update={"focus": (place.span,)})
            return


def pointer_to(block: Block, document: Document, why: WhyRead = WhyRead.REFERENCE) -> Pointer:
    """A block that may be read next, with its place as it is listed."""
    return Pointer(block_id=block.block_id, document=document, why=why, label=" › ".join(block.section_path))


def rest_of_table(source: Evidence, blocks: Sequence[Block]) -> tuple[Pointer, ...]:
    """The notes under a table, however far down it ends, and the neighbours that continue it behind and before."""
    at = _place(source.block, blocks)
    if source.block.kind is not BlockKind.TABLE or at is None:
        return ()
    header = _header(source.block)
    behind = list(takewhile(lambda block: _continues(block, header), blocks[at + 1 :]))
    before = list(takewhile(lambda block: _continues(block, header), blocks[at - 1 :: -1] if at else ()))
    end = at + 1 + len(behind)
    notes = [block for block in blocks[end : end + 1] if _TABLE_NOTE.match(block.text)]
    found = (*notes, *behind[:1], *before[:1])
    return tuple(pointer_to(block, source.document, WhyRead.TABLE) for block in found)


def _continues(block: Block, header: str) -> bool:
    return block.kind is BlockKind.TABLE and bool(header) and _header(block) == header


def _header(block: Block) -> str:
    return next((line.strip() for line in block.text.splitlines() if line.startswith("|")), "")


def rest_of_section(source: Evidence, blocks: Sequence[Block]) -> tuple[Pointer, ...]:
    """The next block, where it stands in the same section."""
    following = next_block(source, blocks)
    same = following is not None and following.section_path == source.block.section_path
    return (pointer_to(following, source.document, WhyRead.SECTION),) if following is not None and same else ()


def next_block(source: Evidence, blocks: Sequence[Block]) -> Block | None:
    """The block behind one, in its document."""
    at = _place(source.block, blocks)
    return blocks[at + 1] if at is not None and at + 1 < len(blocks) else None


def _place(block: Block, blocks: Sequence[Block]) -> int | None:
    return next((at for at, one in enumerate(blocks) if one.block_id == block.block_id), None)


def reordered(waiting: Sequence[Pointer], doc_id: str) -> tuple[Pointer, ...]:
    """What a note refers to first, then what continues it, then candidates of the same document, then the others."""
    return tuple(sorted(waiting, key=lambda pointer: (_RANK.get(pointer.why, 2), pointer.document.doc_id != doc_id)))


_RANK = {WhyRead.START: 0, WhyRead.REFERENCE: 0, WhyRead.FOLLOW_UP: 0, WhyRead.TABLE: 1, WhyRead.SECTION: 1}
