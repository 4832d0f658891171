"""The tables of the evidence, joined where a long one was split, with their rows and the values of their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..documents import Block
from ..text.values import Value, ValueKind
from .amounts import MEASURED, cell_amount
from .models import Evidence, Quote
from .shown_cells import UNIT_LABEL
from .table_rows import TableRow, read_rows
from .table_totals import RowKind, row_kind
from .units import quote

_INDEX = re.compile(r"序号|编号|序|项次|行号|№|#|no\.?|nr\.?|index|item no\.?|line|id", re.IGNORECASE)
_TABLE_UNIT = re.compile(r"(?:单位(?:为)?|units?)\s*[:：]\s*(?P<unit>[^\s)）|，,。;；]{1,12})", re.IGNORECASE)
_NAME_UNIT = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
# Longer tables are cut between rows (the default of the setting `splitting.table_max`), so that one to which another
# row could not have been added may go on in the next block.
_CUT_AT = 4_000
# The rows that follow may be longer than those of the part, so a part to which so many of its longest could not have
# been added counts as full.
_SPARE_ROWS = 3
MOST_ROWS = 2_000
"""A longer table is not computed over: its parts are never all in the evidence of one question."""


class Line(NamedTuple):
    """A row of a table and the source that it stands in."""

    source: Evidence
    row: TableRow

    @property
    def cells(self) -> tuple[str, ...]:
        """The texts of its cells."""
        return self.row.cells

    def quotes(self) -> tuple[Quote, Quote]:
        """The row and its header, byte for byte."""
        row = quote(self.source, self.row.start, self.row.end)
        return row, quote(self.source, self.row.header_start, self.row.header_end)

    @property
    def kind(self) -> RowKind:
        """Whether it is an item, or says something about other rows."""
        return row_kind(self.cells)

    @property
    def is_total(self) -> bool:
        """Whether the row adds others up, or is another figure about them, and so is no item."""
        return self.kind not in (RowKind.ITEM, RowKind.UNCLEAR)


class EvidenceTable(NamedTuple):
    """One table, all its blocks joined."""

    names: tuple[str, ...]
    lines: tuple[Line, ...]
    title: str
    own_context: str
    """The headings above it and the text of its block before it."""

    @property
    def context(self) -> str:
        """The document's title and what stands above the table."""
        return f"{self.title}\n{self.own_context}"

    @property
    def rows(self) -> tuple[Line, ...]:
        """The rows without totals."""
        return tuple(line for line in self.lines if not line.is_total)

    def amounts_of(self, column: int, lines: Sequence[Line]) -> tuple[Value | None, ...]:
        """The value of each line in a column, with the unit that its column, row or table states.

        A bare number is none where the rows are in different units or currencies of which one is not known.
        """
        units = self._units(lines)
        values = tuple(
            cell_amount(self.names[column], cell_of(line, column), table_unit=unit)
            for line, unit in zip(lines, units, strict=True)
        )
        is_mixed = len({unit for unit in units if unit}) > 1
        return tuple(None if is_mixed and value is not None and not value.unit else value for value in values)

    def _units(self, lines: Sequence[Line]) -> list[str]:
        whole = stated_unit(self.context)
        named = (i for i, name in enumerate(self.names) if name.strip() and UNIT_LABEL.fullmatch(name.strip()))
        column = next(named, None)
        return [cell_of(line, column) if column is not None else whole for line in lines]

    def repeats(self, column: int, lines: Sequence[Line]) -> bool:
        """Whether two rows in turn have one value and one label: a merged cell that stands for both of them."""
        label = next((index for index in range(len(self.names)) if not self.is_index(index)), 0)
        pairs = [(cell_of(line, label), cell_of(line, column)) for line in lines]
        return label != column and any(one == other and one[1] for one, other in pairwise(pairs))

    def is_measured(self, column: int) -> bool:
        """Whether any row has an amount in a column."""
        return any(value is not None and value.kind in MEASURED for value in self.amounts_of(column, self.rows))

    def is_index(self, column: int) -> bool:
        """Whether a column only numbers the rows."""
        return _INDEX.fullmatch(self.names[column].strip()) is not None


