"""Sparse vectors: the tokens of a text that a model finds telling, each with a weight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class SparseVector(NamedTuple):
    """Token numbers of the model's own vocabulary, ascending and each once, and their weights above 0."""

    token_ids: NDArray[np.int32]
    weights: NDArray[np.float32]


class Encoded(NamedTuple):
    """What a model makes of some texts: one row each, and their sparse vectors where it has any."""

    dense: NDArray[np.float32]
    sparse: tuple[SparseVector, ...] | None


def sparse_vector(weights: Mapping[int, float]) -> SparseVector:
    """The vector of these weights by token number; those of 0 and below are left out."""
    kept = sorted((token, weight) for token, weight in weights.items() if weight > 0)
    return SparseVector(
        np.array([token for token, _ in kept], dtype=np.int32),
        np.array([weight for _, weight in kept], dtype=np.float32),
    )


def dot(one: SparseVector, other: SparseVector) -> float:
    """Sum over the tokens that both have of the products of their weights: how closely two texts share words."""
    _, left, right = np.intersect1d(one.token_ids, other.token_ids, assume_unique=True, return_indices=True)
    return float(one.weights[left] @ other.weights[right])
