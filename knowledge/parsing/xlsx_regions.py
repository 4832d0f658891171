"""Cuts a sheet into the tables and notes that stand on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .tables import Grid, without_repeats

_NUMBER = re.compile(r"[-+(]?[\d,.]*\d[\d,.]*%?\)?|[-–—]|\d{4}-\d\d-\d\d.*")
_MOST_HEADER_ROWS = 5
_BESIDE = 0.8  # share of rows that two areas must have in common to be one table with an empty column inside


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
    for top, bottom in _bands(sheet.rows):
        band = sheet.rows[top:bottom]
        for left, right in _areas(band, sheet, top):
            part = [row[left:right] for row in band]
            for first, last in _bands(part):
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


def _bands(rows: Grid) -> list[tuple[int, int]]:
    """Stretches of filled rows; an empty row between a header and its figures does not end one."""
    bands: list[tuple[int, int]] = []
    for run in _runs([any(row) for row in rows]):
        above = bands[-1] if bands else None
        if above is not None and run[0] - above[1] == 1 and _heads(rows[slice(*above)], rows[slice(*run)]):
            bands[-1] = (above[0], run[1])
        else:
            bands.append(run)
    return bands


def _heads(above: Grid, below: Grid) -> bool:
    """Whether rows of words only, the last with several cells, stand over rows that begin with figures."""
    words_only = len(above) <= _MOST_HEADER_ROWS and not any(map(_has_figures, above))
    return words_only and len(set(filter(None, above[-1]))) > 1 and _has_figures(below[0])


def _has_figures(row: Sequence[str]) -> bool:
    return any(_NUMBER.fullmatch(cell) for cell in row)


def _areas(band: Grid, sheet: Sheet, top: int) -> list[tuple[int, int]]:
    """Stretches of filled columns, those put together that are one table in spite of an empty column."""
    used = [any(column) for column in zip(*band, strict=True)]
    for first_row, first, last_row, last in sheet.merged:
        if first_row <= top <= last_row:
            used[first : last + 1] = [True] * len(used[first : last + 1])
    areas = _runs(used)
    joined = areas[:1]
    for before, after in pairwise(areas):
        if _belongs([row[slice(*before)] for row in band], [row[slice(*after)] for row in band]):
            joined[-1] = (joined[-1][0], after[1])
        else:
            joined.append(after)
    return joined


def _belongs(left: Grid, right: Grid) -> bool:
    """Whether an area continues the one left of it: a lone column, or the same rows without labels of their own."""
    if len(left[0]) > 1 and len(right[0]) == 1:
        return True
    filled = [(any(one), any(other)) for one, other in zip(left, right, strict=True)]
    common = sum(one and other for one, other in filled)
    if common < _BESIDE * len(filled) - 1 or set(filter(None, left[0])) & set(filter(None, right[0])):
        return False
    labels = [row[0] for row in right[1:] if row[0]]
    figures = sum(_NUMBER.fullmatch(label) is not None for label in labels)
    return figures * 2 > len(labels)


def _region(rows: Grid, sheet: Sheet, top: int, left: int) -> Region:
    titles: list[str] = []
    width = len(rows[0])
    while len(rows) > 1 and width > 1 and _is_title(rows[0]):
        titles += without_repeats(rows[0])
        rows, top = rows[1:], top + 1
    depth = _header_rows(rows, sheet, top, left)
    gap = next((index for index, row in enumerate(rows[: _MOST_HEADER_ROWS + 1]) if not any(row)), 0)
    return Region(tuple(titles), [row for row in rows if any(row)], gap or depth)


def _is_title(row: Sequence[str]) -> bool:
    """A row with one text only, alone or merged over several columns, stands above a table, not in it."""
    return len({cell for cell in row if cell}) == 1 and (sum(map(bool, row)) == 1 or all(row))


def _header_rows(rows: Grid, sheet: Sheet, top: int, left: int) -> int:
    """How far down the merged cells of the first row reach; a cell merged sideways needs a row of names below."""
    depth = 1
    for first_row, first, last_row, last in sheet.merged:
        if first_row == top and left <= first < left + len(rows[0]):
            depth = max(depth, last_row - first_row + (2 if last > first else 1))
    return depth if depth < len(rows) and depth <= _MOST_HEADER_ROWS else 1
