"""The index over sparse vectors: for each token of a model's vocabulary, the passages that have it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..sparse import SparseVector
from ..store import PassageSparse
from .protocol import VectorHit
from .segment import Scored, best

Number = TypeVar("Number", np.int32, np.float32)


class SparseIndex:
    """Passages by the dot product of their sparse vectors with a question's; exact.

    It is held in memory, 8 bytes an entry: a passage of 512 characters has about a hundred.

    Args:
        passages: each once; of a token that a vector names twice, both weights count.
    """

    def __init__(self, passages: Iterable[PassageSparse]) -> None:
        vectors = sorted(passages, key=lambda passage: passage.passage_id)
        self._numbers = np.array([passage.passage_id for passage in vectors], dtype=np.int64)
        sizes = [len(passage.vector.token_ids) for passage in vectors]
        tokens = _joined([passage.vector.token_ids for passage in vectors], np.int32)
        weights = _joined([passage.vector.weights for passage in vectors], np.float32)
        order = np.argsort(tokens, kind="stable")
        self._rows = np.repeat(np.arange(len(vectors), dtype=np.int32), sizes)[order]
        self._weights = weights[order]
        self._tokens, self._starts = np.unique(tokens[order], return_index=True)

    def __len__(self) -> int:
        return len(self._numbers)

    def search(self, query: SparseVector, k: int, allowed: NDArray[np.int64] | None) -> list[VectorHit]:
        """The k passages with the largest dot product above 0 among the allowed numbers (None: all), best first."""
        scores = self._scores(query)
        found = np.flatnonzero(scores > 0)
        if allowed is not None:
            found = found[np.isin(self._numbers[found], allowed)]
        if not len(found) or k < 1:
            return []
        top = best(Scored(found, scores[found]), k)
        return [VectorHit(int(self._numbers[row]), float(score)) for row, score in zip(*top, strict=True)]

    def _scores(self, query: SparseVector) -> NDArray[np.float32]:
        scores = np.zeros(len(self), dtype=np.float32)
        for token, weight in zip(query.token_ids, query.weights, strict=True):
            place = int(np.searchsorted(self._tokens, token))
            if place < len(self._tokens) and self._tokens[place] == token and np.isfinite(weight):
                end = self._starts[place + 1] if place + 1 < len(self._starts) else len(self._rows)
                entries = slice(self._starts[place], end)
                np.add.at(scores, self._rows[entries], weight * self._weights[entries])
        return scores


def _joined(parts: Sequence[NDArray[Number]], kind: type[Number]) -> NDArray[Number]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=kind)
