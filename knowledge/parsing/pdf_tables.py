"""Finds the ruled tables of a PDF page and reads their cells."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .lines import clean_line, join_lines
from .pdf_layout import Row, TableBox, rows_of, text_of_row, words_of
from .tables import Grid, tidy, without_repeats

if TYPE_CHECKING:
    from pdfplumber.page import Page

_MOST_EDGES = 6_000  # more rules than that are a drawing
_SHORTEST_RULE = 20.0  # points; underlines of words are shorter or fewer than the rules of a table
_LEAST_RULES = 3
_SHORTEST_POST = 3.0  # points; shorter upright edges are the ends of thick rules
_TOLERANCE = 2.0  # points within which two rules are one
_LEAST_FILLED = 0.2  # share of cells with text; fewer are a figure or an empty grid
_LONGEST_MEAN = 400  # characters per cell on average; longer ones are frames around running text
_LEAST_STACKED = 4  # lines, in as many cells: fewer are ordinary cells of several lines
_WRAPPED = 0.75  # share of a cell's width after which a line has run into the next by itself

Box = tuple[float, float, float, float]


class _Cell(NamedTuple):
    """A cell's extent in grid positions, ends exclusive."""

    top: int
    left: int
    bottom: int
    right: int


def find_tables(page: Page, characters: Sequence[dict[str, Any]], number: int) -> list[TableBox]:
    """The tables that rules draw, outermost only."""
    if not (page.rects or page.lines or page.curves) or len(page.edges) > _MOST_EDGES:
        return []
    found = [table for table in page.find_tables(_settings(page)) if len(table.cells) > 1]
    found = [table for table in found if not any(_within(table.bbox, other.bbox) for other in found)]
    boxes = [_read(table.cells, characters, number) for table in found]
    return [box for box in boxes if box is not None]


def _settings(page: Page) -> dict[str, Any]:
    """Tables are often open at the sides: where rows' rules end, or run on beyond the outermost column rule,
    there is a side all the same."""
    rules = [edge for edge in page.edges if edge["orientation"] == "h" and edge["width"] > _SHORTEST_RULE]
    posts = [edge for edge in page.edges if edge["orientation"] == "v" and edge["height"] > _SHORTEST_POST]
    sides: set[float] = set()
    for key in ("x0", "x1"):
        ends = Counter(round(edge[key]) for edge in rules)
        open_ends = [x for x, count in ends.items() if count >= _LEAST_RULES and _is_open(x, posts)]
        sides.update(map(float, open_ends))
    return {"explicit_vertical_lines": sorted(sides)} if posts and sides else {}


def _is_open(x: float, posts: Sequence[dict[str, Any]]) -> bool:
    return all(abs(float(post["x0"]) - x) > 2 * _TOLERANCE for post in posts)


def _within(inner: Box, outer: Box) -> bool:
    if inner is outer or inner == outer:
        return False
    return (
        inner[0] >= outer[0] - _TOLERANCE
        and inner[1] >= outer[1] - _TOLERANCE
        and inner[2] <= outer[2] + _TOLERANCE
        and inner[3] <= outer[3] + _TOLERANCE
    )


def inside(box: TableBox, character: dict[str, Any]) -> bool:
    """Whether the middle of a character lies in a table."""
    x, y = (character["x0"] + character["x1"]) / 2, (character["top"] + character["bottom"]) / 2
    return bool(box.left <= x <= box.right and box.top <= y <= box.bottom)


def _read(cells: Sequence[Box], characters: Sequence[dict[str, Any]], number: int) -> TableBox | None:
    xs = _rules([x for cell in cells for x in (cell[0], cell[2])])
    ys = _rules([y for cell in cells for y in (cell[1], cell[3])])
    box = TableBox([], 1, (), xs[0], xs[-1], ys[0], ys[-1], number, tuple(xs))
    placed = [_place(cell, xs, ys) for cell in cells]
    lines = _texts([c for c in characters if inside(box, c)], placed, xs, ys)
    texts = ["\n".join(_joined(rows, xs[cell.right] - xs[cell.left])) for rows, cell in zip(lines, placed, strict=True)]
    grid = [["" for _ in xs[1:]] for _ in ys[1:]]
    for cell, text in zip(placed, texts, strict=True):
        for row in grid[cell.top : cell.bottom]:
            row[cell.left : cell.right] = [text] * (cell.right - cell.left)
    if not _is_table(grid, texts):
        return None
    grid = _unstacked(grid, placed, lines)
    titles, top = _titles(grid)
    depth = _header_rows(placed, top, len(grid))
    return box._replace(grid=tidy(grid[top:]), titles=titles, header_rows=depth)


