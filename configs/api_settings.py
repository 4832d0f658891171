"""An interface over HTTP that `call_api` may call."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class ApiSettings(BaseModel):
    """Operations that are declared in a file, and where they may be called."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: Path = Field(description="OpenAPI 3 (JSON or YAML), or our shorter YAML of operations")
    base_url: str | None = Field(default=None, description="in place of the file's own")
    hosts: frozenset[str] = Field(default=frozenset(), description="that may be reached beside that of the base URL")
    allow_private: bool = Field(default=False, description="whether addresses of private networks may be reached")
    operations: tuple[str, ...] = Field(default=(), description="ids that may be called; none: those that only read")
    headers: dict[str, str] = Field(
        default_factory=dict,
        description="sent along; `env:NAME` takes the value of an environment variable at the call",
    )
    readers: frozenset[str] = Field(default=frozenset(), description="who may have it called; empty: everyone")
    live: tuple[str, ...] = Field(default=(), description="ids of operations that tell what is so right now")
    max_bytes: int = Field(default=200_000, ge=100, le=10_000_000, description="of a response that are read")
    timeout_seconds: float = Field(default=10.0, gt=0, le=300)
