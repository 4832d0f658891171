"""The arithmetic of BM25 in the variant of Lucene, without an index around it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .protocol import DEFAULT_B, DEFAULT_K1, Allowed, QueryTerm, Scores, WeightedTerm


class Bm25(NamedTuple):
    """A row that holds a token `f` times gains ``idf · f / (f + k1 · (1 - b + b · length / average length))``."""

    k1: float = DEFAULT_K1
    b: float = DEFAULT_B

    def length_part(self, lengths: NDArray[np.int32], average: float) -> Scores:
        """What is added to the frequency below the line, for rows of these lengths in tokens."""
        relative = lengths / average if average else np.zeros(len(lengths))
        return (self.k1 * (1 - self.b + self.b * relative)).astype(np.float32)


def inverse_frequency(holders: int, total: int) -> float:
    """Lucene's inverse document frequency of a token that `holders` of `total` rows hold; 0 without a holder."""
    return math.log(1 + (total - holders + 0.5) / (holders + 0.5)) if holders else 0.0


def combined(query: Iterable[QueryTerm]) -> dict[str, float]:
    """The weight of each token of a question: one that is repeated counts as often, a weight of 0 or less not."""
    weights: dict[str, float] = {}
    for term in query:
        token, weight = term if isinstance(term, WeightedTerm) else (term, 1.0)
        if weight > 0:
            weights[token] = weights.get(token, 0.0) + weight
    return weights


def best_rows(
    scores: Scores, k: int, allowed: Allowed | None = None, order: NDArray[np.int64] | None = None
) -> list[tuple[int, float]]:
    """The rows of the `k` highest positive scores among those allowed, best first.

    Args:
        scores: one for each row.
        k: how many rows at most.
        allowed: the rows that may be returned; None: all.
        order: what puts rows of equal score in order; None: their number.
    """
    usable = scores > 0 if allowed is None else (scores > 0) & allowed
    rows = np.flatnonzero(usable)
    if k <= 0 or not rows.size:
        return []
    found = scores[rows]
    if rows.size > k:
        kept = found >= np.partition(found, -k)[-k]
        rows, found = rows[kept], found[kept]
    ranking = np.lexsort((rows if order is None else order[rows], -found))[:k]
    return [(int(row), float(scores[row])) for row in rows[ranking]]
