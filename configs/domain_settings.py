"""Settings of the business areas that a library keeps apart."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class DomainSettings(BaseModel):
    """What holds for one domain; all of it may be left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keep: int | None = Field(default=None, ge=1, le=50, description="hits handed to the answer; left out: search.keep")
    dictionary: Path | None = Field(
        default=None, description="text file of the domain's words, on top of those of search.dictionary, in its form"
    )
    words: tuple[str, ...] = Field(
        default=(), max_length=200, description="a question that holds one of these words is about this domain"
    )
