"""Puts recognised lines together again: columns, rows of tables, paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from ..elements import Doubt
from . import outline
from .lines import ends_sentence, join_lines
from .numbering import read_label
from .ocr import RecognisedLine, in_reading_order
from .tables import to_markdown

_LEAST_COLUMN_LINES = 3
_MOST_CROSSING = 0.12  # share of a page's lines that may run across its columns
_COLUMN_WIDTH = 8  # times the height of its lines, from which a column holds text rather than the cells of a table
_LEAST_TABLE_ROWS = 3
_WIDE_GAP = 1.2  # times the height of a line, between lines of different paragraphs
_NEAR_EDGE = 2.5  # times the height of a line, up to which a line ends at its column's right edge
_EDGE = 0.85  # share of a column's lines that end before its edge; notes in the margin stand farther out
_LIKE_SIZE = 1.35  # ratio of heights of lines of one paragraph

Lines = Sequence[RecognisedLine]


def parts_of(lines: Lines, page: int | None = None) -> list[outline.Part]:
    """Paragraphs and tables from the lines of one picture, marked as recognised."""
    parts = [part for column in _columns(lines) for part in _column_parts(column)]
    return [part._replace(page=page, doubt=Doubt.RECOGNISED) for part in parts]


def _columns(lines: Lines) -> list[Lines]:
    """The columns of text in reading order; lines that run across all columns divide the page into bands."""
    if not lines:
        return []
    vertical = [line for line in lines if _runs_down(line)]
    if len(vertical) * 2 > len(lines) and len(vertical) > 1:
        return [[line] for line in sorted(lines, key=lambda line: -line.right)]
    gutter = _gutter(lines)
    if gutter is None:
        return [in_reading_order(lines)]
    across = sorted((line for line in lines if line.left < gutter < line.right), key=_middle)
    columns: list[Lines] = []
    for above, below in pairwise([None, *across, None]):
        band = [line for line in lines if line not in across and _is_between(line, above, below)]
        columns += _columns([line for line in band if line.right <= gutter])
        columns += _columns([line for line in band if line.left >= gutter])
        if below is not None:
            columns.append([below])
    return columns


def _runs_down(line: RecognisedLine) -> bool:
    return len(line.text) > 1 and line.bottom - line.top > 1.5 * (line.right - line.left)


def _middle(line: RecognisedLine) -> float:
    return (line.top + line.bottom) / 2


def _is_between(line: RecognisedLine, above: RecognisedLine | None, below: RecognisedLine | None) -> bool:
    middle = _middle(line)
    return (above is None or middle >= _middle(above)) and (below is None or middle < _middle(below))


def _gutter(lines: Lines) -> float | None:
    """Where a gutter between two columns of running text lies: at most a few lines cross it, such as headings."""
    best: tuple[int, float] | None = None
    for place in sorted({line.left - 0.5 for line in lines}):
        left = [line for line in lines if line.right <= place]
        right = [line for line in lines if line.left >= place]
        crossing = len(lines) - len(left) - len(right)
        few = crossing <= max(_MOST_CROSSING * len(lines), 2)
        if few and _is_column(left) and _is_column(right) and (best is None or crossing < best[0]):
            best = (crossing, place)
    return best[1] if best else None


def _is_column(lines: Lines) -> bool:
    if len(lines) < _LEAST_COLUMN_LINES:
        return False
    return median(line.right - line.left for line in lines) > _COLUMN_WIDTH * median(map(_height, lines))


def _height(line: RecognisedLine) -> float:
    return max(line.bottom - line.top, 1.0)


def _column_parts(lines: Lines) -> list[outline.Part]:
    parts: list[outline.Part] = []
    paragraph: list[RecognisedLine] = []
    rights = sorted(line.right for line in lines)
    edge = rights[int(_EDGE * (len(rights) - 1))]
    for block in _blocks(_rows(lines)):
        if block.grid:
            parts += [*_paragraph(paragraph), outline.table(to_markdown(block.grid))]
            paragraph = []
            continue
        if paragraph and not _continues(paragraph[-1], block.line, edge):
            parts += _paragraph(paragraph)
            paragraph = []
        paragraph.append(block.line)
    return parts + _paragraph(paragraph)


def _paragraph(lines: Lines) -> list[outline.Part]:
    return [outline.line(join_lines([line.text.strip() for line in lines]))] if lines else []


def _continues(before: RecognisedLine, line: RecognisedLine, edge: float) -> bool:
    """Whether a line goes on with the paragraph: close below, of one size, the line before full, no label."""
    height = _height(before)
    is_near = line.top - before.bottom < _WIDE_GAP * height
    is_full = edge - before.right < _NEAR_EDGE * height and not (ends_sentence(before.text) and line.left > before.left)
    alike = 1 / _LIKE_SIZE < _height(line) / height < _LIKE_SIZE
    return is_near and is_full and alike and read_label(line.text) is None


def _rows(lines: Lines) -> list[Lines]:
    """Lines of one height together."""
    rows: list[list[RecognisedLine]] = []
    for line in lines:
        middle = (line.top + line.bottom) / 2
        if (
            rows
            and rows[-1][0].top < middle < rows[-1][0].bottom
            and line.left >= rows[-1][-1].right - _height(line) / 2
        ):
            rows[-1].append(line)
        else:
            rows.append([line])
    return list(rows)


class _Block(NamedTuple):
    """A row that is text, as one line, or rows that are a table."""

    line: RecognisedLine
    grid: list[list[str]]


def _blocks(rows: list[Lines]) -> Iterator[_Block]:
    index = 0
    while index < len(rows):
        end = index
        while end < len(rows) and len(rows[end]) > 1:
            end += 1
        grid = _grid(rows[index:end])
        if grid:
            yield _Block(rows[index][0], grid)
            index = end
        else:
            yield _Block(_joined(rows[index]), [])
            index += 1


def _joined(row: Lines) -> RecognisedLine:
    text = " ".join(line.text for line in row)
    return row[0]._replace(text=text, right=row[-1].right, bottom=max(line.bottom for line in row))


def _grid(rows: list[Lines]) -> list[list[str]]:
    """The cells of neighbouring rows if their columns stand below each other; else nothing."""
    if len(rows) < _LEAST_TABLE_ROWS:
        return []
    starts = _column_starts(rows)
    if len(starts) < 2:
        return []
    grid = []
    for row in rows:
        cells = [""] * len(starts)
        for line in row:
            place = max(index for index, start in enumerate(starts) if start <= (line.left + line.right) / 2)
            if cells[place]:
                return []
            cells[place] = line.text
        grid.append(cells)
    return grid


def _column_starts(rows: list[Lines]) -> list[float]:
    """Where columns begin: the left ends of the stretches that cells cover, once all rows are laid on each other."""
    spans = sorted((line.left, line.right) for row in rows for line in row)
    starts, reach = [spans[0][0]], spans[0][1]
    for left, right in spans[1:]:
        if left > reach:
            starts.append(left)
        reach = max(reach, right)
    return starts
