"""What `query_sql` knows of a source: its tables, their columns, and the rows that a statement gives."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

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
    is_additive: bool = True
    """Whether its numbers may be added up: not where rows repeat a merged cell or count different units."""
    repeats: bool = False
    """Whether several rows hold one text: they belong together, as the orders of a customer do."""
    other_names: tuple[str, ...] = ()
    """What it may be called in another language, where nothing else in its table is declared to be called so."""


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
