"""Measures of one ranking, each from 0 to 1; definitions and sources are in docs/evaluation.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .relevance import Ranking

DEFAULT_DEPTHS = (1, 5, 10)
ORDER_DEPTH = 10
"""MRR and nDCG look at this many hits."""


class Measure(NamedTuple):
    """A named measure of a ranking."""

    name: str
    of: Callable[[Ranking], float]


def measures(depths: Sequence[int] = DEFAULT_DEPTHS) -> tuple[Measure, ...]:
    """Hit, recall and precision at each depth, then MRR and nDCG at 10."""
    at_depths = [
        Measure(f"{name}@{k}", _at(function, k))
        for name, function in (("hit", hit), ("recall", recall), ("precision", precision))
        for k in depths
    ]
    order = (("mrr", reciprocal_rank), ("ndcg", ndcg))
    return (*at_depths, *(Measure(f"{name}@{ORDER_DEPTH}", _at(function, ORDER_DEPTH)) for name, function in order))


def _at(function: Callable[[Ranking, int], float], k: int) -> Callable[[Ranking], float]:
    return lambda ranking: function(ranking, k)


def hit(ranking: Ranking, k: int) -> float:
    """1 if one of the first k hits holds an item, else 0 (the hit rate of S4 §3.1)."""
    return float(any(ranking.hits[:k]))


def recall(ranking: Ranking, k: int) -> float:
    """The share of the needed items that stand in the first k hits."""
    return len(frozenset().union(*ranking.hits[:k])) / ranking.items


def precision(ranking: Ranking, k: int) -> float:
    """The share of k that hits with an item make up among the first k; places that stay empty count as wrong."""
    return sum(map(bool, ranking.hits[:k])) / k


def reciprocal_rank(ranking: Ranking, k: int) -> float:
    """1 divided by the rank of the first hit with an item, 0 if it is not among the first k."""
    return next((1 / rank for rank, held in enumerate(ranking.hits[:k], start=1) if held), 0.0)


def ndcg(ranking: Ranking, k: int) -> float:
    """Normalised discounted cumulative gain (Järvelin & Kekäläinen 2002): each item gains 1 where it first stands.

    The best order has one item at each rank. A hit may hold several items at once: the j-th item found is discounted
    as at rank j at least, so that the measure cannot exceed 1.
    """
    places = [max(number, rank) for number, rank in enumerate(ranking.first_ranks(), start=1)]
    best = sum(_discount(rank) for rank in range(1, min(ranking.items, k) + 1))
    return min(1.0, sum(_discount(place) for place in places if place <= k) / best)


def _discount(rank: int) -> float:
    return 1 / math.log2(1 + rank)
