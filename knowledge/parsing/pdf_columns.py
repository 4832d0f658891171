"""Tells the columns of a table from where words stand, and puts wrapped lines of cells together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from .lines import clean_line, join_lines
from .pdf_layout import Piece, Row, text_of_row
from .table_heads import is_figure, is_period
from .tables import Grid

_CELL_GAP = 1.2  # in character heights; blanks inside a cell are narrower
_FULL = 0.6  # share of the most entries of a row from which a row shows the columns
_CROSSING = 0.1  # share of rows that may run over the gap between two columns
_NARROWEST_GAP = 1.0  # points
_ON_RULE = 2.0  # points by which a word may touch a rule
_MOST_HEAD_LINES = 4
_PITCH = 1.9  # in character heights: a line farther below is not the rest of a wrapped cell


class Entry(NamedTuple):
    """Words of a row that stand together."""

    words: Row
    left: float
    right: float

    @property
    def text(self) -> str:
        """The words in one line."""
        return clean_line(text_of_row(self.words))


Column = tuple[float, float]


class Cells(NamedTuple):
    """One printed line of a table: its cells, and where it stands."""

    texts: list[str]
    top: float
    size: float


def entries_of(row: Row) -> list[Entry]:
    """A row's words in groups that wide gaps separate."""
    entries: list[Entry] = []
    for piece in row:
        if entries and piece.left - entries[-1].right < _CELL_GAP * piece.size:
            words = [*entries[-1].words, piece]
            entries[-1] = Entry(words, entries[-1].left, max(entries[-1].right, piece.right))
        else:
            entries.append(Entry([piece], piece.left, piece.right))
    return entries


def columns_of(rows: Sequence[Sequence[Entry]]) -> list[Column]:
    """Horizontal extents of columns: what hardly any full row covers lies between them."""
    most = max((len(row) for row in rows), default=0)
    full = [row for row in rows if len(row) >= _FULL * most]
    allowed = int(_CROSSING * len(full))
    events = sorted((x, step) for row in full for e in row for x, step in ((e.left, 1), (e.right, -1)))
    columns: list[Column] = []
    covered, start = 0, 0.0
    for x, step in events:
        before = covered
        covered += step
        if before <= allowed < covered:
            start = x
        elif covered <= allowed < before:
            if columns and start - columns[-1][1] < _NARROWEST_GAP:
                columns[-1] = (columns[-1][0], x)
            else:
                columns.append((start, x))
    return _with_sparse(columns, [entry for row in full for entry in row])


def _with_sparse(columns: list[Column], entries: Sequence[Entry]) -> list[Column]:
    """Also the columns that only a few rows fill, between or beside the others; a narrow gap that any words run
    over parts nothing."""
    lone = [entry for entry in entries if not any(_touches(entry, column) for column in columns)]
    added: list[Column] = []
    for entry in sorted(lone, key=lambda entry: entry.left):
        if added and entry.left < added[-1][1]:
            added[-1] = (added[-1][0], max(added[-1][1], entry.right))
        else:
            added.append((entry.left, entry.right))
    every = sorted([*columns, *added])
    merged = every[:1]
    for column in every[1:]:
        narrow = column[0] - merged[-1][1] < _CELL_GAP * entries[0].words[0].size or bool(
            {merged[-1], column} & set(added)
        )
        over = narrow and any(_spans(entry, merged[-1], column) for entry in entries)
        merged[-1:] = [(merged[-1][0], column[1])] if over else [merged[-1], column]
    return merged


def _touches(entry: Entry, column: Column) -> bool:
    return min(column[1], entry.right) > max(column[0], entry.left) - _NARROWEST_GAP


def _spans(entry: Entry, left: Column, right: Column) -> bool:
    """Whether an entry begins in one column and runs on into the next."""
    return left[0] - _NARROWEST_GAP <= entry.left < left[1] and entry.right > right[0] + _NARROWEST_GAP


def cells_of(entries: Sequence[Entry], columns: Sequence[Column]) -> Cells:
    """The cells of a line; a group of words over several columns is given word by word."""
    words = [part for entry in entries for part in _parts(entry, columns)]
    texts = [""] * len(columns)
    for part in words:
        index = _nearest(part, columns)
        texts[index] = f"{texts[index]} {part.text}".strip()
    pieces = [word for entry in entries for word in entry.words]
    return Cells(texts, min(piece.top for piece in pieces), max(piece.size for piece in pieces))


def _parts(entry: Entry, columns: Sequence[Column]) -> list[Entry]:
    """An entry whole, or cut where a gap between columns falls between two of its words."""
    if len(entry.words) == 1:
        return [entry]
    parts: list[Entry] = []
    for word in entry.words:
        single = Entry([word], word.left, word.right)
        last = parts[-1] if parts else None
        if last is not None and not _parted(last, single, columns):
            parts[-1] = Entry([*last.words, word], last.left, word.right)
        else:
            parts.append(single)
    return parts


