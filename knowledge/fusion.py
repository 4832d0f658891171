"""Joins what several searches found into one order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import NamedTuple

RECIPROCAL_RANK_CONSTANT = 60
"""Damps the difference between neighbouring ranks (Cormack, Clarke and Büttcher 2009)."""


class FusionWeights(NamedTuple):
    """How much each search counts; only their relation matters."""

    lexical: float = 0.5
    vector: float = 0.5
    sparse: float = 0.0


EQUAL_WEIGHTS = FusionWeights()
"""Neither search is trusted more."""


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[int]],
    weights: Sequence[float] | None = None,
    constant: int = RECIPROCAL_RANK_CONSTANT,
) -> dict[int, float]:
    """The fused score of every row that is in a ranking, best first; ties in row order.

    Args:
        rankings: rows from best to worst, one list a search.
        weights: how much each ranking counts; all the same where none are given.
        constant: larger values count lower ranks nearly as much as high ones.
    """
    scores: dict[int, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, row in enumerate(ranking, start=1):
            scores[row] = scores.get(row, 0.0) + weight / (constant + rank)
    return _ordered(scores)


def weighted_fusion(
    lexical: Mapping[int, float],
    vector: Mapping[int, float],
    has_vector: Set[int] | Callable[[int], bool],
    weights: FusionWeights = EQUAL_WEIGHTS,
    sparse: Mapping[int, float] | None = None,
) -> dict[int, float]:
    """The fused score, from 0 to 1, of every row that one of the searches found, best first; ties in row order.

    Each search's scores are scaled to their best and worst. A row that a search did not find counts as its
    worst there, with one exception: a row whose vector has not arrived yet is judged by its lexical score
    alone, so that a document is not pushed down for being new.

    Args:
        lexical: row to BM25 score.
        vector: row to similarity.
        has_vector: the rows that have a vector, or a test for it.
        weights: how much each search counts.
        sparse: row to the product of sparse vectors; None or empty: there are none, and their weight does not count.
    """
    present = has_vector if callable(has_vector) else has_vector.__contains__
    lexical_share, vector_share = _scaled(lexical, floor=0.0), _scaled(vector, floor=None)
    sparse_share = _scaled(sparse or {}, floor=0.0)
    by_sparse = weights.sparse if sparse_share else 0.0
    total = weights.lexical + weights.vector + by_sparse
    scores: dict[int, float] = {}
    for row in lexical.keys() | vector.keys() | sparse_share.keys():
        by_words = lexical_share.get(row, 0.0)
        by_meaning = vector_share.get(row, 0.0) if row in vector or present(row) else by_words
        learned = by_sparse * sparse_share.get(row, 0.0)
        scores[row] = (weights.lexical * by_words + weights.vector * by_meaning + learned) / total
    return _ordered(scores)


def _scaled(scores: Mapping[int, float], floor: float | None) -> dict[int, float]:
    """Scores from 0 to 1. Word scores have a natural zero; similarities bunch up far above theirs."""
    if not scores:
        return {}
    high = max(scores.values())
    low = min(scores.values()) if floor is None else floor
    span = high - low
    return {row: (score - low) / span if span > 0 else 1.0 for row, score in scores.items()}


def _ordered(scores: Mapping[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
