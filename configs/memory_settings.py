"""What is remembered of earlier questions (S3 §5.3)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class MemorySettings(BaseModel):
    """Entries about earlier questions, labelled by who said them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(default=True, description="whether anything is remembered, and `lookup_memory` is offered")
    keep: int = Field(default=1_000, ge=0, le=1_000_000, description="the oldest entries beyond these are forgotten")
    temporary_days: int = Field(
        default=1, ge=0, le=3_650, description="after which what databases and interfaces said is forgotten"
    )
