"""Puts together the explanation of a search."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..index_files import LexicalRows
from ..store import FoundPassage
from ..text.normalise import has_chinese
from .explaining import Dropped, DropReason, Explanation, HitExplanation
from .ranking import RankedBlock

if TYPE_CHECKING:
    from .hybrid import Pass
    from .requests import SearchRequest

_MOST_DROPPED = 50


def explain_search(
    request: SearchRequest,
    passes: Sequence[Pass],
    blocks: Sequence[tuple[RankedBlock, Pass]],
    lexical: LexicalRows,
    unread: Sequence[Mapping[int, FoundPassage]],
    floor: float | None,
    model: str,
) -> Explanation:
    """Why these blocks, and why not the others.

    Args:
        request: what was searched.
        passes: the searches behind the result, the whole query's last.
        blocks: what is shown, each with the search that found it.
        lexical: the index that the words were found in.
        unread: for each search the passages that it found and did not look at.
        floor: the similarity below which vectors find nothing.
        model: the one that reranked; empty: none.
    """
    whole, query = passes[-1], request.query
    weights = {term.token: term.weight for term in whole.terms}
    idf = {token: lexical.bm25.idf(token, whole.readable) for token in weights}
    shown = frozenset(block.block_id for block, _ in blocks)
    found = [one for each, other in zip(passes, unread, strict=True) for one in _dropped(each, other, shown)]
    found.sort(key=lambda one: math.inf if one.score is None else -one.score)
    dropped: dict[tuple[str, DropReason], Dropped] = {}
    for one in found:
        dropped.setdefault((one.block_id, one.reason), one)
    return Explanation(
        tokens={token: round(idf[token], 3) for token, weight in weights.items() if weight >= 1},
        added={token: weight for token, weight in weights.items() if weight < 1},
        parts=tuple(part.text for part in query.sub_queries),
        filter=query.filter.describe("zh" if has_chinese(query.original) else "en"),
        reasons=query.reasons,
        documents=None if whole.allowed is None else len(np.unique(lexical.documents[whole.allowed])),
        candidates={
            "lexical": len(whole.lexical.scores),
            "vector": len(whole.vectors.dense.scores),
            "sparse": len(whole.vectors.sparse.scores),
            "fused": len(whole.fused.scores),
        },
        vector_floor=floor,
        reranked_by=model or "coverage",
        hits=tuple(_explained(block, one, lexical) for block, one in blocks),
        dropped=tuple(dropped.values())[:_MOST_DROPPED],
    )


def _explained(block: RankedBlock, one: Pass, lexical: LexicalRows) -> HitExplanation:
    row = block.passages[0].row
    features = one.judged[row].features._asdict()
    place = np.flatnonzero(lexical.passage_ids == row)
    shares = lexical.bm25.term_scores(one.terms, [int(number) for number in place], one.readable)
    terms = {token: round(float(share.sum()), 3) for token, share in shares.items()}
    return HitExplanation(
        block_id=block.block_id,
        lexical_score=round(sum(terms.values()), 3),
        vector_score=_rounded(one.vectors.dense.scores.get(row)),
        fused_score=round(one.fused.scores[row], 3),
        relevance=round(one.judged[row].relevance, 3),
        model_score=_rounded(one.models.scores.get(row)),
        features={name: round(value, 3) for name, value in features.items() if value},
        terms={token: score for token, score in terms.items() if score},
    )


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 3)


def _dropped(one: Pass, unread: Mapping[int, FoundPassage], shown: frozenset[str]) -> Iterator[Dropped]:
    """What one search found and the result does not show."""
    scores = {ranked.row: ranked.score for ranked in one.ranked}
    seen: set[str] = set()
    # In the order of the fused scores: passages are numbered as they came, those that a caller may not read included.
    for row in (*scores, *(row for row in one.judged if row in one.irrelevant)):
        found = one.found[row]
        reason = _reason(one, row, found.block.block_id, shown, repeated=found.block.block_id in seen)
        seen.add(found.block.block_id)
        if reason is not None:
            yield _dropped_passage(one, row, found, reason, scores.get(row))
    for row, found in unread.items():
        far = one.vectors.below_floor.rank(row) is not None
        reason = DropReason.BELOW_VECTOR_FLOOR if far else DropReason.BEYOND_CANDIDATES
        yield _dropped_passage(one, row, found, reason, None)


def _reason(one: Pass, row: int, block_id: str, shown: frozenset[str], *, repeated: bool) -> DropReason | None:
    if row in one.irrelevant:
        return DropReason.NOT_RELEVANT
    if block_id in one.grouped.duplicates:
        return DropReason.NEAR_DUPLICATE
    if block_id in shown:
        return DropReason.SAME_BLOCK if repeated else None
    return DropReason.BEYOND_K


def _dropped_passage(one: Pass, row: int, found: FoundPassage, reason: DropReason, score: float | None) -> Dropped:
    return Dropped(
        block_id=found.block.block_id,
        document=found.document.name,
        section_path=found.block.section_path,
        reason=reason,
        duplicate_of=one.grouped.duplicates.get(found.block.block_id),
        score=_rounded(score),
        lexical_rank=one.lexical.rank(row),
        vector_rank=one.vectors.dense.rank(row),
        sparse_rank=one.vectors.sparse.rank(row),
        fused_rank=one.fused.rank(row),
    )
