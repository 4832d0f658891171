"""Tells tables apart that share one frame: below a row over the whole width, other columns begin."""

from __future__ import annotations

from collections.abc import Sequence

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
