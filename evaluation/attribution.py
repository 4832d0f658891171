"""Why a search missed: each miss is sorted into exactly one cause, with the passage that should have come.

An item is followed from the file to the hit, and its cause is the first stage at which it was lost. Finding any one
of its items would have saved a question, so the miss is put down to the item that got furthest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..knowledge.documents import Block, Caller, Document
from ..knowledge.library import Library
from ..knowledge.search import Dropped, DropReason, Hit, SearchResult
from ..knowledge.text.tokens import tokenise
from .cases import RetrievalCase
from .closeness import QuestionTerms, Weigh, searched_text
from .relevance import NeededItem, holds
from .reports import Cause, Excerpt, Miss, Ranks
from .shelf import Place, Shelf, Whereabouts

CANDIDATES = 50
"""How far down a search is looked at for a passage that lies behind the depth asked for (S4 §2.4)."""
MIN_TERM_SHARE = 0.45
"""A passage with a smaller share of the question's terms shares too few of them.

Of the passages that lexical search finds among its first ten, 19 of 20 hold at least this share: measured on 220
questions about Chinese regulations (0.47) and 220 about company reports in both languages (0.45).
"""

_SNIPPET_CHARACTERS = 160
_LACKING_TERMS = 8
_STAGES = tuple(Cause)
_BELOW_FLOOR = frozenset({DropReason.NOT_RELEVANT, DropReason.BELOW_VECTOR_FLOOR})

Excluded = Callable[[Document], bool]


class Bench(NamedTuple):
    """What causes are found with.

    `weigh` is `library.idf` for the caller; `excluded` says whether a filter of the search left a document out;
    `depth` is within how many hits a relevant one was wanted.
    """

    library: Library
    caller: Caller
    shelf: Shelf
    weigh: Weigh
    excluded: Excluded
    depth: int
    min_term_share: float


class Lost(NamedTuple):
    """Where an item was lost on its way; the place is the one that should have come."""

    cause: Cause
    detail: str
    item: NeededItem
    place: Place | None = None
    ranks: Ranks = Ranks()


def attribute(case: RetrievalCase, items: Sequence[NeededItem], result: SearchResult, bench: Bench) -> Miss:
    """The miss that a search without a relevant hit within the depth is.

    Args:
        case: the question.
        items: what it needs, at least one.
        result: its search, with all candidates and its explanation.
        bench: what causes are found with.
    """
    terms = QuestionTerms.of(tokenise(case.question, for_query=True), bench.weigh)
    lost = max((_follow(item, terms, result, bench) for item in items), key=lambda found: _STAGES.index(found.cause))
    text = None if lost.place is None else _searched_text(lost.place, bench)
    return Miss(
        id=case.id,
        question=case.question,
        type=case.type,
        language=case.language,
        cause=lost.cause,
        detail=lost.detail,
        quote=lost.item.quote,
        wanted=None if lost.place is None else excerpt(*lost.place),
        ranks=lost.ranks,
        term_share=None if text is None else round(terms.share(text), 3),
        lacking=() if text is None else terms.lacking(text, _LACKING_TERMS),
        instead=_first_hit(result),
    )


def excerpt(document: Document, block: Block, start: int) -> Excerpt:
    """A place with the beginning of its text on one line."""
    snippet = " ".join(block.text[start:].split())[:_SNIPPET_CHARACTERS]
    return Excerpt(document=document.name, section_path=block.section_path, block_id=block.block_id, snippet=snippet)


def _first_hit(result: SearchResult) -> Excerpt | None:
    if not result.hits:
        return None
    first = result.hits[0]
    return excerpt(first.document, first.block, first.focus[0].start)


def _searched_text(place: Place, bench: Bench) -> str:
    sizes = bench.library.settings.splitting
    return searched_text(place.document, place.block, place.start, sizes.passage, sizes.overlap)


def _follow(item: NeededItem, terms: QuestionTerms, result: SearchResult, bench: Bench) -> Lost:
    where = bench.shelf.find(item)
    if not where.places and not where.across:
        return _not_parsed(item, where, result, bench)
    open_places = [place for place in where.places if not bench.excluded(place.document)]
    open_parts = [part for part in where.across if not bench.excluded(part.document)]
    if not open_places and not open_parts:
        return _filtered_out(item, (*where.places, *where.across)[0], result)
    if open_parts:
        return _split(item, open_parts, result)
    return _not_ranked(item, open_places, terms, result, bench)


def _not_parsed(item: NeededItem, where: Whereabouts, result: SearchResult, bench: Bench) -> Lost:
    details = []
    if where.documents:
        names = ", ".join(document.name for document in where.documents) if item.documents else "any document"
        details.append(f"the text stands nowhere in {names}")
    if where.absent or not where.documents:
        missing = ", ".join(where.absent) or "there are no documents"
        details.append(f"not in the library, or closed to this caller: {missing}")
    likely = bench.shelf.likely_place(item, where.documents)
    if likely is not None:
        part = f"{likely.share:.0%} of it stand in one block"
        details.append(f"{part}: read with losses, or not quoted exactly ({likely.parting})")
    other = next(
        (hit for hit in result.hits if any(text in bench.shelf.flatten(hit.text) for text in item.texts)), None
    )
    if other is not None:
        details.append(f"hit {other.rank} holds it, in {other.document.name}")
    if likely is None:
        return Lost(Cause.NOT_PARSED, "; ".join(details), item)
    found = next((hit for hit in result.hits if hit.block.block_id == likely.place.block.block_id), None)
    ranks = Ranks() if found is None else _ranks(found)
    return Lost(Cause.NOT_PARSED, "; ".join(details), item, likely.place, ranks)


def _filtered_out(item: NeededItem, place: Place, result: SearchResult) -> Lost:
    words = result.explanation.filter if result.explanation is not None else ""
    detail = f"a filter of the search left out {place.document.name}"
    return Lost(Cause.FILTERED_OUT, f"{detail}: {words}" if words else detail, item, place)


def _split(item: NeededItem, parts: Sequence[Place], result: SearchResult) -> Lost:
    ranks = {hit.block.block_id: hit.rank for hit in result.hits}
    came = ", ".join(_ordinal(ranks.get(part.block.block_id)) for part in parts)
    detail = f"the text runs over {len(parts)} blocks, whose ranks are: {came}"
    hits = [hit for part in parts for hit in result.hits if hit.block.block_id == part.block.block_id]
    return Lost(Cause.SPLIT, detail, item, parts[0], _ranks(hits[0]) if hits else Ranks())


def _ordinal(rank: int | None) -> str:
    return "not found" if rank is None else str(rank)


def _not_ranked(
    item: NeededItem, places: Sequence[Place], terms: QuestionTerms, result: SearchResult, bench: Bench
) -> Lost:
    found = next((hit for hit in result.hits if holds(item, bench.shelf.flatten(hit.text), hit.document)), None)
    if found is not None:
        return _behind(item, found, next((p for p in places if p.block == found.block), None), bench)
    dropped = _dropped(places, result)
    if dropped is not None:
        return _left_out(item, dropped, terms, result, bench)
    shares = [(terms.share(_searched_text(place, bench)), place) for place in places]
    share, place = max(shares, key=lambda pair: pair[0])
    ranks = Ranks(in_document=_rank_in_document(item, place.document, result.query, bench))
    if share < bench.min_term_share:
        detail = f"no candidate, and holds {share:.0%} of the question's terms (weighted by idf)"
        return Lost(Cause.VOCABULARY_GAP, detail, item, place, ranks)
    detail = f"behind all candidates, though it holds {share:.0%} of the question's terms (weighted by idf)"
    return Lost(Cause.RANKED_TOO_LOW, detail, item, place, ranks)


def _dropped(places: Sequence[Place], result: SearchResult) -> tuple[Place, Dropped] | None:
    """The first of the places that the search found and left out."""
    left_out = result.explanation.dropped if result.explanation is not None else ()
    by_block = {place.block.block_id: place for place in places}
    return next(((by_block[one.block_id], one) for one in left_out if one.block_id in by_block), None)


def _left_out(
    item: NeededItem, dropped: tuple[Place, Dropped], terms: QuestionTerms, result: SearchResult, bench: Bench
) -> Lost:
    place, one = dropped
    ranks = Ranks(lexical=one.lexical_rank, vector=one.vector_rank, sparse=one.sparse_rank, fused=one.fused_rank)
    share = terms.share(_searched_text(place, bench))
    if one.reason in _BELOW_FLOOR:
        cause = Cause.VOCABULARY_GAP if share < bench.min_term_share else Cause.RANKED_TOO_LOW
        detail = f"found and left out as not relevant; holds {share:.0%} of the question's terms (weighted by idf)"
    elif one.reason is DropReason.NEAR_DUPLICATE:
        shown = next((hit for hit in result.hits if hit.block.block_id == one.duplicate_of), None)
        twin = "another block" if shown is None else f"hit {shown.rank}, in {shown.document.name}"
        cause, detail = Cause.RANKED_TOO_LOW, f"left out as a near-duplicate of {twin}"
    else:
        cause, detail = Cause.RANKED_TOO_LOW, f"a candidate behind the first {len(result.hits)} blocks"
    return Lost(cause, f"{detail}; {_legs(ranks)}", item, place, ranks)


def _behind(item: NeededItem, hit: Hit, place: Place | None, bench: Bench) -> Lost:
    ranks = _ranks(hit)
    detail = f"rank {hit.rank}, wanted within {bench.depth}; {_legs(ranks)}"
    return Lost(Cause.RANKED_TOO_LOW, detail, item, place or Place(hit.document, hit.block, hit.focus[0].start), ranks)


def _legs(ranks: Ranks) -> str:
    legs = (("lexical", ranks.lexical), ("vector", ranks.vector), ("sparse", ranks.sparse))
    return ", ".join(f"rank {rank} in the {leg} leg" for leg, rank in legs if rank is not None)


def _ranks(hit: Hit) -> Ranks:
    return Ranks(
        final=hit.rank,
        lexical=hit.lexical_rank,
        vector=hit.vector_rank,
        sparse=hit.sparse_rank,
        fused=hit.fused_rank,
    )


def _rank_in_document(item: NeededItem, document: Document, query: str, bench: Bench) -> int | None:
    """Tells a passage that loses against its own document from one that loses against others."""
    hits = bench.library.search(query, k=CANDIDATES, caller=bench.caller, among=[document.doc_id]).hits
    return next((h.rank for h in hits if holds(item, bench.shelf.flatten(h.text), h.document)), None)
