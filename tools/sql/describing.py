"""What a table of a database holds, by the types of its columns and some of its rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from ...knowledge.evidence.amounts import column_unit
from .models import Cell, Column, ColumnKind, Table

SAMPLE_ROWS = 1_000
"""Of a table that are looked at; a longer table's values are not all known."""
MOST_VALUES = 200
"""Of a column of texts that are kept."""
LONGEST_VALUE = 60
"""Characters of a kept value: longer texts are no names."""
_ISO_DAY = re.compile(r"\d{4}-\d{2}(?:-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?)?")


class TypedName(NamedTuple):
    """A column by its name and the type that its database declares."""

    name: str
    type: str


def describe(
    name: str, columns: Sequence[TypedName], rows: Sequence[Sequence[Cell]], *, is_whole: bool, title: str = ""
) -> Table:
    """A table with its columns.

    Args:
        name: as it stands on the list.
        columns: of the table, in order.
        rows: the first of its rows.
        is_whole: whether these are all.
        title: where it is from, as a person would call it.
    """
    described = (
        _column(column, [row[index] for row in rows], is_whole=is_whole) for index, column in enumerate(columns)
    )
    return Table(name, tuple(described), title)


def _column(column: TypedName, cells: Sequence[Cell], *, is_whole: bool) -> Column:
    kind = _kind([cell for cell in cells if cell is not None and cell != ""])
    unit = unit_of(column.name) if kind is ColumnKind.NUMBER else ""
    values = distinct(cells) if kind is ColumnKind.TEXT else ()
    is_complete = is_whole and len(values) <= MOST_VALUES
    return Column(
        column.name, kind, unit, "", values[:MOST_VALUES], is_complete,
        repeats=kind is ColumnKind.TEXT and repeats(cells),
    )  # fmt: skip


def _kind(cells: Sequence[Cell]) -> ColumnKind:
    if cells and all(isinstance(cell, int | float | Decimal) for cell in cells):
        return ColumnKind.NUMBER
    if cells and all(isinstance(cell, str) and _ISO_DAY.fullmatch(cell) for cell in cells):
        return ColumnKind.DATE
    return ColumnKind.TEXT


def distinct(cells: Sequence[Cell]) -> tuple[str, ...]:
    """The different texts among cells, in order, without long ones."""
    texts = (cell.strip() for cell in cells if isinstance(cell, str))
    return tuple(dict.fromkeys(text for text in texts if text and len(text) <= LONGEST_VALUE))


def repeats(cells: Sequence[Cell]) -> bool:
    """Whether some text stands in several cells."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    return len(set(texts)) < len(texts)


def unit_of(heading: str) -> str:
    """The unit that a heading states (单价（万元）, Amount ($ million)), as text behind or around a number."""
    frame = column_unit(heading)
    return "" if frame is None else f"{frame[0]}{frame[1]}".strip()


def with_meanings(table: Table, meanings: Mapping[str, str]) -> Table:
    """A table with what its name and its columns' names are declared to mean; units come from there, too."""
    known = {name.casefold(): meaning for name, meaning in meanings.items()}
    columns = (
        column if meaning is None else column._replace(label=meaning, unit=_unit_meant(column, meaning))
        for column in table.columns
        for meaning in (known.get(f"{table.name}.{column.name}".casefold()),)
    )
    return table._replace(columns=tuple(columns), title=known.get(table.name.casefold(), table.title))


def _unit_meant(column: Column, meaning: str) -> str:
    return unit_of(meaning) or column.unit if column.kind is ColumnKind.NUMBER else ""
