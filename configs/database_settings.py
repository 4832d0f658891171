"""A database that `query_sql` may read."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class DatabaseSettings(BaseModel):
    """A database: a file of SQLite or DuckDB, or the URL of a PostgreSQL server."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path | None = Field(default=None, description="of a file of SQLite or DuckDB")
    url: SecretStr | None = Field(default=None, description="postgresql://…; may hold a password, so it is never shown")
    description: str = Field(default="", max_length=500, description="what it holds, for whoever chooses a tool")
    tables: tuple[str, ...] = Field(default=(), description="that may be read (schema.table or table); none: none")
    readers: frozenset[str] = Field(default=frozenset(), description="who may ask it; empty: everyone")
    live: bool = Field(
        default=False, description="whether it holds what is so right now, for 最新, real-time and the like"
    )
    max_rows: int = Field(default=100, ge=1, le=10_000)
    timeout_seconds: float = Field(default=10.0, gt=0, le=300)