def cell_of(line: Line, column: int) -> str:
    """A cell of a line; empty where the row is too short."""
    return line.cells[column] if column < len(line.cells) else ""


def column_name(name: str) -> str:
    """A column's name without its unit: 单价（万元） is 单价."""
    return _NAME_UNIT.sub("", name).strip() or name


def stated_unit(text: str) -> str:
    """The unit that a text above a table states for its cells (单位：万元); empty where it states none."""
    found = _TABLE_UNIT.search(text)
    return found["unit"] if found else ""


def carries_on(block: Block, following: Block) -> bool:
    """Whether a block begins with the same header as the last table of the one before it, and so continues it."""
    if block.doc_id != following.doc_id or following.ordinal != block.ordinal + 1:
        return False
    rows, more = read_rows(block.text), read_rows(following.text)
    return (
        bool(rows and more)
        and _ends_at(block, rows[-1])
        and more[0].header_start == 0
        and more[0].names == rows[-1].names
    )


def read_tables(evidence: Sequence[Evidence]) -> list[EvidenceTable]:
    """Every table of the evidence, in document order; one that may lack a part, or is too long, is left out."""
    ordered = sorted(evidence, key=lambda source: (source.block.doc_id, source.block.ordinal))
    tables: list[list[Line]] = []
    for source in ordered:
        for index, lines in enumerate(_by_header(source)):
            if index == 0 and tables and carries_on(tables[-1][-1].source.block, source.block):
                tables[-1].extend(lines)
            else:
                tables.append(lines)
    present = {(source.block.doc_id, source.block.ordinal) for source in evidence}
    return [
        _table(lines)
        for lines in tables
        if len(lines) <= MOST_ROWS and not _may_begin_earlier(lines[0], present) and not _is_cut_off(lines[-1], present)
    ]


def _by_header(source: Evidence) -> Iterator[list[Line]]:
    lines: list[Line] = []
    for row in read_rows(source.block.text):
        if lines and row.header_start != lines[-1].row.header_start:
            yield lines
            lines = []
        lines.append(Line(source, row))
    if lines:
        yield lines


def _ends_at(block: Block, row: TableRow) -> bool:
    return not block.text[row.end :].strip()


def _may_begin_earlier(first: Line, present: set[tuple[str, int]]) -> bool:
    """Whether the first row may follow others in a block that is not in the evidence."""
    block = first.source.block
    is_top = first.row.header_start == 0 and block.ordinal > 0
    return is_top and (block.doc_id, block.ordinal - 1) not in present


def _is_cut_off(last: Line, present: set[tuple[str, int]]) -> bool:
    block = last.source.block
    rows = [row for row in read_rows(block.text) if row.header_start == last.row.header_start]
    longest = max(row.end - row.start for row in rows) + 1
    is_full = last.row.end - last.row.header_start + _SPARE_ROWS * longest > _CUT_AT and _ends_at(block, last.row)
    return is_full and (block.doc_id, block.ordinal + 1) not in present


def _table(lines: list[Line]) -> EvidenceTable:
    first = lines[0]
    block = first.source.block
    before = block.text[: first.row.header_start]
    title = first.source.document.search_title
    headings = (heading for heading in block.section_path if heading not in title)
    return EvidenceTable(first.row.names, tuple(lines), title, "\n".join((*headings, before)))


def same_measure(values: Sequence[Value | None]) -> list[Value] | None:
    """The values if each is there and all have one kind and unit; otherwise None."""
    found = [value for value in values if value is not None]
    if not found or len(found) < len(values):
        return None
    return (
        found
        if len({(value.kind, value.unit) for value in found}) == 1 and found[0].kind is not ValueKind.ORDINAL
        else None
    )
