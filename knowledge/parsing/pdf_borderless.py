"""Finds tables that are set by alignment alone, or with rules between rows only."""

from __future__ import annotations

from collections.abc import Sequence

from ..elements import Doubt
from .lines import east_asian_share
from .pdf_columns import Entry, cells_of, columns_of, entries_of, head_lines, header_of, tidy_rows, unwrapped
from .pdf_layout import Piece, Row, TableBox, rows_of
from .table_heads import find_head, is_figure
from .tables import Grid, tidy

_LEAST_COLUMNS = 3  # two columns alone are also how forms, indexes and running text look
_LEAST_ROWS = 3
_LEAST_PAIR_COLUMNS = 4  # two rows are a table if they are names over figures in as many columns
_MOST_HELD = 3  # lines with few cells between full rows: the rest of wrapped cells, remarks
_MOST_HEAD_LINES = 2
_HEAD_PITCH = 1.8  # in character heights: lines of one header are not farther apart
_LARGER = 1.08  # times the size of a table's rows: from here a line is a heading
_MEAN_CELL = 20  # letters per cell on average, half as many Chinese characters; running text has more
_LEAST_FILLED = 0.4
_ROW_DISTANCE = 3.0  # in character heights; farther apart, rows belong to different things

_Line = list[Entry]


def find_aligned(pieces: Sequence[Piece], page: int) -> tuple[list[TableBox], list[Piece]]:
    """Tables by alignment, and the pieces that are outside them."""
    boxes: list[TableBox] = []
    rows = [entries_of(row) for row in rows_of([piece for piece in pieces if piece.table is None])]
    for start, run in _runs(rows):
        box = _read(run, _above(rows, start), page)
        if box is not None:
            boxes.append(box)
    return boxes, [piece for piece in pieces if not any(_covers(box, piece) for box in boxes)]


def _covers(box: TableBox, piece: Piece) -> bool:
    middle = (piece.top + piece.bottom) / 2
    return piece.table is None and box.top <= middle <= box.bottom and box.left <= piece.left <= box.right


def _above(rows: list[_Line], start: int) -> list[_Line]:
    """Lines close above a stretch that can be names over several of its columns."""
    found: list[_Line] = []
    for index in range(start - 1, max(start - 1 - _MOST_HEAD_LINES, -1), -1):
        below = found[0] if found else rows[start]
        pitch = below[0].words[0].top - rows[index][0].words[0].top
        if len(rows[index]) < 2 or len(rows[index]) >= _LEAST_COLUMNS or pitch > _HEAD_PITCH * below[0].words[0].size:
            break
        found.insert(0, rows[index])
    return found


def _runs(rows: list[_Line]) -> list[tuple[int, list[_Line]]]:
    """Stretches of rows with many cells, each with its first row's index.

    Rows with fewer cells stay inside a stretch if it goes on behind them.
    """
    runs: list[tuple[int, list[_Line]]] = []
    current: list[_Line] = []
    held: list[_Line] = []
    start = 0
    for index, row in enumerate(rows):
        near = not current or _near((held or current)[-1], row)
        if near and current and _begins_anew(current, held, row):
            runs.append((start, current))
            current, held, start = [], [], index
        if near and len(row) >= _LEAST_COLUMNS:
            start = start if current else index
            current += [*held, row]
            held = []
        elif near and current and len(held) < _MOST_HELD:
            held.append(row)
        else:
            runs.append((start, _with_rest(current, held)))
            current, held, start = ([row] if len(row) >= _LEAST_COLUMNS else []), [], index
    return [run for run in [*runs, (start, _with_rest(current, held))] if len(run[1]) >= 2]


def _begins_anew(run: list[_Line], held: list[_Line], row: _Line) -> bool:
    """Whether a row of names follows a line that is set as a heading, so that another table begins."""
    if not held or len(row) < _LEAST_COLUMNS or any(is_figure(entry.text) for entry in row):
        return False
    size = max(word.size for entry in run[-1] for word in entry.words)
    return any(len(line) == 1 and (line[0].words[0].bold or line[0].words[0].size > _LARGER * size) for line in held)


def _with_rest(run: list[_Line], held: list[_Line]) -> list[_Line]:
    """A stretch with the lines behind it that are the rest of its last row's wrapped cells."""
    if len(run) < _LEAST_ROWS:
        return run
    lefts = [entry.left for entry in run[-1][1:]]
    rest: list[_Line] = []
    for row in held:
        pitch = row[0].words[0].top - (rest or run)[-1][0].words[0].top
        if len(row) > 1 or pitch > 1.3 * row[0].words[0].size or all(abs(row[0].left - x) > 2 for x in lefts):
            break
        rest.append(row)
    return [*run, *rest]


def _near(above: _Line, below: _Line) -> bool:
    size = max(entry.words[0].size for entry in above)
    return below[0].words[0].top - above[0].words[0].top < _ROW_DISTANCE * size


def _read(run: list[_Line], above: list[_Line], page: int) -> TableBox | None:
    columns = columns_of(run)
    if len(columns) < _LEAST_COLUMNS:
        return None
    head = head_lines(run)
    grid = tidy_rows(unwrapped([cells_of(entries, columns) for entries in run[head:]]))
    header = header_of([*above, *run[:head]], columns) if head else []
    doubt = Doubt.COLUMNS
    if not header:
        headed = find_head(grid) if grid else None
        grid, doubt = (headed.grid, headed.doubt or doubt) if headed else (grid, doubt)
    else:
        grid = [header, *grid]
    if not _is_table(grid):
        return None
    words: Row = [word for entries in [*(above if head else []), *run] for entry in entries for word in entry.words]
    return TableBox(
        tidy(grid), 1, (), min(word.left for word in words), max(word.right for word in words),
        min(word.top for word in words), max(word.bottom for word in words), page, doubt=doubt,
    )  # fmt: skip


def _is_table(grid: Grid) -> bool:
    cells = [cell for row in grid for cell in row]
    filled = [cell for cell in cells if cell]
    text = "".join(filled)
    mean = len(text) * (1 + east_asian_share(text)) / max(len(filled), 1)
    if len(filled) < _LEAST_FILLED * len(cells) or mean > _MEAN_CELL:
        return False
    return len(grid) >= _LEAST_ROWS or _is_pair(grid)


def _is_pair(grid: Grid) -> bool:
    """Whether two rows are names over figures, all cells filled."""
    if len(grid) != 2 or len(grid[0]) < _LEAST_PAIR_COLUMNS or not all(map(all, grid)):
        return False
    return not any(map(is_figure, grid[0])) and sum(map(is_figure, grid[1])) * 2 >= len(grid[1])
