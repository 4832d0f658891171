"""Cuts a sheet into the tables and notes that stand on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..elements import Doubt
from .table_heads import find_head, is_figure, lone_groups, spread_groups
from .tables import Grid, without_repeats

_DASHES = frozenset("-–—")
_MOST_HEADER_ROWS = 5
_MOST_TITLE_ROWS = 8
_NOTE = re.compile(
    r"[（(]?\s*(?:注|备注|说明|附注|填表|制表|审核|资料来源|数据来源|notes?\b|sources?\b|remarks?\b|\*|※|[(（]?[a-z\d][)）])",
    re.IGNORECASE,
)
_LONG_NOTE = 40  # characters of a lone cell below a table from which it is a note, not a row
_BESIDE = 0.8  # share of rows that two areas must have in common to be one table with an empty column inside


class Sheet(NamedTuple):
    """A sheet's texts, merged cells filled, and where merged areas lie: first row, first column, last row, last
    column, all from 0."""

    rows: Grid
    merged: Sequence[tuple[int, int, int, int]]


class Region(NamedTuple):
    """A rectangle of cells: titles that stood above it, its rows, how many of them are its header, whether that
    was guessed, and notes that stood below it."""

    titles: tuple[str, ...]
    rows: Grid
    header_rows: int
    doubt: Doubt | None = None
    notes: tuple[str, ...] = ()


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
    return any(_is_number(cell) for cell in row)


def _is_number(cell: str) -> bool:
    return cell in _DASHES or is_figure(cell)


def _areas(band: Grid, sheet: Sheet, top: int) -> list[tuple[int, int]]:
    """Stretches of filled columns, those put together that are one table in spite of an empty column."""
    used = [any(column) for column in zip(*band, strict=True)]
    for first_row, first, last_row, last in sheet.merged:
        if first_row <= top <= last_row:
            used[first : last + 1] = [True] * len(used[first : last + 1])
    areas = [part for area in _runs(used) for part in _steps(band, area)]
    joined = areas[:1]
    for before, after in pairwise(areas):
        if before[1] < after[0] and _belongs(
            [row[slice(*before)] for row in band], [row[slice(*after)] for row in band]
        ):
            joined[-1] = (joined[-1][0], after[1])
        else:
            joined.append(after)
    return joined


def _steps(band: Grid, area: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Columns apart where those on the right begin below the last row of those on the left, or end above it."""
    start, end = area
    reach = [_reach([row[column] for row in band]) for column in range(start, end)]
    for cut in range(2, end - start - 1):
        left, right = reach[:cut], reach[cut:]
        apart = max(last for _, last in left) < min(first for first, _ in right) or (
            max(last for _, last in right) < min(first for first, _ in left)
        )
        if apart and all(max(b for _, b in side) > min(a for a, _ in side) for side in (left, right)):
            yield start, start + cut
            yield from _steps(band, (start + cut, end))
            return
    yield area


def _reach(column: Sequence[str]) -> tuple[int, int]:
    filled = [index for index, cell in enumerate(column) if cell]
    return (filled[0], filled[-1]) if filled else (0, len(column))


def _belongs(left: Grid, right: Grid) -> bool:
    """Whether an area continues the one left of it: a lone column, or the same rows without labels of their own."""
    if len(left[0]) > 1 and len(right[0]) == 1:
        return True
    filled = [(any(one), any(other)) for one, other in zip(left, right, strict=True)]
    common = sum(one and other for one, other in filled)
    if common < _BESIDE * len(filled) - 1 or set(filter(None, left[0])) & set(filter(None, right[0])):
        return False
    labels = [row[0] for row in right[1:] if row[0]]
    figures = sum(map(_is_number, labels))
    return figures * 2 > len(labels)


def _region(rows: Grid, sheet: Sheet, top: int, left: int) -> Region:
    count = _title_rows(rows)
    titles = [" ".join(without_repeats(row)) for row in rows[:count] if any(row)]
    notes: list[str] = []
    rows, top = rows[count:], top + count
    while len(rows) > 2 and len(rows[0]) > 1 and _is_note(rows[-1]):
        notes.insert(0, " ".join(without_repeats(rows[-1])))
        rows = rows[:-1]
    depth = _header_rows(rows, sheet, top, left)
    gap = next((index for index, row in enumerate(rows[: _MOST_HEADER_ROWS + 1]) if not any(row)), 0)
    rows = [row for row in rows if any(row)]
    return _headed(tuple(titles), rows, gap or depth, tuple(notes))


def _headed(titles: tuple[str, ...], rows: Grid, depth: int, notes: tuple[str, ...]) -> Region:
    """A region with the header that merged cells or an empty row show, or else the one that its cells suggest."""
    lone = lone_groups(rows)
    if depth > 1 or lone > 1:
        spread = spread_groups(rows, max(depth, lone))
        return Region(titles, spread, max(depth, lone), Doubt.HEADER if spread != rows else None, notes)
    headed = find_head(rows)
    return Region(titles, headed.grid, headed.rows, headed.doubt, notes)


def _title_rows(rows: Grid) -> int:
    """How many rows stand above a table: single texts, and rows that fill less than half of its columns."""
    width = len(rows[0])
    if width == 1:
        return 0
    count = 0
    while count + 1 < len(rows) and (_is_title(rows[count]) or not any(rows[count])):
        count += 1
    fills = [len(set(filter(None, row))) for row in rows]
    fullest = max(fills)
    widest = next((index for index, fill in enumerate(fills) if fill * 10 >= fullest * 8), 0)
    above = [index for index in range(count, min(widest, _MOST_TITLE_ROWS)) if _is_remark(rows[index], fullest)]
    return widest if widest and above and above == list(range(count, widest)) else count


def _is_remark(row: Sequence[str], fullest: int) -> bool:
    """Whether a row holds remarks such as ``部门：研发`` that stand above a table, not names of its columns."""
    texts = {cell for cell in row if cell}
    named = sum("：" in text or ":" in text for text in texts)
    return len(texts) * 2 <= fullest and (not texts or len(texts) == 1 or named * 2 >= len(texts))


def _is_note(row: Sequence[str]) -> bool:
    texts = {cell for cell in row if cell}
    if not texts:
        return True
    text = next(iter(texts))
    return len(texts) == 1 and (_NOTE.match(text) is not None or len(text) >= _LONG_NOTE)


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