def _rules(positions: list[float]) -> list[float]:
    """Distinct positions of rules, those within the tolerance taken as one."""
    rules: list[float] = []
    for position in sorted(positions):
        if not rules or position - rules[-1] > _TOLERANCE:
            rules.append(position)
    return rules


def _place(cell: Box, xs: list[float], ys: list[float]) -> _Cell:
    left, top = (bisect_right(rules, at + _TOLERANCE) - 1 for rules, at in ((xs, cell[0]), (ys, cell[1])))
    right, bottom = (bisect_right(rules, at + _TOLERANCE) - 1 for rules, at in ((xs, cell[2]), (ys, cell[3])))
    return _Cell(top, left, max(bottom, top + 1), max(right, left + 1))


def _texts(characters: list[dict[str, Any]], cells: list[_Cell], xs: list[float], ys: list[float]) -> list[list[Row]]:
    owner = {
        (row, column): index
        for index, cell in enumerate(cells)
        for row in range(cell.top, cell.bottom)
        for column in range(cell.left, cell.right)
    }
    members: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for character in characters:
        column = bisect_right(xs, (character["x0"] + character["x1"]) / 2) - 1
        row = bisect_right(ys, (character["top"] + character["bottom"]) / 2) - 1
        index = owner.get((row, column))
        if index is not None:
            members[index].append(character)
    return [rows_of(words_of(members[index])) if index in members else [] for index in range(len(cells))]


def _unstacked(grid: Grid, cells: list[_Cell], lines: list[list[Row]]) -> Grid:
    """Rows apart that the rules leave together: where most cells of a row stack the same number of lines."""
    unstacked: Grid = []
    for index, row in enumerate(grid):
        own = [(cell, rows) for cell, rows in zip(cells, lines, strict=True) if cell.top == index and rows]
        counts = Counter(len(rows) for cell, rows in own if cell.bottom == index + 1)
        count, cells_with = counts.most_common(1)[0] if counts else (0, 0)
        if count < _LEAST_STACKED or cells_with < _LEAST_STACKED or cells_with < 0.8 * len(own):
            unstacked.append(row)
            continue
        split = [list(row) for _ in range(count)]
        for cell, rows in own:
            for line, target in zip(rows, split, strict=False) if len(rows) == count else ():
                target[cell.left : cell.right] = [clean_line(text_of_row(line))] * (cell.right - cell.left)
        unstacked += split
    return unstacked


def _joined(rows: list[Row], width: float) -> list[str]:
    """A cell's lines: those that fill the cell run on, after shorter ones the line break is meant."""
    paragraphs: list[list[str]] = [[]]
    for row in rows:
        paragraphs[-1].append(clean_line(text_of_row(row)))
        if _width(row) < _WRAPPED * width:
            paragraphs.append([])
    return [join_lines(lines) for lines in paragraphs if lines]


def _width(row: Row) -> float:
    return row[-1].right - row[0].left


def _is_table(grid: Grid, texts: list[str]) -> bool:
    filled = [text for text in texts if text]
    if len(filled) < 2 or len(filled) < _LEAST_FILLED * len(texts):
        return False
    if sum(map(len, filled)) > _LONGEST_MEAN * len(filled):
        return False
    tidied = tidy(grid)
    return len(tidied[0]) >= 2 and (len(tidied) >= 2 or len(tidied[0]) >= 3)


def _titles(grid: Grid) -> tuple[tuple[str, ...], int]:
    """Rows at the top that are one cell over the whole width, if a table follows below them."""
    top = 0
    while len(grid) - top > 2 and len(grid[top]) > 1 and len(set(grid[top])) == 1:
        top += 1
    titles = tuple(title for row in grid[:top] for title in without_repeats(row))
    return titles, top


def _header_rows(cells: list[_Cell], top: int, rows: int) -> int:
    """How far down the cells of the first row reach; one that lies over several columns has names below it."""
    first = [cell for cell in cells if cell.top == top]
    reach = [cell.bottom - top + (1 if cell.right - cell.left > 1 else 0) for cell in first]
    deep = any(cell.bottom - cell.top > 1 for cell in first)
    depth = max(reach, default=1) if deep or _sits_on_names(cells, first, top) else 1
    return depth if depth < rows - top and depth <= 4 else 1


def _sits_on_names(cells: list[_Cell], first: list[_Cell], top: int) -> bool:
    """Whether every column under the first row's wide cells is divided in the second row."""
    wide = [cell for cell in first if cell.right - cell.left > 1]
    second = [cell for cell in cells if cell.top == top + 1]
    return bool(wide) and all(sum(cell.left <= other.left < cell.right for other in second) > 1 for cell in wide)
