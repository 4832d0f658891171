"""How the reading loop reads (S0 §3.3)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ReadingSettings(BaseModel):
    """The reading loop: the numbers of S0 §3.3 and §5.1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(default=True, description="let a question that one search does not answer be read up on")
    starts_at_labels: bool = Field(
        default=False, description="read up at once on questions that name a clause, an annex or a numbered table"
    )
    max_blocks: int = Field(default=12, ge=1, le=50, description="read in one run of the loop, at most (S0 §3.3)")
    directory_tokens: int = Field(
        default=3_000, ge=200, le=100_000, description="of the directory that a reader is shown"
    )
