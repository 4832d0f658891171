"""Which of two values is the larger or the later, as far as what was written decides it."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

from ..text.values import Value, ValueKind
from .amounts import size

_ISO = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?|-Q(?P<quarter>[1-4])|-H(?P<half>[12]))?")


def compare(one: Value, other: Value) -> int | None:
    """-1, 0 or 1 as the first is smaller (earlier), equal or larger; None where they cannot be compared.

    Values compare within one kind and unit. Dates of less than full precision are compared as periods: 2019-10 comes
    before 2020, but neither before nor after 2019-10-05. Days without a year are not compared.
    """
    if one.kind is not other.kind or one.unit != other.unit:
        return None
    if one.kind is ValueKind.DATE:
        return _compare_periods(one.canonical, other.canonical)
    if one.kind is ValueKind.TIME:
        return (one.canonical > other.canonical) - (one.canonical < other.canonical)
    left, right = size(one), size(other)
    return None if left is None or right is None else (left > right) - (left < right)


def _compare_periods(one: str, other: str) -> int | None:
    left, right = period(one), period(other)
    if left is None or right is None:
        return None
    if left == right:
        return 0
    if left[1] < right[0]:
        return -1
    return 1 if right[1] < left[0] else None


def period(canonical: str) -> tuple[date, date] | None:
    """The first and the last day of a date with a year (`2024-Q3`, `2024-08`, `2024-08-01`); None for any other."""
    match = _ISO.fullmatch(canonical)
    if match is None:
        return None
    year = int(match["year"])
    first, last = _months(match)
    try:
        if match["day"]:
            day = date(year, first, int(match["day"]))
            return day, day
        return date(year, first, 1), date(year, last, monthrange(year, last)[1])
    except ValueError:
        return None


def _months(match: re.Match[str]) -> tuple[int, int]:
    if match["month"]:
        return int(match["month"]), int(match["month"])
    if match["quarter"]:
        return int(match["quarter"]) * 3 - 2, int(match["quarter"]) * 3
    if match["half"]:
        return int(match["half"]) * 6 - 5, int(match["half"]) * 6
    return 1, 12
