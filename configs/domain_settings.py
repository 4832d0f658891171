"""Settings of the business areas that a library keeps apart."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class DomainSettings(BaseModel):
    """What holds for one domain; all of it may be left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: int | None = Field(default=None, ge=1, le=50, description="hits handed to the answer; left out: search.keep")
    words: tuple[str, ...] = Field(
        default=(), max_length=200, description="a question that holds one of these words is about this domain"
    )
