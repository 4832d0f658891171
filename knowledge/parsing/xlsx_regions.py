"""Cuts a sheet into the tables and notes that stand on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .tables import Grid, without_repeats


class Sheet(NamedTuple):
    """A sheet's texts, merged cells filled, and where merged areas lie: first row, first column, last row, last
    column, all from 0."""

    rows: Grid
    merged: Sequence[tuple[int, int, int, int]]


class Region(NamedTuple):
    """A rectangle of cells: titles that stood above it, its rows, and how many of them are its header."""

    titles: tuple[str, ...]
    rows: Grid
    header_rows: int


def regions_of(sheet: Sheet) -> Iterator[Region]:
    """The areas that empty rows, then empty columns, separate, in reading order."""
    for top, bottom in _runs([any(row) for row in sheet.rows]):
        band = sheet.rows[top:bottom]
        used = [any(column) for column in zip(*band, strict=True)]
        for left, right in _runs(_bridged(used, sheet, top)):
            part = [row[left:right] for row in band]
            for first, last in _runs([any(row) for row in part]):
                yield _region(part[first:last], sheet, top + first, left)


def _runs(used: Sequence[bool]) -> list[tuple[int, int]]:
    """Maximal stretches of true values as half-open ranges."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for index, value in enumerate([*used, False]):
        if value and start is None:
            start = index
        elif not value and start is not None:
            runs.append((start, index))
            start = None
    return runs


def _bridged(used: list[bool], sheet: Sheet, top: int) -> list[bool]:
    """An empty column between two of one header row's merged cell does not separate tables."""
    for first_row, first, last_row, last in sheet.merged:
        if first_row <= top <= last_row:
            used[first : last + 1] = [True] * len(used[first : last + 1])
    return used


def _region(rows: Grid, sheet: Sheet, top: int, left: int) -> Region:
    titles: list[str] = []
    width = len(rows[0])
    while len(rows) > 1 and width > 1 and _is_title(rows[0]):
        titles += without_repeats(rows[0])
        rows, top = rows[1:], top + 1
    return Region(tuple(titles), rows, _header_rows(rows, sheet, top, left, width))


def _is_title(row: Sequence[str]) -> bool:
    """A row with one text only, alone or merged over several columns, stands above a table, not in it."""
    return len({cell for cell in row if cell}) == 1 and len(row) > 1 and (sum(map(bool, row)) == 1 or all(row))


def _header_rows(rows: Grid, sheet: Sheet, top: int, left: int, width: int) -> int:
    """How far down the merged cells of the first row reach; a cell merged sideways needs a row of names below."""
    depth = 1
    for first_row, first, last_row, last in sheet.merged:
        if first_row == top and left <= first < left + width:
            depth = max(depth, last_row - first_row + (2 if last > first else 1))
    return depth if depth < len(rows) and depth <= 5 else 1
