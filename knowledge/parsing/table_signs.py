"""Puts signs that stand in columns of their own back to their figures: currencies before, percent signs behind."""

from __future__ import annotations

from collections.abc import Sequence

Grid = list[list[str]]

_BEFORE = frozenset({"$", "€", "£", "¥", "￥", "US$", "HK$", "RMB", "CNY", "NT$", "(", "($"})
_BEHIND = frozenset({")", "%", ")%", "％", "‰", "%)"})


def with_signs(grid: Sequence[Sequence[str]], header_rows: int) -> Grid:
    """A rectangular grid without columns that hold nothing but signs, which join the figures beside them.

    A column that is empty below a header that it shares with a neighbour goes, too.
    """
    kept = [list(row) for row in grid]
    if not kept[header_rows:]:
        return kept
    dropped: set[int] = set()
    for column in range(len(kept[0])):
        target = _target(kept, header_rows, column)
        if target is not None and target not in dropped:
            _merge(kept, header_rows, column, target)
            dropped.add(column)
    return [[cell for column, cell in enumerate(row) if column not in dropped] for row in kept]


def _target(grid: Grid, header_rows: int, column: int) -> int | None:
    """The neighbour that a column of signs belongs to."""
    right = column + 1 if column + 1 < len(grid[0]) else None
    left = column - 1 if column > 1 else None
    for neighbour, signs in ((right, _BEFORE), (left, _BEHIND)):
        if neighbour is None:
            continue
        names = [[row[index] for row in grid[:header_rows]] for index in (column, neighbour)]
        own = {row[column] for row in grid[header_rows:] if row[column] and row[column] != row[neighbour]}
        if own and own <= signs and _share_a_name(*names):
            return neighbour
        if not own and not any(row[column] for row in grid[header_rows:]) and names[0] == names[1]:
            return neighbour
    return None


def _share_a_name(own: Sequence[str], other: Sequence[str]) -> bool:
    """Whether no header tells the two columns apart: a column of currencies with a name of its own is data."""
    return all(not first or not second or first == second for first, second in zip(own, other, strict=True))


def _merge(grid: Grid, header_rows: int, column: int, target: int) -> None:
    for index, row in enumerate(grid):
        if index < header_rows:
            row[target] = row[target] or row[column]
        elif row[column] != row[target]:
            row[target] = row[column] + row[target] if target > column else row[target] + row[column]
