"""The similarities that a passage found by vectors needs, to be a candidate and to be a hit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..store import VectorStore


class Nearness(BaseModel):
    """How similar to a question of one kind a passage must be (see `nearness`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cosine: float = Field(description="for a question that is as near to all passages as questions usually are")
    usual: float = Field(description="what such a question has with the mean of the passages' vectors")


class VectorFloor(BaseModel):
    """A floor for candidates and a stricter one for hits, and how they came about (see `calibration`, `nearness`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cosine: float | None = Field(
        ge=-1.001, le=1.001, description="for a question in the language of the documents; None: too few passages"
    )
    near_chinese: Nearness = Field(description="what a hit needs without the words of a question in Chinese")
    near_other: Nearness = Field(description="the same for all other questions")
    model: str = Field(description="whose similarities these are")
    vectors: int = Field(ge=0, description="passages that had a vector when it was computed")
    samples: int = Field(ge=0, description="pairs that it was computed from")
    method: str = Field(description="in a few words, for a person")
    centre: tuple[float, ...] = Field(default=(), description="the mean of the passages' vectors")
    usual: float = Field(default=-1, description="what nearly all questions of the library's kind have with the mean")

    def of(self, query: NDArray[np.float32]) -> float | None:
        """The floor for this question: lower where it is farther from all passages than questions usually are."""
        return None if self.cosine is None else self.cosine - self._distance(query, self.usual)

    def near(self, query: NDArray[np.float32], *, chinese: bool) -> float:
        """The similarity from which on a passage bears on this question whatever its words; lowered in the same way."""
        needed = self.near_chinese if chinese else self.near_other
        return needed.cosine - self._distance(query, needed.usual)

    def _distance(self, query: NDArray[np.float32], usual: float) -> float:
        """How much farther from all passages a question is than usual."""
        if len(self.centre) != len(query):
            return 0.0
        return max(0.0, usual - float(np.dot(np.asarray(self.centre, dtype=np.float32), query)))


def stored_floor(store: VectorStore) -> VectorFloor | None:
    """The floor that was computed for the active vectors; None if none was, or by a version that knew another kind."""
    stored = store.floor()
    try:
        return None if stored is None else VectorFloor.model_validate_json(stored)
    except ValidationError:
        return None
