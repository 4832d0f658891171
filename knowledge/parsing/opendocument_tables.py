"""Tables of OpenDocument: repeated rows and columns, joined cells, rows that are marked as the header."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import outline
from .lines import clean
from .opendocument_text import flat_text
from .tables import Span, place, to_markdown

if TYPE_CHECKING:
    from lxml.etree import _Element

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_ROWS = {f"{TABLE}table-row"}
_GROUPS = {f"{TABLE}table-rows", f"{TABLE}table-row-group", f"{TABLE}table-header-rows"}
_MOST_COLUMNS = 200
_MOST_REPEATED = 1_000  # of a row or cell with text; sheets end in a million empty ones


class Cells:
    """How many cells of a document may still be read."""

    def __init__(self, left: int) -> None:
        self._left = left

    @property
    def is_exhausted(self) -> bool:
        """Whether the bound was reached."""
        return self._left <= 0

    def take(self, count: int) -> bool:
        """Whether so many more are allowed."""
        self._left -= count
        return self._left > 0


def table_part(table: _Element, cells: Cells, page: int | None) -> outline.Part:
    """A table as Markdown; its text is empty if it holds none."""
    headers = sum(1 for _ in table.iterfind(f"{TABLE}table-header-rows/{TABLE}table-row"))
    spans: list[list[Span]] = []
    for row in _rows(table):
        line = list(_cells(row))
        repeated = _count(row, "number-rows-repeated") if any(cell.text for cell in line) else 1
        for _ in range(min(repeated, _MOST_REPEATED)):
            if not cells.take(len(line)):
                return outline.table(to_markdown(place(spans, _MOST_COLUMNS), max(headers, 1)), page)
            spans.append(line)
    return outline.table(to_markdown(place(spans, _MOST_COLUMNS), max(headers, 1)), page)


def _rows(parent: _Element) -> Iterator[_Element]:
    for child in parent:
        if child.tag in _ROWS:
            yield child
        elif child.tag in _GROUPS:
            yield from _rows(child)


def _cells(row: _Element) -> Iterator[Span]:
    """The cells of a row; what lies under a joined cell is laid out by `place` again."""
    trailing = 0
    count = 0
    for cell in row:
        if cell.tag != f"{TABLE}table-cell":
            continue
        repeated = min(_count(cell, "number-columns-repeated"), _MOST_COLUMNS)
        text = clean(flat_text(cell))
        rows, columns = _count(cell, "number-rows-spanned"), _count(cell, "number-columns-spanned")
        if not text and rows == columns == 1:
            trailing += repeated
            continue
        for _ in range(min(trailing, _MOST_COLUMNS)):
            yield Span("")
        count += trailing + repeated
        trailing = 0
        for _ in range(repeated):
            yield Span(text, rows, columns)
        if count > _MOST_COLUMNS:
            return


def _count(element: _Element, name: str) -> int:
    text = str(element.get(f"{TABLE}{name}") or "1")
    return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 9 else 1
