"""An interface over HTTP that `call_api` may call."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class ApiSettings(BaseModel):
    """Operations that are declared in a file, and where they may be called."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: Path = Field(description="OpenAPI 3 (JSON or YAML), or our shorter YAML of operations")
    base_url: str | None = Field(default=None, description="in place of the file's own")
    hosts: frozenset[str] = Field(
        default=frozenset(),
        description="that the file's own base URL may name; empty: any host, if `base_url` is unset",
    )
    allow_http: bool = Field(default=False, description="whether calls may go unencrypted, beyond this machine")
    allow_private: bool = Field(
        default=False,
        description="whether this machine and private networks may be reached; never link-local addresses",
    )
    operations: tuple[str, ...] = Field(default=(), description="ids that may be called; none: those that only read")
    permissions: dict[str, Literal["read", "sensitive", "write"]] = Field(
        default_factory=dict,
        description="by operation id, in place of what method and file say, such as `read` for a search by POST",
    )
    headers: dict[str, str] = Field(
        default_factory=dict,
        description="sent along; `env:NAME`, also within a value, takes an environment variable at the call",
    )
    idempotency_header: str = Field(
        default="Idempotency-Key", max_length=100, description="names the call in writes; empty: not sent"
    )
    readers: frozenset[str] = Field(default=frozenset(), description="who may have it called; empty: everyone")
    live: tuple[str, ...] = Field(default=(), description="ids of operations that tell what is so right now")
    max_bytes: int = Field(default=200_000, ge=100, le=10_000_000, description="of a response that are read")
    timeout_seconds: float = Field(default=10.0, gt=0, le=300, description="of a call, from first to last byte")
