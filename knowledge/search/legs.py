"""The legs of a search: scores by passage number from words, from vectors and from sparse vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, ModelUnavailableError
from ..index_files import LexicalRows
from ..lexical import WeightedTerm, best_rows
from ..sparse import Encoded
from ..text.normalise import has_chinese
from ..vectors import Embedder, FaissIndex, SparseIndex
from ..vectors.making import encode_query

Allowed = NDArray[np.bool_]
_NO_FLOOR = -1.0


class Leg:
    """One leg's scores by passage number, best first."""

    def __init__(self, scores: Mapping[int, float]) -> None:
        self.scores = dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))

    @cached_property
    def _ranks(self) -> dict[int, int]:
        return {number: rank for rank, number in enumerate(self.scores, start=1)}

    def rank(self, passage_id: int) -> int | None:
        """1-based rank of a passage, None if this leg did not find it."""
        return self._ranks.get(passage_id)


class LexicalLeg(Leg):
    """The passages that share words with a query, and how the ones next to them score.

    Args:
        rows: the index.
        terms: the query's terms.
        readable: the rows that the caller may read, by which words are weighed; None: all.
        allowed: the rows among them that may be found; None: all.
        limit: how many passages at most.
    """

    def __init__(
        self,
        rows: LexicalRows,
        terms: Sequence[WeightedTerm],
        readable: Allowed | None,
        allowed: Allowed | None,
        limit: int,
    ) -> None:
        self._rows = rows
        # How telling a word is does not depend on a filter: in one report its company's name is everywhere.
        self._all = rows.bm25.scores(terms, readable)
        best = best_rows(self._all, limit, allowed, order=rows.passage_ids)
        super().__init__({int(rows.passage_ids[row]): score for row, score in best})
        self._best = best[0][1] if best else 0.0

    def neighbours(self, passage_ids: Sequence[int]) -> list[float]:
        """For each passage the best score next to it in its document, as a share of the best score of all."""
        if not self._best or not len(passage_ids):
            return [0.0] * len(passage_ids)
        order = self._rows.bm25.by_passage
        places = np.searchsorted(self._rows.passage_ids, np.asarray(passage_ids), sorter=order)
        last = len(order) - 1
        here = order[np.minimum(places, last)]
        found = np.zeros(len(here), dtype=np.float32)
        for step in (-1, 1):
            beside = order[np.clip(places + step, 0, last)]
            same = (self._rows.documents[beside] == self._rows.documents[here]) & (beside != here)
            found = np.maximum(found, np.where(same, self._all[beside], 0))
        return [float(score) for score in found / self._best]


class VectorLegs(NamedTuple):
    """What vectors found: near ones, those below the floor that nothing else found, and by sparse vectors."""

    dense: Leg
    below_floor: Leg
    sparse: Leg
    near: frozenset[int] = frozenset()
    """What is near enough to be a hit without the query's words; all of `dense` while that is not known."""
    note: str = ""


NO_VECTORS = VectorLegs(Leg({}), Leg({}), Leg({}))


class VectorSearch:
    """The vectors of a library at one state, with the model that made them."""

    def __init__(
        self, index: FaissIndex, sparse: SparseIndex | None, embedder: Embedder, floor: float | None = None
    ) -> None:
        self._index = index
        self._sparse = sparse
        self._embedder = embedder
        self._set_floor = floor

    @property
    def floor(self) -> float | None:
        """The similarity below which vectors alone find nothing, for a usual question; None: not known."""
        if self._set_floor is not None:
            return self._set_floor
        return None if self._index.floor is None else self._index.floor.cosine

    def _floor_of(self, vector: NDArray[np.float32]) -> float:
        known = self._set_floor if self._set_floor is not None else self._index.floor_of(vector)
        return _NO_FLOOR if known is None else known

    def _near_of(self, query: str, vector: NDArray[np.float32]) -> float:
        if self._set_floor is not None:
            return self._set_floor
        known = self._index.near_of(vector, chinese=has_chinese(query))
        return _NO_FLOOR if known is None else known

    def find(
        self, query: str, lexical: LexicalLeg, rows: LexicalRows, allowed: Allowed | None, limit: int
    ) -> VectorLegs:
        """The passages whose vectors are near that of a query, and the similarity of those found by words."""
        if not len(self._index):
            return NO_VECTORS
        try:
            encoded = encode_query(self._embedder, query, self._index.dimension, sparse=self._sparse is not None)
        except (ModelError, ModelUnavailableError) as error:
            return NO_VECTORS._replace(note=f"searched by words alone: {error}")
        numbers = None if allowed is None else rows.passage_ids[allowed]
        vector = encoded.dense[0]
        found = dict(self._index.search(vector, limit, numbers)) | self._index.scores(vector, list(lexical.scores))
        scores = _present(found, rows)
        sparse = self._by_sparse(encoded, limit, numbers, rows)
        floor, near = self._floor_of(vector), self._near_of(query, vector)
        far = {n for n, score in scores.items() if score < floor and n not in lexical.scores and n not in sparse}
        return VectorLegs(
            dense=Leg({n: score for n, score in scores.items() if n not in far}),
            below_floor=Leg({n: scores[n] for n in far}),
            sparse=Leg(sparse),
            near=frozenset(n for n, score in scores.items() if score >= max(near, floor)),
        )

    def _by_sparse(
        self, encoded: Encoded, limit: int, numbers: NDArray[np.int64] | None, rows: LexicalRows
    ) -> dict[int, float]:
        if self._sparse is None or encoded.sparse is None:
            return {}
        return _present(dict(self._sparse.search(encoded.sparse[0], limit, numbers)), rows)


def _present(scores: Mapping[int, float], rows: LexicalRows) -> dict[int, float]:
    """The vector file may still name passages that have just been replaced."""
    known = np.isin(np.array(list(scores), dtype=np.int64), rows.passage_ids)
    return {number: score for (number, score), keep in zip(scores.items(), known, strict=True) if keep}
