"""What a digest says of a table: what it is about, its columns, and its rows as far as they fit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..evidence.table_rows import TableRow, read_rows
from .clipping import clip
from .details import details_in
from .sentences import sum_up_text

_BLANKS = re.compile(r"\s+")
_LONGEST_CELL = 40
"""Of a cell without a detail, where the whole table does not fit."""
_ABOUT_SHARE = 4


def sum_up_table(text: str, limit: int) -> str:
    """A table in one line: caption, columns, rows.

    The whole table where it fits; otherwise of each row its first cell and the cells with a detail; where that is too
    much, too, the first cells alone. What is cut at the end is a list of rows, never a row's value under a wrong name.

    Args:
        text: of a block that is a table.
        limit: characters at most.
    """
    rows = read_rows(text)
    if not rows:
        return sum_up_text(text, limit)
    about = _about(text, rows, limit // _ABOUT_SHARE)
    head = "|".join(map(_plain, rows[0].names))
    for shown in (_whole, _with_details, _first):
        lines = [head, *(shown(row) for row in rows)]
        found = about + "; ".join(line for line in lines if line.strip("|"))
        if len(found) <= limit:
            return found
    return _filled(about + head, [_first(row) for row in rows], limit)


def _about(text: str, rows: Sequence[TableRow], limit: int) -> str:
    first, last = min(row.header_start for row in rows), max(row.end for row in rows)
    said = _plain(f"{text[:first]} {text[last:]}")
    return f"{sum_up_text(said, limit)}: " if said else ""


def _whole(row: TableRow) -> str:
    return "|".join(map(_plain, row.cells))


def _with_details(row: TableRow) -> str:
    cells = [cell for cell in row.cells[1:] if details_in(cell)]
    return "|".join(_short(cell) for cell in (*row.cells[:1], *cells))


def _first(row: TableRow) -> str:
    return _short(row.label)


def _short(cell: str) -> str:
    plain = _plain(cell)
    return plain if details_in(plain) else clip(plain, _LONGEST_CELL)


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _filled(start: str, labels: Sequence[str], limit: int) -> str:
    """As many of the rows' names as fit, each once."""
    found = clip(start, limit)
    for label in dict.fromkeys(filter(None, labels)):
        if len(found) + len(label) + 2 > limit:
            return found
        found = f"{found}; {label}"
    return found
