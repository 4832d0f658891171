"""Finds tables that are set by alignment alone, or with rules between rows only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .lines import clean_line, east_asian_share
from .pdf_layout import Piece, Row, TableBox, rows_of, text_of_row
from .tables import Grid, tidy

_CELL_GAP = 1.2  # in character heights; blanks inside a cell are narrower
_LEAST_COLUMNS = 3  # two columns alone are also how forms, indexes and running text look
_LEAST_ROWS = 3
_MEAN_CELL = 20  # letters per cell on average, half as many Chinese characters; running text has more
_LEAST_FILLED = 0.55
_ROW_DISTANCE = 3.0  # in character heights; farther apart, rows belong to different things


class _Entry(NamedTuple):
    """A cell's words within a row."""

    words: Row
    left: float
    right: float


def find_aligned(pieces: Sequence[Piece], page: int) -> tuple[list[TableBox], list[Piece]]:
    """Tables by alignment, and the pieces that are outside them."""
    boxes: list[TableBox] = []
    for run in _runs(rows_of([piece for piece in pieces if piece.table is None])):
        box = _read(run, page)
        if box is not None:
            boxes.append(box)
    return boxes, [piece for piece in pieces if not any(_covers(box, piece) for box in boxes)]


def _covers(box: TableBox, piece: Piece) -> bool:
    middle = (piece.top + piece.bottom) / 2
    return piece.table is None and box.top <= middle <= box.bottom and box.left <= piece.left <= box.right


def _entries(row: Row) -> list[_Entry]:
    entries: list[_Entry] = []
    for piece in row:
        if entries and piece.left - entries[-1].right < _CELL_GAP * piece.size:
            words = [*entries[-1].words, piece]
            entries[-1] = _Entry(words, entries[-1].left, max(entries[-1].right, piece.right))
        else:
            entries.append(_Entry([piece], piece.left, piece.right))
    return entries


def _runs(rows: list[Row]) -> list[list[list[_Entry]]]:
    """Stretches of rows with many cells; a row with fewer stays inside a stretch if it goes on behind it."""
    runs: list[list[list[_Entry]]] = []
    current: list[list[_Entry]] = []
    held: list[list[_Entry]] = []
    for row in rows:
        entries = _entries(row)
        near = not current or _near((held or current)[-1], entries)
        if near and len(entries) >= _LEAST_COLUMNS:
            current += [*held, entries]
            held = []
        elif near and current and not held:
            held = [entries]
        else:
            runs.append(current)
            current, held = ([entries] if len(entries) >= _LEAST_COLUMNS else []), []
    return [run for run in [*runs, current] if len(run) >= _LEAST_ROWS]


def _near(above: list[_Entry], below: list[_Entry]) -> bool:
    size = max(entry.words[0].size for entry in above)
    return below[0].words[0].top - above[0].words[0].top < _ROW_DISTANCE * size


def _columns(run: list[list[_Entry]]) -> list[tuple[float, float]]:
    """Horizontal extents of columns: cells that overlap are one column."""
    columns: list[tuple[float, float]] = []
    for left, right in sorted((entry.left, entry.right) for entries in run for entry in entries):
        if columns and left < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], right))
        else:
            columns.append((left, right))
    return columns


def _read(run: list[list[_Entry]], page: int) -> TableBox | None:
    columns = _columns(run)
    if len(columns) < _LEAST_COLUMNS:
        return None
    grid = [_cells(entries, columns) for entries in run]
    if not _is_table(grid):
        return None
    words = [word for entries in run for entry in entries for word in entry.words]
    return TableBox(
        tidy(grid), 1, (), columns[0][0], columns[-1][1],
        min(word.top for word in words), max(word.bottom for word in words), page,
    )  # fmt: skip


def _cells(entries: list[_Entry], columns: list[tuple[float, float]]) -> list[str]:
    cells = [""] * len(columns)
    for entry in entries:
        index = next(i for i, (left, right) in enumerate(columns) if left <= entry.left <= right)
        cells[index] = f"{cells[index]} {clean_line(text_of_row(entry.words))}".strip()
    return cells


def _is_table(grid: Grid) -> bool:
    cells = [cell for row in grid for cell in row]
    filled = [cell for cell in cells if cell]
    text = "".join(filled)
    mean = len(text) * (1 + east_asian_share(text)) / max(len(filled), 1)
    return len(filled) >= _LEAST_FILLED * len(cells) and mean <= _MEAN_CELL
