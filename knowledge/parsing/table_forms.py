"""Tells tables that are forms, with labels beside their values, from tables with a header."""

from __future__ import annotations

from collections.abc import Sequence

from .table_heads import is_figure
from .tables import Grid

_LEAST_ROWS = 3
_LONGEST_LABEL = 30  # characters
_LEAST_WIDTH = 4  # cells in the widest row: two labels with their values
_MOST_CELLS = 8  # in a row of a form
_MOSTLY = 0.6


def form_pairs(rows: Sequence[Sequence[str]]) -> Grid | None:
    """The labels and values of a form, each pair a row; None if the rows are no form.

    Args:
        rows: the cells of each row, merged ones once.
    """
    filled = [list(row) for row in rows if any(row)]
    widths = {len(row) for row in filled} - {1}
    if len(filled) < _LEAST_ROWS or len(widths) < 2 or max(widths) < _LEAST_WIDTH:
        return None
    if max(map(len, filled)) > _MOST_CELLS or sum(map(_is_paired, filled)) < _MOSTLY * len(filled):
        return None
    return [pair for row in filled for pair in _pairs(row)]


def _is_paired(row: Sequence[str]) -> bool:
    """Whether a row alternates labels and values, or is one text over its whole width."""
    labels = row[::2]
    if len(row) == 1:
        return True
    return len(row) % 2 == 0 and all(
        label and len(label) <= _LONGEST_LABEL and not is_figure(label) for label in labels
    )


def _pairs(row: Sequence[str]) -> Grid:
    if len(row) == 1:
        return [[row[0], ""]]
    cells = list(row) if len(row) % 2 == 0 else [*row, ""]
    return [cells[index : index + 2] for index in range(0, len(cells), 2)]
