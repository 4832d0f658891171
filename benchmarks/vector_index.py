"""Measures what kinds of FAISS index find, cost and hold, to choose the kind by size.

    python benchmarks/vector_index.py --sizes 15000 100000 --kinds flat sq8 hnsw ivf-sq8
    python benchmarks/vector_index.py --vectors cache.sqlite

Recall is the share of the 50 nearest by exact search that a kind finds, too. Searches run on one thread and indexes are
built on two; times are CPU time of this process, so that a busy machine changes them little.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import faiss
import numpy as np
from numpy.typing import NDArray
from veriloop.knowledge.vectors import FaissIndex
from veriloop.knowledge.vectors.segment import CODED_FROM

Vectors = NDArray[np.float32]

K = 50
QUERIES = 40
DIMENSION = 384
BUILDING_THREADS = 2
VECTORS_A_CLUSTER = 20
COMMON, OF_CLUSTER, OF_ITS_OWN = 0.9, 0.3, 0.3
"""Shares of a vector's parts: cosines of about 0.81 between any two, 0.91 within a cluster, as E5 has them."""
SPECTRUM = -0.35
"""How the deviation of the n-th direction falls: n to this power, as measured on E5's vectors."""
BATCH = 20_000


class Row(NamedTuple):
    """What was measured of one kind at one size."""

    kind: str
    vectors: int
    recall: float
    milliseconds: float
    filtered_milliseconds: float
    build_seconds: float
    megabytes: float


def kinds(count: int) -> dict[str, str]:
    """FAISS's descriptions of the kinds, for this many vectors."""
    lists = max(64, round(4 * count**0.5))
    return {
        "flat": "Flat",
        "fp16": "SQfp16",
        "sq8": "SQ8",
        "hnsw": "HNSW16,Flat",
        "hnsw-sq8": "HNSW16,SQ8",
        "ivf": f"IVF{lists},Flat",
        "ivf-sq8": f"IVF{lists},SQ8",
        "library": "",
    }


