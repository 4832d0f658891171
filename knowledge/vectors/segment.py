"""Vectors of some passages, searched exactly; many of them first through 8-bit codes.

Measured with `benchmarks/vector_index.py` on vectors of 384 numbers that lie as those of multilingual-e5-small do: the
share of the exact 50 nearest that was found, and CPU milliseconds on one thread.

| kind | 15,000 vectors | 100,000 | 400,000 | MB of 400,000 |
| --- | --- | --- | --- | ---: |
| flat | 1.00, 1.6 ms | 1.00, 10.5 ms | 1.00, 43.7 ms | 586 |
| 8-bit codes alone | 0.97, 0.8 ms | 0.97, 4.8 ms | 0.97, 24.9 ms | 147 |
| **this one** | 1.00, 1.1 ms | 1.00, 6.9 ms | 1.00, 25.5 ms | 147 |
| HNSW, 16 links, efSearch 128 | 0.92, 0.4 ms | 0.64, 0.7 ms | | |
| HNSW, 16 links, efSearch 256 | | 0.76, 1.0 ms | | |
| IVF, 4 x root lists, nprobe 32 | 0.79, 0.4 ms | 0.65, 0.7 ms | 0.49, 1.6 ms | 153 |

(On 3,542 real ones: this one 1.00, HNSW with efSearch 128 0.99, IVF with nprobe 32 0.88.)

Even 400,000 vectors, the passages of 200,000 blocks, are searched in about the time that embedding the question takes
(a filter that keeps a tenth: 12 ms). An approximate index would save 24 ms of that and lose a quarter of the
right passages and more; so there is none. Codes take a quarter of the memory: from `CODED_FROM` vectors on, they
choose the candidates, which are scored again with the vectors themselves, while those stay in the file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..store import Vectors

CODED_FROM = 100_000
"""Vectors from which on codes are kept: flat search takes 10 ms and 150 MB there."""
_CANDIDATES_A_HIT = 4
"""Codes order neighbours of nearly the same similarity wrongly; among four times as many the right ones are there."""
_SCORED_DIRECTLY = 20_000
"""So few rows are fetched and scored faster (8 ms) than all codes are searched."""
_ENCODED_AT_ONCE = 20_000
_TRAINED_ON = 100_000

Mask = NDArray[np.bool_]


class Scored(NamedTuple):
    """Rows of a segment with their similarities, in no order."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float32]


class Segment:
    """Never changes once made.

    Args:
        numbers: passage numbers, ascending, each once.
        vectors: their vectors, row by row; may be mapped from a file.
        codes: what `encode` made of the vectors, for a large segment.
    """

    def __init__(self, numbers: NDArray[np.int64], vectors: Vectors, codes: Any = None) -> None:
        self.numbers = numbers
        self.vectors = vectors
        self._codes = codes

    def __len__(self) -> int:
        return len(self.numbers)

    def rows_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of those of these passages that are here."""
        places = np.searchsorted(self.numbers, numbers)
        inside = places < len(self.numbers)
        places, wanted = places[inside], numbers[inside]
        rows: NDArray[np.int64] = np.unique(places[self.numbers[places] == wanted])
        return rows

    def score(self, query: NDArray[np.float32], rows: NDArray[np.int64]) -> Scored:
        """Exact similarities of some rows; damaged vectors are left out."""
        return _finite(Scored(rows, np.asarray(self.vectors[rows] @ query, dtype=np.float32)))

    def nearest(self, query: NDArray[np.float32], k: int, usable: Mask | None) -> Scored:
        """The k nearest rows among the usable ones (None: all)."""
        count = len(self) if usable is None else int(np.count_nonzero(usable))
        if self._codes is not None and count > max(_SCORED_DIRECTLY, _CANDIDATES_A_HIT * k):
            return best(self.score(query, self._candidates(query, k, usable)), k)
        if usable is None or 2 * count > len(self):
            return best(self._all(query, usable), k)
        return best(self.score(query, np.flatnonzero(usable)), k)

    def _all(self, query: NDArray[np.float32], usable: Mask | None) -> Scored:
        scores = np.asarray(self.vectors @ query, dtype=np.float32)
        found = _finite(Scored(np.arange(len(self), dtype=np.int64), scores))
        if usable is None:
            return found
        kept = usable[found.rows]
        return Scored(found.rows[kept], found.scores[kept])

    def _candidates(self, query: NDArray[np.float32], k: int, usable: Mask | None) -> NDArray[np.int64]:
        faiss = import_faiss()
        parameters = None
        if usable is not None:
            bits = np.packbits(usable, bitorder="little")
            parameters = faiss.SearchParameters(sel=faiss.IDSelectorBitmap(bits))
        _, rows = self._codes.search(query.reshape(1, -1), _CANDIDATES_A_HIT * k, params=parameters)
        found: NDArray[np.int64] = rows[0][rows[0] >= 0]
        return found


def encode(vectors: Vectors) -> Any:
    """Codes of one byte a number, for a scan of everything that takes a quarter of the memory."""
    faiss = import_faiss()
    codes = faiss.IndexScalarQuantizer(vectors.shape[1], faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    step = max(1, len(vectors) // _TRAINED_ON)
    codes.train(np.ascontiguousarray(vectors[::step], dtype=np.float32))
    for start in range(0, len(vectors), _ENCODED_AT_ONCE):
        codes.add(np.ascontiguousarray(vectors[start : start + _ENCODED_AT_ONCE], dtype=np.float32))
    return codes


def best(found: Scored, k: int) -> Scored:
    """The k with the highest scores; of equal ones the lowest rows."""
    if len(found.rows) > k:
        # All that equal the k-th, so that the choice among equals does not depend on the partition.
        lowest = np.partition(found.scores, len(found.scores) - k)[len(found.scores) - k]
        kept = found.scores >= lowest
        found = Scored(found.rows[kept], found.scores[kept])
    order = np.lexsort((found.rows, -found.scores))[:k]
    return Scored(found.rows[order], found.scores[order])


def _finite(found: Scored) -> Scored:
    sound = np.isfinite(found.scores)
    return found if sound.all() else Scored(found.rows[sound], found.scores[sound])


def import_faiss() -> Any:
    """FAISS, when it is needed."""
    import faiss  # noqa: PLC0415 - costs a tenth of a second that other commands need not pay

    return faiss
