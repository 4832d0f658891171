"""The digest of a block."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Digest(BaseModel):
    """A directory entry that stands alone and keeps each number, date, clause, id and proper name (S0 §5.2)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    summary: str
    keywords: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    made_by: str = Field(default="rules", description="`rules`, or the name of the model that wrote it")