def clustered(count: int, seed: int = 7) -> Vectors:
    """Unit vectors in clusters around one common direction, as embedding models make them."""
    random = np.random.default_rng(seed)
    common = _drawn(random, 1)
    centres = _drawn(random, max(1, count // VECTORS_A_CLUSTER))
    made = np.empty((count, DIMENSION), dtype=np.float32)
    for start in range(0, count, BATCH):
        size = min(BATCH, count - start)
        centre = centres[random.integers(len(centres), size=size)]
        made[start : start + size] = _unit(COMMON * common + OF_CLUSTER * centre + OF_ITS_OWN * _drawn(random, size))
    return made


def _drawn(random: np.random.Generator, count: int) -> Vectors:
    deviations = np.arange(1, DIMENSION + 1, dtype=np.float32) ** SPECTRUM
    return _unit(random.standard_normal((count, DIMENSION), dtype=np.float32) * deviations)


def stored(path: Path) -> Vectors:
    """The vectors of a file that `vector_cache` has made."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        blobs = [row[0] for row in connection.execute("SELECT v FROM v")]
    connection.close()
    return np.frombuffer(b"".join(blobs), dtype=np.float32).reshape(len(blobs), -1).copy()


def measure(kind: str, vectors: Vectors, queries: Vectors, exact: Sequence[set[int]], width: int) -> Row:
    """Build one kind and search with it."""
    faiss.omp_set_num_threads(BUILDING_THREADS)
    made: list[Index] = []
    build = _LibraryIndex if kind == "library" else partial(_FaissKind, kind, width)
    built = _cpu_seconds(lambda: made.append(build(vectors))) / BUILDING_THREADS
    faiss.omp_set_num_threads(1)
    index = made[0]
    found: list[NDArray[np.int64]] = []
    # One question at a time, as they come.
    spent = _cpu_seconds(lambda: found.extend(index.nearest(query, None) for query in queries))
    tenth = np.arange(0, len(vectors), 10, dtype=np.int64)
    filtered = _cpu_seconds(lambda: [index.nearest(query, tenth) for query in queries])
    recall = np.mean([len(one & set(other.tolist())) / len(one) for one, other in zip(exact, found, strict=True)])
    each = 1_000 / len(queries)
    label = f"{kind} {width}" if width else kind
    return Row(label, len(vectors), float(recall), spent * each, filtered * each, built, index.megabytes)


class Index(Protocol):
    """Something to search with."""

    @property
    def megabytes(self) -> float:
        """What it holds in memory."""

    def nearest(self, query: Vectors, allowed: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """The numbers of the 50 nearest."""


class _LibraryIndex:
    """The index that a library uses; from `CODED_FROM` vectors on, these stay in the file."""

    def __init__(self, vectors: Vectors) -> None:
        self._index = FaissIndex(np.arange(len(vectors)), vectors)
        self.megabytes = vectors.nbytes / 2**20 / (4 if len(vectors) >= CODED_FROM else 1)

    def nearest(self, query: Vectors, allowed: NDArray[np.int64] | None) -> NDArray[np.int64]:
        return np.array([hit.passage_id for hit in self._index.search(query, K, allowed)])


class _FaissKind:
    """One of FAISS's own kinds."""

    def __init__(self, kind: str, width: int, vectors: Vectors) -> None:
        self._kind, self._width = kind, width
        self._index = faiss.index_factory(vectors.shape[1], kinds(len(vectors))[kind], faiss.METRIC_INNER_PRODUCT)
        if not self._index.is_trained:
            self._index.train(vectors[:: max(1, len(vectors) // 50_000)])
        self._index.add(vectors)
        self.megabytes = faiss.serialize_index(self._index).nbytes / 2**20

    def nearest(self, query: Vectors, allowed: NDArray[np.int64] | None) -> NDArray[np.int64]:
        selector = None if allowed is None else faiss.IDSelectorBatch(allowed)
        parameters = _parameters(self._kind, self._width, selector)
        found: NDArray[np.int64] = self._index.search(query.reshape(1, -1), K, params=parameters)[1][0]
        return found


def _parameters(kind: str, width: int, selector: Any) -> Any:
    # The type stubs know neither these classes nor their arguments.
    untyped: Any = faiss
    chosen = {"sel": selector} if selector is not None else {}
    if kind.startswith("hnsw"):
        return untyped.SearchParametersHNSW(efSearch=width, **chosen)
    if kind.startswith("ivf"):
        return untyped.SearchParametersIVF(nprobe=width, **chosen)
    return untyped.SearchParameters(**chosen) if chosen else None


def _cpu_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _unit(rows: Vectors) -> Vectors:
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _asked(vectors: Vectors) -> Vectors:
    """Questions: stored vectors, turned by as much as two of a cluster differ."""
    random = np.random.default_rng(11)
    chosen = vectors[random.choice(len(vectors), QUERIES, replace=False)]
    return _unit(chosen + OF_ITS_OWN * _drawn(random, QUERIES))


def _exact(vectors: Vectors, queries: Vectors) -> list[set[int]]:
    return [set(np.argpartition(-(vectors @ query), K)[:K].tolist()) for query in queries]


def _widths(kind: str, given: Sequence[int]) -> Sequence[int]:
    return given if kind.startswith(("hnsw", "ivf")) else (0,)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[15_000])
    parser.add_argument("--vectors", type=Path, help="take the vectors of this file in place of made ones")
    parser.add_argument("--kinds", nargs="+", default=list(kinds(1)), choices=list(kinds(1)))
    parser.add_argument("--widths", type=int, nargs="+", default=[64, 128], help="efSearch or nprobe")
    arguments = parser.parse_args()
    sets = [stored(arguments.vectors)] if arguments.vectors else (clustered(size) for size in arguments.sizes)
    sys.stdout.write("kind            vectors  recall@50  ms/query  ms/query of a tenth  build s      MB\n")
    for vectors in sets:
        queries = _asked(vectors)
        exact = _exact(vectors, queries)
        for kind in arguments.kinds:
            for width in _widths(kind, arguments.widths):
                row = measure(kind, vectors, queries, exact, width)
                sys.stdout.write(
                    f"{row.kind:14}{row.vectors:9,}{row.recall:11.3f}{row.milliseconds:10.2f}"
                    f"{row.filtered_milliseconds:21.2f}{row.build_seconds:9.1f}{row.megabytes:8.1f}\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
