"""The vector index of a library: its segments, without the passages that are gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..store import Vectors
from .floor import VectorFloor
from .protocol import VectorHit
from .segment import CODED_FROM, Mask, Segment, encode

# From so many numbers on, a table of all is quicker than looking each up.
_LOOKED_UP = 20_000


class Part(NamedTuple):
    """A segment, and which of its rows stand for passages that are there (None: all)."""

    segment: Segment
    alive: Mask | None

    @property
    def living(self) -> int:
        """How many passages it holds."""
        return len(self.segment) if self.alive is None else int(np.count_nonzero(self.alive))

    def usable(self, allowed: NDArray[np.int64] | None) -> Mask | None:
        """The rows to search; None: all."""
        if allowed is None:
            return self.alive
        if len(allowed) < _LOOKED_UP:
            mask = np.zeros(len(self.segment), dtype=np.bool_)
            mask[self.segment.rows_of(allowed)] = True
        else:
            mask = np.isin(self.segment.numbers, allowed)
        return mask if self.alive is None else mask & self.alive


class FaissIndex:
    """Nearest passages by cosine similarity, exact or as good as (see `segment`).

    A passage stands in one part at most.

    Args:
        numbers: passage numbers, each once.
        vectors: their unit vectors, row by row.
        floor: below which similarity a passage that only vectors found is none; None: not known.
    """

    def __init__(self, numbers: NDArray[np.int64], vectors: Vectors, floor: VectorFloor | None = None) -> None:
        order = np.argsort(numbers, kind="stable")
        sorted_vectors = np.ascontiguousarray(vectors[order], dtype=np.float32)
        codes = encode(sorted_vectors) if len(numbers) >= CODED_FROM else None
        self.parts: tuple[Part, ...] = (Part(Segment(numbers[order], sorted_vectors, codes), None),)
        self.floor = floor

    @classmethod
    def of_parts(cls, parts: Sequence[Part], floor: VectorFloor | None = None) -> FaissIndex:
        """An index over segments that exist already."""
        index = cls.__new__(cls)
        index.parts = tuple(parts)
        index.floor = floor
        return index

    def __len__(self) -> int:
        return sum(part.living for part in self.parts)

    def floor_of(self, query: NDArray[np.float32]) -> float | None:
        """The similarity that a passage found by vectors alone needs for this question; None: not known."""
        return None if self.floor is None else self.floor.of(query)

    def near_of(self, query: NDArray[np.float32], *, chinese: bool) -> float | None:
        """The similarity from which on a passage bears on this question whatever its words; None: not known.

        Args:
            query: the question's vector.
            chinese: whether the question holds Chinese.
        """
        return None if self.floor is None else self.floor.near(query, chinese=chinese)

    @property
    def dimension(self) -> int | None:
        """Length of a vector; None while there are none."""
        return next((int(part.segment.vectors.shape[1]) for part in self.parts if part.living), None)

    def search(self, query: NDArray[np.float32], k: int, allowed: NDArray[np.int64] | None) -> list[VectorHit]:
        """The k nearest among the allowed passage numbers (None: all), best first; of equals the lowest number.

        A query of another size, or with values that are no numbers, finds nothing.
        """
        if not self._takes(query):
            return []
        hits: list[VectorHit] = []
        for part in self.parts:
            usable = part.usable(allowed)
            if part.living and k > 0 and (usable is None or usable.any()):
                found = part.segment.nearest(query, k, usable)
                hits += _hits(part.segment.numbers[found.rows], found.scores)
        return sorted(hits, key=lambda hit: (-hit.score, hit.passage_id))[:k]

    def scores(self, query: NDArray[np.float32], passage_ids: Sequence[int]) -> dict[int, float]:
        """Exact similarities of given passages; those without a vector are absent."""
        if not self._takes(query):
            return {}
        wanted = np.unique(np.array(passage_ids, dtype=np.int64))
        hits: list[VectorHit] = []
        for part in self.parts:
            rows = part.segment.rows_of(wanted)
            rows = rows if part.alive is None else rows[part.alive[rows]]
            if len(rows):
                found = part.segment.score(query, rows)
                hits += _hits(part.segment.numbers[found.rows], found.scores)
        hits.sort(key=lambda hit: (-hit.score, hit.passage_id))
        return {hit.passage_id: hit.score for hit in hits}

    def _takes(self, query: NDArray[np.float32]) -> bool:
        """Whether a vector can be compared with those here; `encode_query` says in words why one cannot."""
        return query.shape == (self.dimension,) and bool(np.isfinite(query).all())


def _hits(numbers: NDArray[np.int64], scores: NDArray[np.float32]) -> list[VectorHit]:
    return [VectorHit(int(number), float(score)) for number, score in zip(numbers, scores, strict=True)]
