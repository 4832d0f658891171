"""What `query_sql` knows of a source: its tables, their columns, and the rows that a statement gives."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple, Protocol

Cell = str | int | float | Decimal | None
"""A value as it came from a source; days and times are ISO texts."""


class Dialect(StrEnum):
    """The SQL that a source speaks, by the parser's names."""

    SQLITE = "sqlite"
    DUCKDB = "duckdb"
    POSTGRES = "postgres"


class ColumnKind(StrEnum):
    """What a column holds, as far as rules go by it."""

    NUMBER = "number"
    DATE = "date"
    TEXT = "text"


class Column(NamedTuple):
    """A column of a table."""

    name: str
    kind: ColumnKind
    unit: str = ""
    """That its numbers are in, as the header writes it; empty where none is known."""
    label: str = ""
    """Its heading as written; empty: the name."""
    values: tuple[str, ...] = ()
    """Different values that it holds, of texts only; the first ones where there are many."""
    is_complete: bool = True
    """Whether `values` are all of them, and every cell of a column of numbers or days could be read."""


class Table(NamedTuple):
    """A table that may be read."""

    name: str
    columns: tuple[Column, ...]
    title: str = ""
    """Where it is from, as a person would call it; empty: its name says it."""

    def column(self, name: str) -> Column | None:
        """The column of a name in any case."""
        return next((column for column in self.columns if column.name.casefold() == name.casefold()), None)


class Rows(NamedTuple):
    """What a statement gave."""

    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    has_more: bool
    """Whether there were more rows than may be shown."""


class Source(Protocol):
    """Something that can be asked in SQL and never changes by it."""

    @property
    def name(self) -> str:
        """How it is declared."""

    @property
    def dialect(self) -> Dialect:
        """What it speaks."""

    @property
    def schema(self) -> str:
        """The schema that a table without one is in; empty: names have none."""

    def allowed(self, sql: str) -> tuple[str, ...]:
        """The names of the tables that may be read, `schema.table` or `table`; at least those that a text names."""

    def tables(self, question: str) -> Sequence[Table]:
        """The tables with their columns that a question may be about.

        Raises:
            ToolError: it cannot be read.
        """
