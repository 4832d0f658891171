"""The tables of a Word document: their cells on a grid, and what kind of table they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from lxml import etree

from ..elements import Doubt
from .table_forms import form_pairs
from .table_heads import Headed, find_head, two_row_header
from .tables import Grid, Span, place, tidy, to_markdown, without_repeats
from .wordml import child, is_on, local_name, number, tag, value

_CONTINUED = "\x00"
"""Stands for a cell that a vertical merge covers, until the text above is copied down."""

_TRANSPARENT = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "AlternateContent", "Choice"})
_LAYOUT_MEAN = 300  # characters per filled cell on average from which a table only arranges text
_MOST_LAYOUT_CELLS = 12

CellText = Callable[[etree._Element], str]


class WordTable(NamedTuple):
    """A table as Markdown with the lines that stood in it above its header; or, without Markdown, cells to be read
    one after another since the table only arranges them."""

    markdown: str
    titles: tuple[str, ...] = ()
    doubt: Doubt | None = None
    arranged: tuple[etree._Element, ...] = ()


def read_table(element: etree._Element, cell_text: CellText) -> WordTable:
    """A table of a document; nested tables are part of their cell's text.

    Args:
        cell_text: gives the text of a cell, and is asked for each cell once, in reading order.
    """
    rows = [row for row in inside(element, "tr") if child(row, "trPr", "del") is None]
    cells = [cell for row in rows for cell in inside(row, "tc")]
    if _is_frame(rows) or _only_arranges(cells, len(rows)):
        return WordTable("", arranged=tuple(cells))
    grid = place([_spans(row, cell_text) for row in rows])
    _fill_down(grid, rows)
    pairs = form_pairs([without_blanks(row) for row in grid]) if not _marked_rows(rows) else None
    if pairs is not None:
        return WordTable(to_markdown(pairs), doubt=Doubt.HEADER)
    return _with_header(grid, rows)


def _with_header(grid: Grid, rows: list[etree._Element]) -> WordTable:
    top = _title_rows(grid)
    titles = tuple(title for row in grid[:top] for title in without_repeats(row))
    depth = _header_rows(rows[top:])
    body = grid[top:]
    if depth == 1 and not _marked_rows(rows[top:]):
        body = tidy(body)
        headed = Headed(body, 2) if two_row_header(body) else find_head(body)
        return WordTable(to_markdown(headed.grid, headed.rows), titles, headed.doubt)
    return WordTable(to_markdown(body, depth), titles)


def without_blanks(row: Sequence[str]) -> list[str]:
    """A row's cells, merged ones once; blank cells stay."""
    return [cell for index, cell in enumerate(row) if index == 0 or cell != row[index - 1]]


def _is_frame(rows: list[etree._Element]) -> bool:
    """Whether a table is a box around text: a single cell, or one column."""
    return all(len(list(inside(row, "tc"))) <= 1 for row in rows) and not _marked_rows(rows)


def _only_arranges(cells: Sequence[etree._Element], rows: int) -> bool:
    """Whether cells hold running text or whole tables beside each other."""
    lengths = [sum(len(text.text or "") for text in cell.iter(tag("t"))) for cell in cells]
    filled = list(filter(None, lengths))
    if not filled or len(cells) > _MOST_LAYOUT_CELLS:
        return False
    nested = sum(child(cell, "tbl") is not None for cell in cells)
    return sum(filled) > _LAYOUT_MEAN * len(filled) or (nested * 2 >= len(cells) and rows <= 2)


def _title_rows(grid: Grid) -> int:
    """Rows at the top that are one cell over the whole width, if a table follows below them."""
    top = 0
    while len(grid) - top > 2 and len(grid[top]) > 1 and len(set(grid[top])) == 1:
        top += 1
    return top


def _spans(row: etree._Element, cell_text: CellText) -> list[Span]:
    skipped = number(row, "trPr", "gridBefore") or 0
    cells = [Span("", 1, skipped)] if skipped > 0 else []
    for cell in inside(row, "tc"):
        columns = number(cell, "tcPr", "gridSpan") or 1
        cells.append(Span(_CONTINUED if _is_continued(cell) else cell_text(cell), 1, columns))
    return cells


def _fill_down(grid: Grid, rows: list[etree._Element]) -> None:
    for index, row in enumerate(grid):
        for column, text in enumerate(row):
            if text == _CONTINUED:
                above = grid[index - 1] if index else []
                row[column] = above[column] if column < len(above) else ""


def _is_continued(cell: etree._Element) -> bool:
    merge = child(cell, "tcPr", "vMerge")
    return merge is not None and merge.get(tag("val"), "continue") == "continue"


def _marked_rows(rows: list[etree._Element]) -> int:
    """Rows at the top that are marked to repeat on each page."""
    marked = 0
    for row in rows:
        if not is_on(row, "trPr", "tblHeader"):
            break
        marked += 1
    return marked


def _header_rows(rows: list[etree._Element]) -> int:
    """Rows marked to repeat on each page; else as many as the first row's merged cells reach down."""
    marked = _marked_rows(rows)
    if marked:
        return marked if marked < len(rows) else 1
    first = list(inside(rows[0], "tc")) if rows else []
    wide = any((number(cell, "tcPr", "gridSpan") or 1) > 1 for cell in first)
    deep = any(value(cell, "tcPr", "vMerge") == "restart" for cell in first)
    second = list(inside(rows[1], "tc")) if len(rows) > 2 else []
    return 2 if wide and deep and any(_is_continued(cell) for cell in second) else 1


def blocks(container: etree._Element) -> Iterator[etree._Element]:
    """The paragraphs and tables directly in a container, through the wrappers that mean nothing.

    A table of contents that Word has built is one block, its wrapper.
    """
    for element in container:
        name = local_name(element)
        if element.tag in {tag("p"), tag("tbl")} or (name == "sdt" and is_contents(element)):
            yield element
        elif name in _TRANSPARENT:
            yield from blocks(element)


def is_contents(element: etree._Element) -> bool:
    """Whether a content control is a table of contents."""
    gallery = value(element, "sdtPr", "docPartObj", "docPartGallery") or ""
    return gallery.lower() in {"table of contents", "目录", "目錄"}


def inside(container: etree._Element, name: str) -> Iterator[etree._Element]:
    """The rows of a table or cells of a row, through wrappers."""
    for element in container:
        if element.tag == tag(name):
            yield element
        elif local_name(element) in _TRANSPARENT:
            yield from inside(element, name)
