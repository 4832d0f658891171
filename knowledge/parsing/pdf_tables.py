"""Finds the ruled tables of a PDF page and reads their cells."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ..elements import Doubt
from .lines import clean_line
from .pdf_cells import lines_of_cell
from .pdf_columns import cells_of, entries_of, names_within, unwrapped
from .pdf_dots import dotted_rules, is_blank, is_dot
from .pdf_layout import Row, TableBox, rows_of, text_of_row, words_of
from .pdf_open_tables import find_open
from .pdf_sections import parted, sections_of
from .pdf_turned import turned_text
from .table_heads import Headed, find_head, names_columns
from .tables import Grid, tidy, without_repeats

if TYPE_CHECKING:
    from pdfplumber.page import Page

_MOST_EDGES = 6_000  # more rules than that are a drawing
_SHORTEST_RULE = 20.0  # points; underlines of words are shorter or fewer than the rules of a table
_LEAST_RULES = 3
_SHORTEST_POST = 3.0  # points; shorter upright edges are the ends of thick rules
_TOLERANCE = 2.0  # points within which two rules are one
_LEAST_FILLED = 0.2  # share of cells with text; fewer are a figure or an empty grid
_LEAST_DOTS = 100
_MOST_HEADER_ROWS = 3  # titles above it included
_MOST_OF_LINES = 0.5  # share of a table's lines in a body without rules
_LEAST_NAMES = 3  # in a ruled header above a body without column rules
_LONGEST_MEAN = 400  # characters per cell on average; longer ones are frames around running text
_LEAST_STACKED = 4  # lines, in as many cells: fewer are ordinary cells of several lines

Box = tuple[float, float, float, float]


class _Cell(NamedTuple):
    """A cell's extent in grid positions, ends exclusive."""

    top: int
    left: int
    bottom: int
    right: int


def find_tables(page: Page, characters: Sequence[dict[str, Any]], number: int) -> list[TableBox]:
    """The tables that rules draw, outermost only, then those with rules between their rows only."""
    edges = _edges(page)
    if not edges or len(edges) > _MOST_EDGES:
        return []
    found = [table for table in page.find_tables(_settings(edges)) if len(table.cells) > 1]
    found = [table for table in found if not any(_within(table.bbox, other.bbox) for other in found)]
    turned = [character for character in page.chars if not character["upright"]]
    boxes = [box for table in found for box in _read_all(table.cells, characters, turned, number)]
    loose = [character for character in characters if not any(inside(box, character) for box in boxes)]
    free = [edge for edge in edges if not any(_touches(edge, box) for box in boxes)]
    return boxes + find_open(free, loose, number)


def _touches(edge: dict[str, Any], box: TableBox) -> bool:
    """Whether a rule belongs to a table that is already found."""
    level = box.top - _TOLERANCE <= edge["top"] <= box.bottom + _TOLERANCE
    return level and bool(edge["x0"] < box.right and edge["x1"] > box.left)


def _edges(page: Page) -> list[dict[str, Any]]:
    """The rules on a page, those made of dots and dashes as well."""
    from pdfplumber.utils.geometry import obj_to_edges  # noqa: PLC0415

    drawn = [*page.lines, *page.rects, *page.curves]
    dotted = dotted_rules(drawn) if sum(map(is_dot, drawn)) >= _LEAST_DOTS else []
    solid = [item for item in drawn if not (dotted and is_dot(item)) and not is_blank(item)]
    if len(solid) > _MOST_EDGES:
        return []
    return [edge for item in solid + dotted for edge in obj_to_edges(item)]


