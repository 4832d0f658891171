"""Puts the lines of a PDF table's cell together."""

from __future__ import annotations

from itertools import zip_longest

from .lines import clean_line, is_east_asian, join_lines
from .pdf_layout import Row, text_of_row

_WRAPPED = 0.75  # share of a cell's width after which a line has run into the next by itself
_PADDING = 0.8  # in character heights: blank at both sides of a cell


def lines_of_cell(rows: list[Row], width: float) -> list[str]:
    """A cell's lines: those that fill the cell, or leave no room for what follows, run on; else the break is meant."""
    paragraphs: list[list[str]] = [[]]
    for row, below in zip_longest(rows, rows[1:]):
        paragraphs[-1].append(clean_line(text_of_row(row)))
        room = width - _width(row) - _PADDING * row[0].size
        fits = below is None or _first_width(below) < room or (_has_digit(row) and _has_digit(below))
        if _width(row) < _WRAPPED * width and fits:
            paragraphs.append([])
    return [join_lines(lines) for lines in paragraphs if lines]


def _has_digit(row: Row) -> bool:
    """Whether a line holds a figure: two such lines in a narrow cell are two values."""
    return any(character.isdigit() for piece in row for character in piece.text)


def _first_width(row: Row) -> float:
    """The width of what could not be broken off a line: a word, or one Chinese character."""
    first = row[0]
    return first.size if is_east_asian(first.text[:1]) else first.right - first.left


def _width(row: Row) -> float:
    return row[-1].right - row[0].left