def _parted(left: Entry, right: Entry, columns: Sequence[Column]) -> bool:
    """Whether two neighbours lie wholly in different columns."""
    one, other = _nearest(left, columns), _nearest(right, columns)
    inside = left.right <= columns[one][1] + _NARROWEST_GAP and right.left >= columns[other][0] - _NARROWEST_GAP
    return one != other and inside


def _nearest(entry: Entry, columns: Sequence[Column]) -> int:
    """The column that an entry shares most of its width with, else the one that it is nearest to."""

    def fit(index: int) -> tuple[float, float]:
        left, right = columns[index]
        common = min(right, entry.right) - max(left, entry.left)
        return (max(common, 0.0), -abs(left - entry.left) if common <= 0 else 0.0)

    return max(range(len(columns)), key=fit)


def head_lines(lines: Sequence[Sequence[Entry]]) -> int:
    """How many lines at the top hold words only, over lines with figures; 0 where no line has figures."""
    for index, line in enumerate(lines):
        figures = [entry for entry in line if is_figure(entry.text) and not is_period(entry.text)]
        if figures and len(line) > 1:
            while index and len(lines[index - 1]) == 1:  # a label of the rows that follow
                index -= 1
            return index if index <= _MOST_HEAD_LINES and _is_close(lines[: index + 1]) else 0
    return 0


def _is_close(lines: Sequence[Sequence[Entry]]) -> bool:
    """Whether the lines of a header follow each other as the lines of one cell do."""
    tops = [line[0].words[0].top for line in lines[:-1]]
    sizes = [line[0].words[0].size for line in lines[:-1]]
    return all(below - above <= _PITCH * size for above, below, size in zip(tops, tops[1:], sizes, strict=False))


def header_of(lines: Sequence[Sequence[Entry]], columns: Sequence[Column]) -> list[str]:
    """The names of columns from the lines of a header: those over several columns as ``a / b``, broken ones joined."""
    groups: list[list[str]] = [[] for _ in columns]
    names: list[list[str]] = [[] for _ in columns]
    for line in lines:
        for part in (part for entry in line for part in _parts(entry, columns)):
            covered = _covered(part, columns)
            for index in covered:
                groups[index].append(part.text)
            if not covered:
                names[_nearest(part, columns)].append(part.text)
    return [
        " / ".join(dict.fromkeys(filter(None, [*above, join_lines(own)])))
        for above, own in zip(groups, names, strict=True)
    ]


def _covered(part: Entry, columns: Sequence[Column]) -> list[int]:
    """The columns that words reach over, if they are more than one."""
    found = [
        index
        for index, (left, right) in enumerate(columns)
        if min(right, part.right) - max(left, part.left) > 0.5 * (right - left)
    ]
    return found if len(found) > 1 else []


def tidy_rows(grid: Grid) -> Grid:
    """Rows without those that hold nothing."""
    return [row for row in grid if any(row)]


def unwrapped(lines: Sequence[Cells]) -> Grid:
    """Rows of a table whose cells were broken into several lines.

    A line that leaves the first column and most others empty goes on with the row above it.
    """
    grid: Grid = []
    last: Cells | None = None
    for line in lines:
        if last is not None and grid and _goes_on(last, line):
            grid[-1] = [join_lines(list(filter(None, pair))) for pair in zip(grid[-1], line.texts, strict=True)]
        else:
            grid.append(list(line.texts))
        last = line
    return grid


def _goes_on(above: Cells, line: Cells) -> bool:
    if line.top - above.top > _PITCH * max(above.size, line.size) or line.texts[0]:
        return False
    filled = [index for index, text in enumerate(line.texts) if text]
    return len(filled) * 2 < len(line.texts) and not any(_is_plain_number(line.texts[index]) for index in filled)


def _is_plain_number(text: str) -> bool:
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def names_within(rows: Sequence[Row], xs: Sequence[float]) -> list[str]:
    """The names of the columns under a wide cell of a header, where one of its lines has one for each of them.

    Args:
        rows: the lines of the cell.
        xs: the positions of the column rules under it, its own sides included.
    """
    columns = list(pairwise(xs))
    parts = [cells_of([Entry([word], word.left, word.right) for word in row], columns).texts for row in rows]
    lowest = next((index for index, texts in enumerate(parts) if all(texts)), None)
    if lowest is None or any(_crosses(word, xs) for row in rows[lowest:] for word in row):
        return []
    group = clean_line(" ".join(text_of_row(row) for row in rows[:lowest]))
    own = [join_lines(list(filter(None, column))) for column in zip(*parts[lowest:], strict=True)]
    if len(rows) > _MOST_HEAD_LINES or any(is_figure(name) and not is_period(name) for name in own):
        return []
    return [f"{group} / {name}" if group else name for name in own]


def _crosses(word: Piece, xs: Sequence[float]) -> bool:
    return any(word.left + _ON_RULE < x < word.right - _ON_RULE for x in xs)
