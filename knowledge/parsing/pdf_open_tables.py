"""Finds tables with rules between rows only, such as those with three rules, and tells their columns by alignment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..elements import Doubt
from .lines import east_asian_share, join_lines
from .pdf_columns import Cells, Entry, cells_of, columns_of, entries_of, header_of, unwrapped
from .pdf_layout import Row, TableBox, rows_of, words_of
from .table_heads import Headed, find_head, two_row_header
from .tables import Grid, tidy

_SHORTEST_RULE = 60.0  # points from end to end, gaps included
_WIDEST_BREAK = 8.0  # points between two pieces of one rule
_SAME_HEIGHT = 1.5  # points by which the pieces of one rule differ, and the edges of a thick one
_SAME = 4.0  # points by which the rules of one table may begin and end apart
_LEAST_RULES = 3
_TALLEST_BAND = 560.0  # points between two rules of one table: a page
_MOST_LINES = 4  # on average between two rules, if every rule parts two rows
_LEAST_ALIGNED = 0.5  # share of lines with two cells or more
_MEAN_CELL = 60  # letters per cell on average, half as many Chinese characters
_RUNNING = 8  # lines from which two full columns are running text
_FULL_LINE = 0.75  # share of a column's width that a line of running text covers


class _Rule(NamedTuple):
    left: float
    right: float
    y: float


def find_open(edges: Sequence[dict[str, Any]], characters: Sequence[dict[str, Any]], page: int) -> list[TableBox]:
    """The tables that level rules of one length draw, as far as no other table has their characters."""
    boxes: list[TableBox] = []
    for rules in _groups(_rules(edges)):
        left, right = min(rule.left for rule in rules), max(rule.right for rule in rules)
        inside = [
            c for c in characters
            if left - _SAME <= (c["x0"] + c["x1"]) / 2 <= right + _SAME
            and rules[0].y < (c["top"] + c["bottom"]) / 2 < rules[-1].y
        ]  # fmt: skip
        box = _read(rules, rows_of(words_of(inside)), page) if inside else None
        if box is not None:
            boxes.append(box._replace(left=left, right=right, top=rules[0].y, bottom=rules[-1].y))
    return boxes


def _rules(edges: Sequence[dict[str, Any]]) -> list[_Rule]:
    """Level rules from top to bottom, pieces that continue each other put together."""
    level = sorted((float(e["top"]), float(e["x0"]), float(e["x1"])) for e in edges if e["orientation"] == "h")
    lines: list[list[_Rule]] = []
    for y, left, right in level:
        if lines and y - lines[-1][0].y <= _SAME_HEIGHT:
            lines[-1].append(_Rule(left, right, lines[-1][0].y))
        else:
            lines.append([_Rule(left, right, y)])
    rules = [rule for line in lines for rule in _joined(sorted(line))]
    return [rule for rule in rules if rule.right - rule.left >= _SHORTEST_RULE]


def _joined(line: Sequence[_Rule]) -> list[_Rule]:
    rules: list[_Rule] = []
    for rule in line:
        if rules and rule.left - rules[-1].right <= _WIDEST_BREAK:
            rules[-1] = rules[-1]._replace(right=max(rules[-1].right, rule.right))
        else:
            rules.append(rule)
    return rules


def _groups(rules: Sequence[_Rule]) -> Iterator[list[_Rule]]:
    """Rules below each other that begin and end at the same places, at least three; double rules count once."""
    left = list(rules)
    while left:
        group = [left.pop(0)]
        rest: list[_Rule] = []
        for rule in left:
            last = group[-1]
            same = abs(rule.left - last.left) <= _SAME and abs(rule.right - last.right) <= _SAME
            if same and rule.y - last.y <= _TALLEST_BAND:
                group += [rule] if rule.y - last.y > _SAME else []
            else:
                rest.append(rule)
        left = rest
        if len(group) >= _LEAST_RULES:
            yield group


def _read(rules: Sequence[_Rule], rows: Sequence[Row], page: int) -> TableBox | None:
    bands: list[list[list[Entry]]] = [[] for _ in rules[1:]]
    for row in rows:
        middle = (row[0].top + row[0].bottom) / 2
        bands[min(bisect_right([rule.y for rule in rules], middle), len(bands)) - 1].append(entries_of(row))
    bands = [band for band in bands if band]
    lines = [line for band in bands for line in band]
    columns = columns_of(lines)
    if len(bands) < 2 or len(columns) < 2 or not _is_aligned(lines) or _is_running(lines, columns):
        return None
    header = header_of(bands[0], columns)
    grid = tidy([header, *(row for band in _rows(bands[1:]) for row in _grid(band, columns))])
    if len(grid) < 2 or len(grid[0]) < 2 or not _has_short_cells(grid):
        return None
    headed = Headed(grid, 2) if two_row_header(grid) else find_head(grid)
    return TableBox(headed.grid, headed.rows, (), 0, 0, 0, 0, page, doubt=headed.doubt or Doubt.COLUMNS)


def _rows(bands: Sequence[list[list[Entry]]]) -> list[tuple[list[list[Entry]], bool]]:
    """The bands, each with whether it is one row whose cells are broken into lines."""
    lines = sum(map(len, bands))
    each = len(bands) > 1 and lines <= _MOST_LINES * len(bands)
    return [(band, each and _is_one_row(band)) for band in bands]


def _is_one_row(band: Sequence[Sequence[Entry]]) -> bool:
    """Whether a band is one row: no line below its first has as many cells as that one."""
    return all(len(line) < max(2, len(band[0])) for line in band[1:]) or len(band) == 1


def _grid(band: tuple[list[list[Entry]], bool], columns: Sequence[tuple[float, float]]) -> Grid:
    lines, is_one = band
    cells = [cells_of(line, columns) for line in lines]
    return [_stacked(cells)] if is_one else unwrapped(cells)


def _stacked(lines: Sequence[Cells]) -> list[str]:
    return [join_lines([text for text in column if text]) for column in zip(*(c.texts for c in lines), strict=True)]


def _is_aligned(lines: Sequence[Sequence[Entry]]) -> bool:
    return sum(len(line) > 1 for line in lines) >= _LEAST_ALIGNED * len(lines)


def _is_running(lines: Sequence[Sequence[Entry]], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether two columns are running text set side by side."""
    if len(columns) != 2 or len(lines) < _RUNNING:
        return False
    full = [
        sum(e.right - e.left >= _FULL_LINE * (right - left) for line in lines for e in line if left <= e.left <= right)
        for left, right in columns
    ]
    return min(full) >= _LEAST_ALIGNED * len(lines)


def _has_short_cells(grid: Grid) -> bool:
    filled = [cell for row in grid for cell in row if cell]
    text = "".join(filled)
    return len(text) * (1 + east_asian_share(text)) <= _MEAN_CELL * len(filled)
