"""The tables of a web page, told from tables that only arrange it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bs4 import Tag

from ..elements import Doubt
from .html_text import integer, is_dropped, text_of
from .table_forms import form_pairs
from .table_heads import Headed, find_head, two_row_header
from .tables import Grid, Span, place, tidy, to_markdown

_HEADINGS = ["h1", "h2", "h3"]
_LAYOUT_MEAN = 300  # characters per filled cell on average from which a table only arranges text
_MOST_LAYOUT_CELLS = 12


class WebTable(NamedTuple):
    """A table as Markdown, and whether its header was guessed."""

    markdown: str
    doubt: Doubt | None = None


def is_layout(table: Tag) -> bool:
    """Whether a table only arranges the page.

    It says so, has one row or column, holds headings, or holds long texts or further tables in few cells.
    """
    if str(table.get("role") or "") in {"presentation", "none"}:
        return True
    rows = [_own_cells(row) for row in _own_rows(table)]
    cells = [cell for row in rows for cell in row]
    if any(cell.name == "th" for cell in cells):
        return False
    if len(rows) < 2 or max(map(len, rows), default=0) < 2 or table.find(_HEADINGS) is not None:
        return True
    nested = sum(cell.find("table") is not None for cell in cells)
    if len(cells) > _MOST_LAYOUT_CELLS:
        return False
    lengths = [length for cell in cells if (length := len(cell.get_text().strip()))]
    return sum(lengths) > _LAYOUT_MEAN * max(len(lengths), 1) or nested * 2 >= len(cells)


def read_table(table: Tag) -> WebTable:
    """A table, spans repeated, several header rows flattened; the texts of tables inside are part of their cells."""
    rows = list(_own_rows(table))
    spans = [[_span(cell, len(rows)) for cell in _own_cells(row)] for row in rows]
    grid = place(spans)
    depth = _stated_rows(rows)
    if depth:
        return WebTable(to_markdown(grid, depth))
    pairs = form_pairs([_texts(row) for row in spans])
    if pairs is not None:
        return WebTable(to_markdown(pairs), Doubt.HEADER)
    headed = _headed(tidy(grid))
    return WebTable(to_markdown(headed.grid, headed.rows), headed.doubt)


def _headed(grid: Grid) -> Headed:
    return Headed(grid, 2) if two_row_header(grid) else find_head(grid)


def _texts(row: list[Span]) -> list[str]:
    return [span.text for span in row]


def table_markdown(table: Tag) -> str:
    """A table as Markdown."""
    return read_table(table).markdown


def nested_tables(table: Tag) -> Iterator[WebTable]:
    """The tables inside a table's cells that have rows and columns themselves."""
    for inner in table.find_all("table"):
        found = read_table(inner)
        if found.markdown.count("\n") > 1 and " | " in found.markdown.split("\n", 1)[0]:
            yield found


def _own_rows(table: Tag) -> Iterator[Tag]:
    for row in table.find_all("tr"):
        if row.find_parent("table") is table and not is_dropped(row):
            yield row


def _own_cells(row: Tag) -> list[Tag]:
    return [cell for cell in row.find_all(["td", "th"], recursive=False) if not is_dropped(cell)]


def _stated_rows(rows: list[Tag]) -> int:
    """Rows at the top that the page itself calls the header."""
    depth = 0
    for row in rows:
        in_head = row.parent is not None and row.parent.name == "thead"
        if not in_head and (row.find("td", recursive=False) is not None or not _own_cells(row)):
            break
        depth += 1
    return depth if depth < len(rows) else min(depth, 1)


def _span(cell: Tag, most_rows: int) -> Span:
    rows = integer(cell.get("rowspan"), 1)
    return Span(text_of(cell), most_rows if rows == 0 else rows, integer(cell.get("colspan"), 1))
