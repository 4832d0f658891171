"""Calculations with dates: counting on, counting between, ends of months."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import NamedTuple

from .faults import Fault, fault
from .quantities import Quantity
from .vocabulary import DAY, MONTH, WORKDAY

_WEEKDAYS = {
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}


class MovedDay(NamedTuple):
    """A day some months on."""

    day: date
    is_shortened: bool
    """Whether its month is too short for the day of the first one, so that its last day was taken."""


def weekday_name(day: date, language: str) -> str:
    """The name of a day of the week."""
    return _WEEKDAYS[language][day.weekday()]


def whole_count(duration: Quantity) -> int:
    """The number of days, working days or months of a duration.

    Raises:
        CalculationError: it is no such duration, or not a whole number of them.
    """
    if duration.dimension not in (((DAY, 1),), ((WORKDAY, 1),), ((MONTH, 1),)):
        name = duration.unit_name
        raise fault(Fault.NO_DURATION, name=name or "没有单位的数", name_en=name or "a bare number")
    if duration.amount.denominator != 1:
        raise fault(Fault.BROKEN_DURATION)
    return int(duration.amount)


def add_days(day: date, count: int) -> date:
    """The day so many days on.

    Raises:
        CalculationError: it lies outside the years 1 to 9999.
    """
    try:
        return day + timedelta(days=count)
    except OverflowError as error:
        raise fault(Fault.OUTSIDE_OF_YEARS) from error


def add_months(day: date, count: int) -> MovedDay:
    """The same day of the month so many months on; the last day of a month that is too short (31 January, February).

    Raises:
        CalculationError: it lies outside the years 1 to 9999.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    if not 1 <= year <= 9999:
        raise fault(Fault.OUTSIDE_OF_YEARS)
    last = calendar.monthrange(year, month + 1)[1]
    return MovedDay(date(year, month + 1, min(day.day, last)), is_shortened=day.day > last)


def month_end(day: date) -> date:
    """The last day of its month."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])
