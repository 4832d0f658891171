"""Answers questions about the library as a whole from its upper levels, down to the blocks that are cited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..asking import documents_within
from ..documents import Caller, Document
from ..evidence.library_overview import says_something, says_what_for
from ..evidence.models import Span
from ..evidence.terms import question_terms, terms
from ..query.models import SearchFilter
from ..questions.overview import OverviewAsked
from ..search import Hit
from ..store.contents import Placed

if TYPE_CHECKING:
    from ..library import Library

MOST_LISTED = 12
"""Blocks that one answer quotes."""
_MOST_OF_A_DOCUMENT = 3
_SEARCHED = 50
_OPENING_BLOCKS = 4
"""In which the first sentence that says something is looked for."""
_SHARE = 0.6
"""Of the weight of the words of a matter, that a block must hold with its headings and title to be about it."""


class Overview(NamedTuple):
    """The blocks that an overview cites, and how much there is altogether."""

    hits: tuple[Hit, ...]
    documents: int
    """That the overview is of, shown or not."""
    domains: tuple[str, ...]
    """Of these documents, by name; an empty one is left out."""


def overview_of(
    library: Library,
    caller: Caller,
    asked: OverviewAsked,
    *,
    within: SearchFilter | None = None,
    filters: SearchFilter | None = None,
    among: frozenset[str] | None = None,
) -> Overview:
    """The blocks that stand for the documents which an overview is of; of what the caller may read, and no more.

    Args:
        library: that is looked over.
        caller: on whose behalf.
        asked: what is wanted.
        within: bounds on the documents.
        filters: further ones, of who searches; None: none.
        among: ids of the documents; None: all.
    """
    if asked.about:
        return _about(library, caller, asked.about, within, filters, among)
    found = [one.document for one in library.documents(caller)]
    for bounds in (within, filters, SearchFilter(doc_types=asked.kinds)):
        found = documents_within(found, bounds)
    found = [document for document in found if among is None or document.doc_id in among]
    chosen = _spread(found)
    blocks = library.contents.first_blocks([one.doc_id for one in chosen], _OPENING_BLOCKS, caller)
    openings = [opening for one in chosen if (opening := _opening(blocks, one)) is not None]
    return Overview(_hits(openings), len(found), _domains(found))


def _about(
    library: Library,
    caller: Caller,
    about: str,
    within: SearchFilter | None,
    filters: SearchFilter | None,
    among: frozenset[str] | None,
) -> Overview:
    everything = filters or SearchFilter()
    result = library.search(about, k=_SEARCHED, caller=caller, among=among, filters=everything, within=within)
    idf = library.idf(caller)
    wanted = {term: idf(term) or 1.0 for term in question_terms(about)}
    found: list[Placed] = []
    for hit in result.hits:
        held = terms("\n".join((hit.document.title, *hit.block.section_path, hit.block.text)))
        share = sum(weight for term, weight in wanted.items() if term in held) / (sum(wanted.values()) or 1.0)
        if share >= _SHARE:
            found.append((hit.block, hit.document))
    documents = {document.doc_id: document for _, document in found}
    return Overview(_hits(_by_turns(found)), len(documents), _domains(list(documents.values())))


def _by_turns(found: Sequence[Placed]) -> list[Placed]:
    """The best block of each document, then second and third ones, as many as are listed."""
    turns, seen = list[tuple[int, int]](), Counter[str]()
    for rank, (_, document) in enumerate(found):
        turns.append((seen[document.doc_id], rank))
        seen[document.doc_id] += 1
    chosen = sorted(turn for turn in turns if turn[0] < _MOST_OF_A_DOCUMENT)[:MOST_LISTED]
    return [found[rank] for _, rank in chosen]


def _spread(documents: Sequence[Document]) -> list[Document]:
    """As many documents as are listed, of every domain in turn."""
    by_domain: dict[str, list[Document]] = {}
    for document in documents:
        by_domain.setdefault(document.domain or "", []).append(document)
    ranked = sorted((place, domain) for domain, own in by_domain.items() for place in range(len(own)))
    chosen = [by_domain[domain][place] for place, domain in ranked[:MOST_LISTED]]
    return sorted(chosen, key=lambda one: (one.domain or "", one.name))


def _opening(blocks: Sequence[Placed], document: Document) -> Placed | None:
    """The first block that says what its document is for, else one that says something, else the first."""
    own = [one for one in blocks if one[1].doc_id == document.doc_id]
    says = (one for test in (says_what_for, says_something) for one in own if test(*one))
    return next(says, own[0] if own else None)


def _hits(placed: Sequence[Placed]) -> tuple[Hit, ...]:
    return tuple(
        Hit(rank=rank, score=1 / rank, block=block, document=document, focus=(Span(start=0, end=len(block.text)),))
        for rank, (block, document) in enumerate(placed, start=1)
    )


def _domains(documents: Sequence[Document]) -> tuple[str, ...]:
    return tuple(sorted({one.domain for one in documents if one.domain}))
