"""Made vectors, stores full of them, and the plain computation that indexes are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray
from veriloop.knowledge.vectors import VectorHit

Vectors = NDArray[np.float32]


def unit_vectors(count: int, dimension: int, seed: int) -> Vectors:
    """Vectors of length 1 in random directions."""
    made = np.random.default_rng(seed).standard_normal((count, dimension), dtype=np.float32)
    unit: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


def nearest_by_hand(
    numbers: NDArray[np.int64], vectors: Vectors, query: NDArray[np.float32], k: int, allowed: Sequence[int] | None
) -> list[VectorHit]:
    """The k nearest, each similarity computed by itself."""
    kept = set(numbers.tolist()) if allowed is None else set(allowed)
    hits = [
        VectorHit(int(number), float(vector @ query))
        for number, vector in zip(numbers, vectors, strict=True)
        if int(number) in kept
    ]
    return sorted(hits, key=lambda hit: -hit.score)[:k]


def are_the_nearest(found: Sequence[VectorHit], right: Sequence[VectorHit]) -> bool:
    """Whether these are the nearest, up to the order of equals and to rounding."""
    if len(found) != len(right) or len({hit.passage_id for hit in found}) != len(found):
        return False
    return bool(np.allclose([hit.score for hit in found], [hit.score for hit in right], atol=1e-5))


class HashEmbedder:
    """A vector for each text, from its letters: equal texts are equal, others lie anywhere. Keeps what it was asked."""

    def __init__(self, name: str = "hashes", dimension: int = 8) -> None:
        self.name = name
        self.dimension = dimension
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        seed = int.from_bytes(sha256(f"{self.name} {text}".encode()).digest()[:4], "little")
        vector: NDArray[np.float32] = unit_vectors(1, self.dimension, seed)[0]
        return vector
