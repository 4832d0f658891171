"""What the part of a store that holds vectors must do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..sparse import Encoded, SparseVector

if TYPE_CHECKING:
    from .protocol import PendingPassage

Vectors = NDArray[np.float32]


class VectorProgress(NamedTuple):
    """How many passages of active documents have a vector."""

    done: int
    total: int


class ActiveVectors(NamedTuple):
    """The vectors that are searched with: their model, and a name that no other library's vectors have."""

    model: str
    epoch: str


class PassageKeys(NamedTuple):
    """Passages by number, each with the beginning of its search hash: what tells that a number means the same text."""

    numbers: NDArray[np.int64]
    keys: NDArray[np.bytes_]


class PassageVectors(NamedTuple):
    """Passages with their vectors, by ascending number."""

    numbers: NDArray[np.int64]
    keys: NDArray[np.bytes_]
    vectors: Vectors


class PassageSparse(NamedTuple):
    """A passage with its sparse vector."""

    passage_id: int
    vector: SparseVector


class VectorStore(Protocol):
    """Vectors of passages, by model and text. Searches use those of the active model; others are being made beside."""

    def active(self) -> ActiveVectors | None:
        """The model that is searched with; None while there are no vectors."""

    def next_model(self) -> str | None:
        """The model whose vectors are being made beside the active ones."""

    def dimension(self, model: str) -> int | None:
        """Length of a model's vectors; None while there are none."""

    def passages(self) -> PassageKeys:
        """Every passage of an active version, whether it has a vector or not, by ascending number."""

    def passages_with_vector(self, model: str) -> NDArray[np.int64]:
        """Numbers of the passages that have a vector of this model, ascending."""

    def of_passages(self, model: str, passage_ids: Sequence[int]) -> PassageVectors:
        """Vectors of passages by ascending number; without those that have none, or one of another size."""

    def sparse(self, model: str) -> Iterator[PassageSparse]:
        """The sparse vectors of passages by ascending number; none where the model gives none."""

    def without(self, model: str, limit: int, *, after: int = 0, sparse: bool = False) -> list[PendingPassage]:
        """The next passages behind this number that lack a vector of this model, or with `sparse` a sparse one."""

    def progress(self, model: str | None, *, sparse: bool = False) -> VectorProgress:
        """How many passages have a vector of this model, with `sparse` also a sparse one."""

    def put(self, model: str, hashes: Sequence[str], encoded: Encoded) -> None:
        """Store vectors by search hash, in one transaction; the first ones of a library make their model the active.

        Raises:
            LibraryError: the model is neither the active one nor the one that is being made.
        """

    def begin(self, model: str) -> None:
        """Let vectors of another model be made beside the active ones; those of a third are dropped."""

    def abandon(self) -> str | None:
        """Drop the vectors that are being made beside the active ones; returns their model, None if there are none."""

    def activate(self, model: str) -> bool:
        """Search with this model from now on and drop all other vectors, in one transaction.

        Returns:
            False, and nothing was changed: a passage has no vector of this model yet, or it is no longer being made.
        """

    def floor(self) -> str | None:
        """What `put_floor` has stored for the active vectors, or None."""

    def put_floor(self, floor: str) -> None:
        """Keep the floor of the active vectors, as JSON."""
