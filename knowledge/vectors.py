"""The vector leg: what an embedder must do, and the FAISS index over its vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import LibraryFormatError
from .store import Vectors


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Model name, stored with the vectors so that two models are never mixed."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (len(texts), dimension), float32, length 1."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One vector of shape (dimension,), float32, length 1."""


class VectorHit(NamedTuple):
    """A passage number and its cosine similarity, -1 to 1."""

    passage_id: int
    score: float


class VectorIndex(Protocol):
    """Nearest neighbours by cosine similarity."""

    def search(self, query: NDArray[np.float32], k: int, allowed: NDArray[np.int64] | None) -> list[VectorHit]:
        """The k nearest among the allowed passage numbers (None: all), best first."""

    def scores(self, query: NDArray[np.float32], passage_ids: Sequence[int]) -> dict[int, float]:
        """Similarities of given passages; those without a vector are absent."""


def _faiss() -> Any:
    import faiss  # noqa: PLC0415 - costs a tenth of a second that other commands need not pay

    return faiss


class FaissIndex:
    """Exact search over a flat FAISS index whose ids are passage numbers."""

    def __init__(self, numbers: NDArray[np.int64], vectors: Vectors) -> None:
        faiss = _faiss()
        self._index: Any = faiss.IndexIDMap2(faiss.IndexFlatIP(vectors.shape[1] if len(numbers) else 1))
        if len(numbers):
            self._index.add_with_ids(np.ascontiguousarray(vectors, dtype=np.float32), numbers)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def save(self, path: Path) -> None:
        """Write the index to a file."""
        _faiss().write_index(self._index, str(path))

    @classmethod
    def load(cls, path: Path) -> FaissIndex:
        """Read an index written by `save`.

        Raises:
            LibraryFormatError: the file is damaged or of another FAISS version.
        """
        index = cls.__new__(cls)
        try:
            index._index = _faiss().read_index(str(path))
        except RuntimeError as error:
            raise LibraryFormatError(f"{path}: unreadable vector index; it will be rebuilt") from error
        return index

    def search(self, query: NDArray[np.float32], k: int, allowed: NDArray[np.int64] | None) -> list[VectorHit]:
        """The k nearest among the allowed passage numbers (None: all), best first."""
        if not len(self) or (allowed is not None and not len(allowed)):
            return []
        parameters = None
        if allowed is not None:
            parameters = _faiss().SearchParameters(sel=_faiss().IDSelectorBatch(allowed))
        found, numbers = self._index.search(query.reshape(1, -1), min(k, len(self)), params=parameters)
        pairs = zip(numbers[0], found[0], strict=True)
        return [VectorHit(int(number), float(score)) for number, score in pairs if number >= 0]

    def scores(self, query: NDArray[np.float32], passage_ids: Sequence[int]) -> dict[int, float]:
        """Similarities of given passages; those without a vector are absent."""
        wanted = np.array(passage_ids, dtype=np.int64)
        if not len(self) or not len(wanted):
            return {}
        hits = self.search(query, len(wanted), wanted)
        return {hit.passage_id: hit.score for hit in hits}
