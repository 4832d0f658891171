"""Tables whose rows are about one thing each: (row key, column, value)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ...evidence.table_rows import TableRow, read_rows
from ...text.values import ValueKind, find_values
from ..models import Entity, Kind, Relation
from ..names import entity
from .text import RuleText

MOST_ROWS = 200
"""Of a block; a longer list is data for `query_sql`, and would drown what else a block says."""
MOST_RELATIONS = 600
_MOST_COLUMNS = 16
_LONGEST_CELL = 60
_LONGEST_HEADER = 30
_FEWEST_ROWS = 2
_INDEX = re.compile(r"序号|序|项次|行号|№|#|no\.?|nr\.?|index|line|id", re.IGNORECASE)
_VAGUE = re.compile(
    r"内容|说明|值|备注|描述|具体内容|详情|要求|标准|value|values|description|content|details?|notes?|remarks?|answer",
    re.IGNORECASE,
)
_STATEMENT = re.compile("[:：。;；]")
_TOTAL = re.compile(r"合计|总计|小计|平均|total|sum|subtotal|average", re.IGNORECASE)
_NOTHING = re.compile(r"[-–—/\\\s]*|n/?a|无|暂无", re.IGNORECASE)


def tables(text: RuleText) -> Iterator[Relation | None]:
    """What the key-like tables of the block say; bounded, the first rows of a long one."""
    rows = read_rows(text.text)[:MOST_ROWS]
    given = 0
    for _, group in groupby(rows, key=lambda row: row.header_start):
        for relation in _of_table(list(group)):
            if given >= MOST_RELATIONS:
                return
            given += 1
            yield relation


def _of_table(rows: Sequence[TableRow]) -> Iterator[Relation]:
    names = rows[0].names
    column = _key_column(rows)
    if column is None:
        return
    for row in rows:
        subject = _subject(row, column)
        if subject is None:
            continue
        for place, (name, cell) in enumerate(zip(names, row.cells, strict=False)):
            value = None if place == column or not _says_something(name, cell) else _value(cell)
            if value is not None and value.key != subject.key:
                yield Relation(subject, " ".join(name.split()), value, row.start, row.end)


def _key_column(rows: Sequence[TableRow]) -> int | None:
    """The column that names the rows: of ids, if there is one, else the first that numbers nothing."""
    names = rows[0].names
    if len(rows) < _FEWEST_ROWS or not 2 <= len(names) <= _MOST_COLUMNS or len(set(names)) < len(names):
        return None
    if any(_is_id(name.strip()) or _is_figure(name) or _STATEMENT.search(name) for name in names):
        return None  # a row of data stands where the header should
    likely = [place for place, name in enumerate(names) if name.strip() and not _INDEX.fullmatch(name.strip())]
    if len(likely) == 2 and _VAGUE.fullmatch(names[likely[1]].strip()):
        return None
    first = [place for place in likely[:3] if _names_rows(rows, place)]
    ids = (place for place in first if all(_is_id(_cell(row, place)) for row in rows))
    return next(ids, first[0] if first and first[0] == likely[0] else None)


def _names_rows(rows: Sequence[TableRow], place: int) -> bool:
    cells = [_cell(row, place) for row in rows]
    return (
        len(set(cells)) == len(cells)
        and all(0 < len(cell) <= _LONGEST_CELL for cell in cells)
        and not any(_is_figure(cell) for cell in cells)
    )


def _subject(row: TableRow, column: int) -> Entity | None:
    cell = _cell(row, column)
    return None if _TOTAL.search(cell) else entity(cell, Kind.IDENTIFIER if _is_id(cell) else Kind.ITEM)


def _says_something(name: str, cell: str) -> bool:
    header = name.strip()
    fits = 0 < len(header) <= _LONGEST_HEADER and 0 < len(cell) <= _LONGEST_CELL
    return fits and not (_INDEX.fullmatch(header) or _NOTHING.fullmatch(cell) or _is_figure(header))


def _value(cell: str) -> Entity | None:
    if _is_id(cell):
        return entity(cell, Kind.IDENTIFIER)
    # Values of a figure's length are no names, so that one of a single digit is let in too.
    found = entity(cell, Kind.VALUE)
    return found or (Entity(cell, Kind.VALUE, cell) if cell.isalnum() else None)


def _cell(row: TableRow, place: int) -> str:
    return row.cells[place].strip() if place < len(row.cells) else ""


def _is_id(cell: str) -> bool:
    values = find_values(cell)
    return len(values) == 1 and values[0].kind is ValueKind.IDENTIFIER and values[0].raw == cell


def _is_figure(cell: str) -> bool:
    """Whether a cell is nothing but a number, an amount or a date."""
    values = find_values(cell)
    bare = re.sub(r"[\s%()~\-–—/]", "", cell)
    kinds = {value.kind for value in values} - {ValueKind.IDENTIFIER, ValueKind.CLAUSE}
    return bool(kinds) and sum(len(value.raw) for value in values) >= len(bare) > 0