def _settings(edges: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Tables are often open at the sides: where rows' rules end, or run on beyond the outermost column rule,
    there is a side all the same."""
    rules = [edge for edge in edges if edge["orientation"] == "h" and edge["width"] > _SHORTEST_RULE]
    posts = [edge for edge in edges if edge["orientation"] == "v" and edge["height"] > _SHORTEST_POST]
    sides: set[float] = set()
    for key in ("x0", "x1"):
        ends = Counter(round(edge[key]) for edge in rules)
        open_ends = [x for x, count in ends.items() if count >= _LEAST_RULES and _is_open(x, posts)]
        sides.update(map(float, open_ends))
    level = [edge for edge in edges if edge["orientation"] == "h"]
    upright = [edge for edge in edges if edge["orientation"] == "v"]
    return {
        "vertical_strategy": "explicit" if len(upright) > 1 else "lines",
        "horizontal_strategy": "explicit" if len(level) > 1 else "lines",
        "explicit_vertical_lines": [*upright, *(sorted(sides) if posts and sides else [])],
        "explicit_horizontal_lines": level,
    }


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


def _read_all(
    cells: Sequence[Box], characters: Sequence[dict[str, Any]], turned: Sequence[dict[str, Any]], number: int
) -> list[TableBox]:
    """The tables in one frame: several where each has a header of its own."""
    sections = sections_of(cells)
    boxes = [_read(section, characters, turned, number) for section in sections]
    if any(box is None or box.doubt is Doubt.HEADER for box in boxes[1:]):
        boxes = [_read(cells, characters, turned, number)]
    return [part for box in boxes if box is not None for part in parted(box)]


def _read(
    cells: Sequence[Box], characters: Sequence[dict[str, Any]], turned: Sequence[dict[str, Any]], number: int
) -> TableBox | None:
    xs = _rules([x for cell in cells for x in (cell[0], cell[2])])
    ys = _rules([y for cell in cells for y in (cell[1], cell[3])])
    box = TableBox([], 1, (), xs[0], xs[-1], ys[0], ys[-1], number, tuple(xs))
    placed = [_place(cell, xs, ys) for cell in cells]
    lines = _texts([c for c in characters if inside(box, c)], placed, xs, ys)
    texts = [
        "\n".join(lines_of_cell(rows, xs[cell.right] - xs[cell.left])) for rows, cell in zip(lines, placed, strict=True)
    ]
    aside = _members([c for c in turned if inside(box, c)], placed, xs, ys)
    texts = [text or turned_text(aside.get(index, [])) for index, text in enumerate(texts)]
    grid = [["" for _ in xs[1:]] for _ in ys[1:]]
    for cell, text, rows in zip(placed, texts, lines, strict=True):
        names = names_within(rows, xs[cell.left : cell.right + 1]) if _lies_on_figures(cell, placed, texts) else []
        for row in grid[cell.top : cell.bottom]:
            row[cell.left : cell.right] = names or [text] * (cell.right - cell.left)
    unruled = _unruled(grid, placed, lines, xs)
    if unruled is not None:
        grid, box = unruled, box._replace(doubt=Doubt.COLUMNS)
    elif not _is_table(grid, texts):
        return None
    else:
        grid = _unstacked(grid, placed, lines)
    while len(grid) > 2 and "".join(grid[-1]) == str(number):  # the page's number stands inside the frame
        grid = grid[:-1]
    titles, top = _titles(grid)
    depth = _header_rows(placed, top, len(grid))
    grid = tidy(grid[top:])
    while depth > 1 and not names_columns(grid, depth):
        depth -= 1
    headed = find_head(grid) if depth == 1 else Headed(grid, depth)
    return box._replace(grid=headed.grid, titles=titles, header_rows=depth, doubt=headed.doubt or box.doubt)


def _lies_on_figures(cell: _Cell, cells: Sequence[_Cell], texts: Sequence[str]) -> bool:
    """Whether a wide cell near the top stands right over several cells with figures."""
    if cell.top > _MOST_HEADER_ROWS or cell.right - cell.left < 2:
        return False
    below = [
        text
        for other, text in zip(cells, texts, strict=True)
        if other.top == cell.bottom and cell.left <= other.left < cell.right
    ]
    return len(below) > 1 and sum(any(map(str.isdigit, text)) for text in below) * 2 > len(below)


def _unruled(grid: Grid, cells: list[_Cell], lines: list[list[Row]], xs: list[float]) -> Grid | None:
    """A grid whose body is one large cell below a ruled header, its lines laid out under the header's columns."""
    body = max(range(len(cells)), key=lambda index: len(lines[index]))
    cell, rows = cells[body], lines[body]
    names = {text for row in grid[: cell.top] for text in row if text}
    if len(rows) < _MOST_OF_LINES * sum(map(len, lines)):
        return None
    if not (cell.left == 0 and cell.right == len(xs) - 1) or len(rows) < _LEAST_STACKED or len(names) < _LEAST_NAMES:
        return None
    columns = list(pairwise(xs))
    parts = [cells_of(entries_of(row), columns) for row in rows]
    if sum(sum(map(bool, part.texts)) > 1 for part in parts) * 2 < len(parts):
        return None
    return [*grid[: cell.top], *unwrapped(parts), *grid[cell.bottom :]]


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
    members = _members(characters, cells, xs, ys)
    return [rows_of(words_of(members[index])) if index in members else [] for index in range(len(cells))]


def _members(
    characters: list[dict[str, Any]], cells: list[_Cell], xs: list[float], ys: list[float]
) -> dict[int, list[dict[str, Any]]]:
    """The characters of each cell, by its index."""
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
    return members


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


def _is_table(grid: Grid, texts: list[str]) -> bool:
    filled = [text for text in texts if text]
    if len(filled) < 2 or len(filled) < _LEAST_FILLED * len(texts):
        return False
    if sum(map(len, filled)) > _LONGEST_MEAN * len(filled):
        return False
    tidied = tidy(grid)
    if not any(len(set(filter(None, row))) > 1 for row in tidied):
        return False
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
