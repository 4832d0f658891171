"""Puts recognised lines together again: columns, rows of tables, paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from ..elements import Doubt
from . import outline
from .lines import ends_sentence, join_lines
from .numbering import read_label
from .ocr import RecognisedLine, in_reading_order
from .tables import to_markdown

_LEAST_COLUMN_LINES = 3
_COLUMN_WIDTH = 8  # times the height of its lines, from which a column holds text rather than the cells of a table
_LEAST_TABLE_ROWS = 3
_WIDE_GAP = 1.2  # times the height of a line, between lines of different paragraphs
_NEAR_EDGE = 2.5  # times the height of a line, up to which a line ends at its column's right edge
_LIKE_SIZE = 1.35  # ratio of heights of lines of one paragraph

Lines = Sequence[RecognisedLine]


def parts_of(lines: Lines, page: int | None = None) -> list[outline.Part]:
    """Paragraphs and tables from the lines of one picture, marked as recognised."""
    parts = [part for column in _columns(lines) for part in _column_parts(column)]
    return [part._replace(page=page, doubt=Doubt.RECOGNISED) for part in parts]


def _columns(lines: Lines) -> list[Lines]:
    """The columns of text in reading order: a gutter from top to bottom divides, then lines across all columns."""
    if not lines:
        return []
    vertical = [line for line in lines if _runs_down(line)]
    if len(vertical) * 2 > len(lines) and len(vertical) > 1:
        return [[line] for line in sorted(lines, key=lambda line: -line.right)]
    halves = _divided(lines)
    if halves is not None:
        return [column for half in halves for column in _columns(half)]
    for above, below in _split_across(in_reading_order(lines)):
        if _divided(above) is not None or _divided(below) is not None:
            return [*_columns(above), *_columns(below)]
    return [in_reading_order(lines)]


def _runs_down(line: RecognisedLine) -> bool:
    return len(line.text) > 1 and line.bottom - line.top > 1.5 * (line.right - line.left)


def _divided(lines: Lines) -> tuple[Lines, Lines] | None:
    """The left and the right of a gutter that no line crosses, if both sides hold running text."""
    if len(lines) < 2 * _LEAST_COLUMN_LINES:
        return None
    ordered = sorted(lines, key=lambda line: line.left)
    reach = ordered[0].right
    for index, line in enumerate(ordered[1:], start=1):
        if line.left > reach and all(map(_is_column, (ordered[:index], ordered[index:]))):
            return ordered[:index], ordered[index:]
        reach = max(reach, line.right)
    return None


def _is_column(lines: Lines) -> bool:
    if len(lines) < _LEAST_COLUMN_LINES:
        return False
    return median(line.right - line.left for line in lines) > _COLUMN_WIDTH * median(map(_height, lines))


def _split_across(lines: Lines) -> Iterator[tuple[Lines, Lines]]:
    """Every division into what lies above and below a gap, from the top."""
    bottom = 0.0
    for index, line in enumerate(lines):
        if index and line.top >= bottom - 0.2 * _height(line):
            yield lines[:index], lines[index:]
        bottom = max(bottom, line.bottom)


def _height(line: RecognisedLine) -> float:
    return max(line.bottom - line.top, 1.0)


def _column_parts(lines: Lines) -> list[outline.Part]:
    parts: list[outline.Part] = []
    paragraph: list[RecognisedLine] = []
    edge = max(line.right for line in lines)
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
        if rows and rows[-1][0].top < middle < rows[-1][0].bottom and line.left >= rows[-1][-1].right:
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
