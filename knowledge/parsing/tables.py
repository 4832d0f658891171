"""Grids of cells as Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .lines import clean
from .table_signs import with_signs

_NEEDS_NO_CLEANING = re.compile(r"[A-Za-z0-9%+-]*(?:[.,:/][A-Za-z0-9%+-]+)*")

Grid = list[list[str]]
"""Rows of cell texts; a merged cell's text stands in every position that it covers."""


class Span(NamedTuple):
    """A cell on its way into a grid: its text and how many rows and columns it covers."""

    text: str
    rows: int = 1
    columns: int = 1


def place(rows: Sequence[Sequence[Span]], most_columns: int = 200) -> Grid:
    """Lay out rows of spanning cells, as HTML does, repeating a merged cell's text wherever it reaches.

    Args:
        most_columns: what lies farther right is left out, so that a false span cannot exhaust memory.
    """
    grid: Grid = []
    hanging: dict[int, tuple[int, str]] = {}
    for row in rows:
        line: list[str] = []
        waiting = list(row)
        below: dict[int, tuple[int, str]] = {}
        while (waiting or any(column >= len(line) for column in hanging)) and len(line) < most_columns:
            column = len(line)
            if column in hanging:
                left, text = hanging[column]
                line.append(text)
                if left > 1:
                    below[column] = (left - 1, text)
            elif waiting:
                _put(waiting.pop(0), line, below, most_columns)
            else:
                line.append("")
        hanging = below
        grid.append(line)
    return grid


def _put(cell: Span, line: list[str], below: dict[int, tuple[int, str]], most_columns: int) -> None:
    for _ in range(min(max(cell.columns, 1), most_columns - len(line))):
        if cell.rows > 1:
            below[len(line)] = (cell.rows - 1, cell.text)
        line.append(cell.text)


def tidy(grid: Sequence[Sequence[str]]) -> Grid:
    """A rectangular grid of cleaned texts without empty rows and columns."""
    width = max((len(row) for row in grid), default=0)
    rows = [[_cleaned(cell) for cell in row] + [""] * (width - len(row)) for row in grid]
    rows = [row for row in rows if any(row)]
    used = [column for column in range(width) if any(row[column] for row in rows)]
    return [[row[column] for column in used] for row in rows]


def _cleaned(cell: str) -> str:
    """A million cells are mostly short numbers and words, which need no cleaning."""
    return cell if _NEEDS_NO_CLEANING.fullmatch(cell) else clean(cell)


def flatten_header(grid: Grid, header_rows: int) -> Grid:
    """One header row from several: texts of a column from top to bottom as ``a / b``, repetitions once."""
    depth = min(max(header_rows, 1), len(grid))
    header: list[str] = []
    for column in zip(*grid[:depth], strict=True):
        names = [name for index, name in enumerate(column) if name and name not in column[:index]]
        header.append(" / ".join(names))
    return [header, *grid[depth:]]


def to_markdown(grid: Sequence[Sequence[str]], header_rows: int = 1) -> str:
    """A Markdown table, or an empty string if no cell holds text.

    Args:
        header_rows: how many rows at the top are the header; more than one are flattened into one.
    """
    tidied = tidy(grid)
    if not tidied:
        return ""
    depth = min(max(header_rows, 1), len(tidied))
    header, *body = flatten_header(with_signs(tidied, depth), depth)
    rule = ["---"] * len(header)
    return "\n".join(_row(cells) for cells in [header, rule, *body])


def _row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", "<br>") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def split_row(markdown_row: str) -> list[str]:
    """The cells of one row of a table that `to_markdown` wrote, still escaped."""
    return [cell.strip() for cell in markdown_row.strip()[1:-1].replace("\\|", "\0").split("|")]


def without_repeats(cells: Sequence[str]) -> list[str]:
    """A row's texts, each run of equal neighbours once: what a reader sees of a merged cell."""
    return [cell for index, cell in enumerate(cells) if cell and (index == 0 or cells[index - 1] != cell)]
