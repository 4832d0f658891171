"""What all embedders share: batches, the query instruction, and the checks of what a model returned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..configs.embedding_settings import EmbeddingSettings
from ..errors import ModelError, SettingsError
from ..knowledge.sparse import Encoded
from .query_instructions import documented_instruction

Vectors = NDArray[np.float32]


def unit_vectors(rows: Any, count: int, dimension: int, name: str) -> Vectors:
    """Checked and normalised vectors: the right number, the right size, no NaN, length 1."""
    try:
        with np.errstate(over="ignore"):  # what is too large becomes infinite, which is refused below
            vectors = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ModelError(f"embedding model {name} returned vectors of unequal size") from error
    if count == 0:
        return np.zeros((0, dimension), dtype=np.float32)
    if vectors.shape != (count, dimension):
        raise ModelError(
            f"embedding model {name} returned an array of shape {vectors.shape},"
            f" expected {(count, dimension)}; was the library built with another model?"
        )
    if not np.isfinite(vectors).all():
        raise ModelError(f"embedding model {name} returned values that are not numbers (NaN or infinite)")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    # A text without content may have no direction; a zero vector is near nothing, which is right for it.
    normalised: Vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return normalised


def batches(texts: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    """The texts in their order, `size` at a time."""
    return (texts[start : start + size] for start in range(0, len(texts), size))


class BatchedEmbedder(ABC):
    """Embeds in batches of the settings. Subclasses supply `_encode`, and `_encode_both` where they have sparse."""

    name: str

    def __init__(self, settings: EmbeddingSettings, name: str) -> None:
        self.name = name
        self._settings = settings
        self._dimension: int | None = None
        given = settings.query_instruction
        self._instruction = documented_instruction(settings.model or "") if given is None else given

    @property
    def dimension(self) -> int:
        """Length of a vector; where nothing has told it yet, the model is asked, with errors as for passages."""
        if self._dimension is None:
            self._dimension = self._measured()
        return self._dimension

    def _measured(self) -> int:
        rows = self._encode(["0"], query=False)
        try:
            shape: tuple[int, ...] = np.asarray(rows, dtype=np.float64).shape
        except (TypeError, ValueError):
            shape = ()
        if len(shape) != 2 or shape[0] != 1 or not shape[1]:
            raise ModelError(f"embedding model {self.name} returned something else than one vector for one text")
        return shape[1]

    @property
    def gives_sparse(self) -> bool:
        """Whether `encode_passages` and `encode_query` also give sparse vectors."""
        return False

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, one row each.

        Raises:
            ModelError: the model returned something else than vectors of its size.
            ModelUnavailableError: its endpoint is down or too slow.
        """
        parts = [self._checked(batch, query=False) for batch in batches(texts, self._settings.batch_size)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Unit vector of a question, with the query instruction in front; errors as for passages."""
        vector: Vectors = self._checked([self._instruction + text], query=True)[0]
        return vector

    def encode_passages(self, texts: Sequence[str]) -> Encoded:
        """Unit vectors of passages as `embed_passages` gives them, and their sparse vectors if it has any."""
        return Encoded(self.embed_passages(texts), None)

    def encode_query(self, text: str) -> Encoded:
        """One row: the unit vector of a question, and its sparse vector if there are any."""
        return Encoded(self.embed_query(text)[np.newaxis], None)

    def _checked(self, texts: Sequence[str], query: bool) -> Vectors:
        return unit_vectors(self._encode(texts, query), len(texts), self.dimension, self.name)

    @abstractmethod
    def _encode(self, texts: Sequence[str], query: bool) -> Any:
        """Vectors of at most `batch_size` texts, unchecked."""

    def _check_settings(self) -> None:
        """Refuses what the settings ask for and this model is not.

        Raises:
            ModelError: it is of another size.
            SettingsError: it makes no sparse vectors.
        """
        wanted = self._settings.dimension
        if wanted is not None and wanted != self.dimension:
            raise ModelError(f"embedding model {self.name} has {self.dimension} dimensions, the settings say {wanted}")
        if self._settings.sparse and not self.gives_sparse:
            raise SettingsError(
                f"embeddings.sparse: {self.name} makes no sparse vectors; set embeddings.provider to flag-embedding"
                " and embeddings.model to BAAI/bge-m3 or its folder, or embeddings.sparse to false"
            )
