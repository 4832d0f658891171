"""What an embedder and a vector index must do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..sparse import Encoded
from ..store import Vectors


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


@runtime_checkable
class EncodingEmbedder(Embedder, Protocol):
    """An embedder that can also give sparse vectors."""

    @property
    def gives_sparse(self) -> bool:
        """Whether what it encodes has sparse vectors, too."""

    def encode_passages(self, texts: Sequence[str]) -> Encoded:
        """Dense vectors as `embed_passages` gives them, and sparse ones."""

    def encode_query(self, text: str) -> Encoded:
        """The same of a question: one row."""


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


def gives_sparse(embedder: Embedder) -> TypeGuard[EncodingEmbedder]:
    """Whether an embedder makes sparse vectors, too."""
    # Not by the protocol: looking at all its members would ask an endpoint for the size of its vectors.
    return bool(getattr(embedder, "gives_sparse", False))
