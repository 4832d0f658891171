"""A database that `query_sql` may read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, StringConstraints, model_validator

_DUCKDB_ENDINGS = frozenset({".duckdb", ".ddb"})
_POSTGRES = re.compile(r"postgres(?:ql)?://\S+")
TableName = Annotated[str, StringConstraints(min_length=1, max_length=200, strip_whitespace=True)]
Meaning = Annotated[str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True)]


class DatabaseSettings(BaseModel):
    """A database: a file of SQLite or DuckDB, or the URL of a PostgreSQL server."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path | None = Field(default=None, description="of a file of SQLite, or of DuckDB (.duckdb, .ddb)")
    url: SecretStr | None = Field(default=None, description="postgresql://…; may hold a password, so it is never shown")
    description: str = Field(default="", max_length=500, description="what it holds, for whoever chooses a tool")
    tables: tuple[TableName, ...] = Field(
        default=(), max_length=200, description="that may be read (schema.table or table); none: none"
    )
    meanings: dict[TableName, Meaning] = Field(
        default_factory=dict,
        description="what tables and columns mean in the words of those who ask, with units:"
        " `orders: 订单`, `orders.amount: 营收（万元）`",
    )
    readers: frozenset[str] = Field(default=frozenset(), description="who may ask it; empty: everyone")
    live: bool = Field(
        default=False, description="whether it holds what is so right now, for 最新, real-time and the like"
    )
    max_rows: int = Field(default=100, ge=1, le=10_000)
    timeout_seconds: float = Field(default=10.0, gt=0, le=300)

    @property
    def is_duckdb(self) -> bool:
        """Whether its file is one of DuckDB, by its ending."""
        return self.path is not None and self.path.suffix.casefold() in _DUCKDB_ENDINGS

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.path is None) == (self.url is None):
            raise ValueError("give either `path` (a file of SQLite or DuckDB) or `url` (of PostgreSQL)")
        if self.url is not None and not _POSTGRES.fullmatch(self.url.get_secret_value()):
            raise ValueError("`url` has to begin with postgresql://")
        return self
