"""Lays the cells of a sheet out as grids that have no far-off corners."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .tables import Grid
from .xlsx_regions import Sheet
from .xlsx_sheet import Area, SheetCells

_GAP = 2  # empty rows or columns that are kept where there are more; what they part stays apart
_BAND_GAP = 3  # empty rows after which what follows is laid out anew
_MOST_AREA = 8_000_000  # positions of a grid, filled or not
_LEAST_COLUMNS = 200


class Laid(NamedTuple):
    """A stretch of rows as a grid, merged areas filled, with the rows and columns of the sheet that it shows."""

    sheet: Sheet
    rows: list[int]
    columns: list[int]
    left_out: int
    """columns on the right that did not fit"""


def laid_out(cells: SheetCells) -> Iterator[Laid]:
    """The sheet's stretches of filled rows from top to bottom."""
    merged = sorted(cells.merged)
    tops = [area.top for area in merged]
    for band in _bands(sorted(cells.rows), merged):
        inside = merged[bisect_left(tops, band[0]) : bisect_right(tops, band[-1])]
        yield _lay(cells, band, [area for area in inside if area.left in cells.rows.get(area.top, {})])


def _bands(rows: Sequence[int], merged: Sequence[Area]) -> Iterator[list[int]]:
    """Rows with fewer than three empty rows between them; rows that only a merged area covers are not empty."""
    deep = {area.top: area.bottom for area in merged if area.bottom > area.top}
    band: list[int] = []
    reach = -1
    for row in rows:
        if band and row - max(reach, band[-1]) > _BAND_GAP:
            yield band
            band, reach = [], -1
        band.append(row)
        reach = max(reach, deep.get(row, -1))
    if band:
        yield band


def _lay(cells: SheetCells, band: list[int], merged: Sequence[Area]) -> Laid:
    used = {column for row in band for column in cells.rows[row]}
    most = max(_LEAST_COLUMNS, _MOST_AREA // (len(band) * (_GAP + 1)))
    kept = sorted(used)[:most]
    rows, columns = _with_gaps(band), _with_gaps(kept)
    at_row = {row: index for index, row in enumerate(rows)}
    at_column = {column: index for index, column in enumerate(columns)}
    grid: Grid = [[""] * len(columns) for _ in rows]
    for row in band:
        line = grid[at_row[row]]
        for column, text in cells.rows[row].items():
            if column in at_column:
                line[at_column[column]] = text
    placed = [_placed(area, rows, columns) for area in merged if area.left in at_column]
    for area in placed:
        _fill(grid, area)
    return Laid(Sheet(grid, placed), rows, columns, len(used) - len(kept))


def _with_gaps(used: Sequence[int]) -> list[int]:
    """Used positions and up to two empty ones between neighbours that are farther apart."""
    positions = list(used[:1])
    for before, after in pairwise(used):
        positions += [*range(before + 1, min(after, before + 1 + _GAP)), after]
    return positions


def _placed(area: Area, rows: Sequence[int], columns: Sequence[int]) -> Area:
    return Area(
        bisect_left(rows, area.top),
        bisect_left(columns, area.left),
        bisect_right(rows, area.bottom) - 1,
        bisect_right(columns, area.right) - 1,
    )


def _fill(grid: Grid, area: Area) -> None:
    text = grid[area.top][area.left]
    for row in grid[area.top : area.bottom + 1]:
        row[area.left : area.right + 1] = [text] * (area.right + 1 - area.left)
