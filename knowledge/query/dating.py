"""Since when a document is what it is: its dates as intervals, for filters by time."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta
from pathlib import PurePosixPath
from typing import NamedTuple

from ..documents import Document
from ..text.normalise import fold_widths
from ..text.values import ValueKind, find_values
from .kinds import kind_in_title


class Interval(NamedTuple):
    """From a first to a last day, both included."""

    first: date
    last: date

    def meets(self, first: date | None, last: date | None) -> bool:
        """Whether it shares a day with a period that may be open on either side."""
        return (last is None or self.first <= last) and (first is None or first <= self.last)


_YEAR = re.compile(r"(?<![\dA-Za-z-])(?:19|20)\d\d(?![\d-])")
_HALF_YEAR = timedelta(days=190)
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)")
_QUARTERS = {"Q1": (1, 3), "Q2": (4, 6), "Q3": (7, 9), "Q4": (10, 12), "H1": (1, 6), "H2": (7, 12)}


def interval_of(canonical: str) -> Interval | None:
    """The days of an ISO date of any precision (``2023``, ``2023-03``, ``2023-Q1``); None without a year or day."""
    year, *rest = canonical.split("-")
    if not year.isdigit() or not 1 <= int(year) <= 9999 or len(rest) > 2:
        return None
    if not rest:
        return _months(int(year), 1, 12)
    if rest[0] in _QUARTERS:
        return _months(int(year), *_QUARTERS[rest[0]])
    month = int(rest[0])
    if len(rest) == 1:
        return _months(int(year), month, month)
    day = int(rest[1])
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(int(year), month)[1]:
        return None
    only = date(int(year), month, day)
    return Interval(only, only)


def _months(year: int, first: int, last: int) -> Interval | None:
    if not 1 <= first <= last <= 12:
        return None
    return Interval(date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1]))


def intervals_of(document: Document) -> tuple[Interval, ...]:
    """The dates of a document: in force from and published, or else the last one in its title or file name.

    Both known dates count, since a text may be published in one year and in force from the next; empty if none is
    known.
    """
    known = {day for day in (document.effective_from, document.published_at) if day is not None}
    if known:
        return tuple(Interval(day, day) for day in sorted(known))
    return next((found for name in (PurePosixPath(document.name).stem, document.title) if (found := _said(name))), ())


def _said(name: str) -> tuple[Interval, ...]:
    said = date_in_name(name)
    if said is None:
        return ()
    # The year of an annual report is the one before it appears, that of a plan the one behind.
    kind = kind_in_title(name) if said.last - said.first > _HALF_YEAR else None
    later, earlier = int(kind == "report"), int(kind == "plan")
    return (Interval(_shifted(said.first, -earlier), _shifted(said.last, later)),)


def _shifted(day: date, years: int) -> date:
    return day.replace(year=min(max(day.year + years, date.min.year), date.max.year))


def date_in_name(name: str) -> Interval | None:
    """The last date in a title or file name (采购合同_2024-05, Minutes 20250926, 员工手册2023版), or None."""
    text = fold_widths(name).replace("_", " ")
    compact = [interval_of("-".join(match.groups())) for match in _COMPACT.finditer(text)]
    found = [interval_of(value.canonical) for value in find_values(text) if value.kind is ValueKind.DATE]
    years = [interval_of(year) for year in _YEAR.findall(text)]
    return next((interval for group in (compact, found, years) for interval in reversed(group) if interval), None)
