"""The cells of a column of a document's table as numbers, days or texts, in the unit that the column states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from ...knowledge.evidence.amounts import divide, size, spelling_of
from ...knowledge.text.normalise import fold_widths
from ...knowledge.text.values import Value, ValueKind
from .describing import unit_of
from .models import Cell, ColumnKind

_MOSTLY = 0.6
"""Share of the filled cells that have to be amounts of one kind for a column to be one of numbers."""
# A number of a thing, which is never reckoned with: 0012, 310115198001011234.
_NUMBER_OF_A_THING = re.compile(r"0\d+|\d{16,}")
_DAY = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_DAY_AND_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?")


class TypedCells(NamedTuple):
    """A column's cells in one form."""

    kind: ColumnKind
    cells: tuple[Cell, ...]
    """None where a cell is empty or does not give one exact value."""
    unit: str
    unread: int
    """Filled cells that gave none."""


def typed(heading: str, texts: Sequence[str], amounts: Sequence[Value | None]) -> TypedCells:
    """What a column holds.

    Args:
        heading: of the column.
        texts: its cells as written.
        amounts: the one value that each states, if any, with the unit that its column, row or table states.
    """
    filled = [text for text in texts if text.strip()]
    found = [value for value in amounts if value is not None]
    as_texts = TypedCells(ColumnKind.TEXT, tuple(text.strip() or None for text in texts), "", 0)
    if filled and all(_DAY_AND_TIME.fullmatch(text.strip()) for text in filled):
        return as_texts._replace(kind=ColumnKind.DATE)
    if not filled or len(found) < _MOSTLY * len(filled):
        return as_texts
    if any(_NUMBER_OF_A_THING.fullmatch(fold_widths(text).strip()) for text in filled):
        return as_texts
    unread = len(filled) - len(found)
    if all(value.kind is ValueKind.DATE and _DAY.fullmatch(value.canonical) for value in found):
        days = tuple(None if value is None else value.canonical for value in amounts)
        return TypedCells(ColumnKind.DATE, days, "", unread)
    numbers = _in_one_unit(amounts)
    if numbers is None:
        return as_texts
    unit, cells = numbers
    return TypedCells(ColumnKind.NUMBER, cells, unit_of(heading) or unit, unread)


def _in_one_unit(amounts: Sequence[Value | None]) -> tuple[str, tuple[Cell, ...]] | None:
    """The numbers of a column in the unit of its first cell; None where they do not measure the same."""
    found = [value for value in amounts if value is not None]
    spellings = [spelling_of(value) for value in found]
    first = spellings[0]
    if first is None or any(spelling is None for spelling in spellings) or len({(v.kind, v.unit) for v in found}) > 1:
        return None
    cells: list[Cell] = []
    for value in amounts:
        whole = None if value is None else size(value)
        number = None if whole is None else divide(whole, first.factor)
        if value is not None and number is None:
            return None
        cells.append(None if number is None else _number(number))
    return f"{first.before}{first.after}".strip(), tuple(cells)


def _number(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() and abs(number) < 2**53 else float(number)
