"""How blocks are digested for the directory (S0 §3.2, §5.2)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class DigestSettings(BaseModel):
    """Digests of blocks: the entries of the directory."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_characters: int = Field(default=600, ge=100, le=4_000, description="of a digest's summary, at most")
    keywords: int = Field(default=8, ge=1, le=50, description="of a digest, at most")
    max_detail_characters: int = Field(
        default=2_000,
        ge=0,
        le=20_000,
        description="of the numbers, dates, clauses and ids that do not fit into the summary, at most",
    )
