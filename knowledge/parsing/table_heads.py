"""Finds where a table's header stands, which is not always its first row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ..elements import Doubt
from .tables import Grid

_FIGURE = re.compile(
    r"[-+±<>≤≥≈~(（]?\s*(?:[$¥€£￥]|US\$|HK\$|RMB|CNY)?\s*[-+]?\d[\d,.\s]*(?:e[-+]?\d+)?"
    r"\s*(?:%|‰|％|[a-zA-Zµ°Ω℃/²³]{1,6}|[万亿]?元|[万亿千百]|人|个|台|天|年|月)?\s*[)）]?",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?月?(?:[ T]\d.*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}:\d\d.*"
)
_PERIOD = re.compile(
    r"(?:fy|cy|q[1-4])?\s*'?(?:(?:19|20)\d\d)\s*(?:年度?|e|a|f)?(?:[-/.年]?\s*(?:1[0-2]|0?[1-9])\s*月?|q[1-4]|h[12])?"
    r"|(?:19|20)\d\d\s*年?\s*\d{1,2}\s*[-–~至]\s*\d{1,2}\s*月|(?:19|20)\d\d\s*年\s*(?:第?[一二三四1-4]季度|[上下]半年|末|初)"
    r"|\d{1,2}\s*月份?|(?:fy|q|h)\s*'?\d{1,4}|(?:19|20)\d\d\s*[-–/至]\s*(?:(?:19|20)\d\d|\d\d)\s*年?",
    re.IGNORECASE,
)
_NOTHING = frozenset({"", "-", "–", "—", "/", "n/a", "na", "无", "——"})
_TOTAL = re.compile(
    r"\s*(?:合\s*计|总\s*计|小\s*计|共\s*计|合计数|总数|(?:sub)?total\b|sum\b|平均|average\b)", re.IGNORECASE
)
_MOSTLY = 0.6  # share of a column's filled cells from which it is a column of figures
_SAMPLE = 200  # rows by which a column is judged
_LEAST_ROWS = 2
_LONGEST_FIGURE = 40  # characters
_LONGEST_NAME = 60  # characters; longer texts are contents, not names of columns


class Headed(NamedTuple):
    """A grid with its header on top, how many rows that is, and whether it had to be guessed."""

    grid: Grid
    rows: int = 1
    doubt: Doubt | None = None


def is_figure(cell: str) -> bool:
    """Whether a cell holds a number, an amount, a date or a time, with its unit or sign."""
    text = cell.strip()
    return len(text) <= _LONGEST_FIGURE and bool(_FIGURE.fullmatch(text) or _DATE.fullmatch(text))


def is_period(cell: str) -> bool:
    """Whether a cell names a year, a quarter or a month, as the heads of columns of figures do."""
    text = cell.strip()
    return len(text) <= _LONGEST_FIGURE and bool(_PERIOD.fullmatch(text))


def find_head(grid: Grid) -> Headed:
    """The header of a grid of which nothing is stated.

    The first row is taken for it, with doubt where it is of the same kind as the rows below; where the last row
    has the names of the columns instead, it is moved to the top.
    """
    if len(grid) < _LEAST_ROWS or len(grid[0]) < 2:
        return Headed(grid)
    below = grid[1:-1] or grid[1:]
    figures = _figure_columns(below)
    dates = [column for column in figures if _holds_dates(below, column)]
    figures = [column for column in figures if column not in dates]
    if (not figures and not dates) or _names_columns(grid[0], figures, dates):
        return Headed(grid)
    if len(grid) > _LEAST_ROWS and _is_foot(grid, _figure_columns(grid[:-1])):
        return Headed([grid[-1], *grid[:-1]], 1, Doubt.HEADER)
    return Headed(grid, 1, Doubt.HEADER)


def names_columns(grid: Grid, rows: int) -> bool:
    """Whether the last of some rows at the top has names over the columns of figures below, if there are any."""
    figures = _figure_columns(grid[rows:])
    return not figures or _names_columns(grid[rows - 1], figures)


def two_row_header(grid: Grid) -> bool:
    """Whether the first two rows are both names: the first with gaps or repetitions, the second over figures."""
    if len(grid) < 3 or not names_columns(grid, 1) or not names_columns(grid, 2):
        return False
    upper, lower = grid[0][1:], grid[1][1:]
    is_group = len(set(upper)) < len(upper) or not all(upper)
    named = all(lower) and not any(is_figure(cell) and not is_period(cell) for cell in lower)
    return is_group and named and bool(_figure_columns(grid[2:]))


def later_heads(grid: Grid, rows: int) -> list[int]:
    """The rows inside a table that name its columns anew.

    They begin as the header does, have names where the rows have figures, and other names than the header.
    """
    figures = _figure_columns(grid[rows:])
    if not figures:
        return []
    return [
        index
        for index in range(rows + 1, len(grid) - 1)
        if grid[index][0] == grid[0][0]
        and all(
            row_name and not (is_figure(row_name) and not is_period(row_name))
            for row_name in _cells(grid, index, figures)
        )
        and _cells(grid, index, figures) != _cells(grid, 0, figures)
    ]


def _cells(grid: Grid, row: int, columns: Sequence[int]) -> list[str]:
    return [grid[row][column] for column in columns]


def _figure_columns(rows: Grid) -> list[int]:
    found: list[int] = []
    sample = rows[:_SAMPLE]
    for column in range(len(rows[0]) if rows else 0):
        filled = [row[column] for row in sample if row[column].strip().lower() not in _NOTHING]
        if filled and sum(map(is_figure, filled)) >= _MOSTLY * len(filled):
            found.append(column)
    return found


def _holds_dates(rows: Grid, column: int) -> bool:
    filled = [row[column].strip() for row in rows[:_SAMPLE] if row[column].strip().lower() not in _NOTHING]
    return sum(is_period(cell) or _DATE.fullmatch(cell) is not None for cell in filled) >= _MOSTLY * len(filled)


def _names_columns(row: Sequence[str], figures: Sequence[int], dates: Sequence[int] = ()) -> bool:
    """Whether a row has names or periods over the columns of figures, most of them at least."""
    plain = [column for column in figures if is_figure(row[column]) and not _may_head(row, column)]
    plain += [column for column in dates if is_figure(row[column])]
    return len(plain) * 2 <= len(figures) + len(dates) and any(cell.strip() for cell in row)


def _may_head(row: Sequence[str], column: int) -> bool:
    """Whether a figure in a header can be one: a year or month, or a running number of columns."""
    if is_period(row[column]) or _DATE.fullmatch(row[column].strip()):
        words = [cell for cell in row if cell.strip() and not is_figure(cell)]
        return bool(words) or not row[0].strip()
    return False


def _is_foot(grid: Grid, figures: Sequence[int]) -> bool:
    """Whether the last row names the columns above it: words in all of its cells, none of them a sum."""
    last = [cell.strip() for cell in grid[-1]]
    above = {cell.strip() for row in grid[:_SAMPLE][:-1] for cell in row}
    if not figures or any(not cell or len(cell) > _LONGEST_NAME or is_figure(cell) for cell in last):
        return False
    if len(set(last)) < len(last) or _TOTAL.match(last[0]):
        return False
    return not above & set(last)


def spread_groups(grid: Grid, rows: int) -> Grid:
    """Fill the gaps of upper header rows whose names stand over several columns without being merged.

    A name belongs to the columns that follow it, or, where the last column has one and the first column of
    figures has none, to the columns before it.
    """
    if rows < 2:
        return grid
    lower = grid[rows - 1]
    return [*(_spread(row, lower) for row in grid[: rows - 1]), *grid[rows - 1 :]]


def _spread(row: Sequence[str], lower: Sequence[str]) -> list[str]:
    names = [index for index, cell in enumerate(row) if cell and index]
    open_columns = [index for index, cell in enumerate(row) if index and lower[index]]
    if not names or not open_columns or len(names) >= len(open_columns):
        return list(row)
    backwards = names[-1] == open_columns[-1] and names[0] != open_columns[0]
    spread = list(row)
    order = reversed(range(1, len(row))) if backwards else range(1, len(row))
    current = ""
    for index in order:
        current = row[index] or current
        spread[index] = row[index] or (current if lower[index] else "")
    return spread


def lone_groups(grid: Grid, most: int = 3) -> int:
    """How many rows a header has that nothing merges: rows with gaps, of names over the names of the next row.

    At least 1. The rows must stand over rows with figures, and every row but the last must leave columns open
    that the next one names.
    """
    for depth in range(2, min(most, len(grid) - 1) + 1):
        head, below = grid[:depth], grid[depth:]
        figures = _figure_columns(below)
        if len(figures) < 2 or any(not _names_columns(row, figures) for row in head):
            continue
        if all(_is_group_row(upper, lower, figures) for upper, lower in pairwise(head)):
            return depth
    return 1


def _is_group_row(upper: Sequence[str], lower: Sequence[str], figures: Sequence[int]) -> bool:
    named = [column for column in figures if upper[column]]
    opened = [column for column in figures if not upper[column] and lower[column]]
    full = all(lower[column] for column in figures)
    return (
        bool(named)
        and bool(opened)
        and full
        and not any(is_figure(lower[c]) and not is_period(lower[c]) for c in figures)
    )
