"""Limits on what comes out of a source, and its values in one form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from .models import Cell, Rows

LONGEST_CELL = 500
"""Characters of a cell that are kept."""
MOST_COLUMNS = 40
"""Of a result; what is further right is left out."""
_LARGEST_INTEGER = 2**63


def plain(value: Any) -> Cell:
    """A value of a driver as one of four kinds, long texts cut."""
    if value is None or isinstance(value, float | Decimal):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return value if abs(value) < _LARGEST_INTEGER else Decimal(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return f"({len(value):,} bytes)"
    text = value if isinstance(value, str) else str(value)
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


def bounded(names: Sequence[str], rows: Iterable[Sequence[Any]], most: int, columns: int = MOST_COLUMNS) -> Rows:
    """At most so many rows and columns, each cell in one form."""
    kept: list[tuple[Cell, ...]] = []
    for row in rows:
        if len(kept) == most:
            return Rows(tuple(names[:columns]), tuple(kept), has_more=True)
        kept.append(tuple(plain(value) for value in row[:columns]))
    return Rows(tuple(names[:columns]), tuple(kept), has_more=False)
