"""Tells tables apart that share one frame: where other columns begin, or the columns are named anew."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .pdf_layout import TableBox
from .table_heads import later_heads

Box = tuple[float, float, float, float]
_TOLERANCE = 2.0  # points within which two rules are one
_LEAST_CELLS = 4  # of a table below such a row


def sections_of(cells: Sequence[Box]) -> list[list[Box]]:
    """The cells of each table in a frame; its title row is the first of it. One list where there is one table."""
    left, right = min(cell[0] for cell in cells), max(cell[2] for cell in cells)
    wide = sorted(
        (cell for cell in cells if cell[0] - left < _TOLERANCE and right - cell[2] < _TOLERANCE),
        key=lambda cell: cell[1],
    )
    sections = [list(cells)]
    for title in wide:
        above, below = _cut(sections[-1], title[1])
        if above and len(below) > _LEAST_CELLS and _columns(above) != _columns(below):
            sections[-1:] = [above, below]
    return sections


def _cut(cells: Sequence[Box], y: float) -> tuple[list[Box], list[Box]]:
    above = [cell for cell in cells if cell[3] <= y + _TOLERANCE]
    below = [cell for cell in cells if cell[1] >= y - _TOLERANCE]
    return (above, below) if len(above) + len(below) == len(cells) else ([], [])


def _columns(cells: Sequence[Box]) -> list[int]:
    """The positions at which cells begin, those within the tolerance taken as one."""
    positions: list[float] = []
    for cell in sorted(cells):
        if not positions or cell[0] - positions[-1] > _TOLERANCE:
            positions.append(cell[0])
    return [round(position / (2 * _TOLERANCE)) for position in positions]


def parted(box: TableBox) -> list[TableBox]:
    """A table cut before rows that name its columns anew."""
    cuts = [0, *later_heads(box.grid, box.header_rows), len(box.grid)]
    height = (box.bottom - box.top) / max(len(box.grid), 1)
    return [
        box._replace(
            grid=box.grid[start:end],
            header_rows=1 if start else box.header_rows,
            titles=() if start else box.titles,
            top=box.top + start * height,
            bottom=box.top + end * height,
        )
        for start, end in pairwise(cuts)
    ]
