"""The functions of expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date
from fractions import Fraction
from functools import reduce

from .calendar_days import WorkCalendar
from .days import month_end, weekday_name
from .faults import Fault, fault
from .quantities import NO_UNIT, Quantity, add, require_same
from .values import Statement, Value
from .vocabulary import DAY, WORKDAY, unit_named

MOST_DECIMALS = 20

_UNIT_WORDS = {DAY: {"zh": "天", "en": "days"}, WORKDAY: {"zh": "个工作日", "en": "working days"}}
_WORKDAY_SAID = {"zh": ("不是工作日", "是工作日"), "en": ("no working day", "a working day")}
_NOTES = {
    "start": {
        "zh": "起算当日不计入，从下一日起数（民法典第二百零一条的算法）。",
        "en": "The first day itself is not counted; counting begins on the day after it.",
    },
    "between": {
        "zh": "首日不计、末日计入；首尾都计则多 1 天。",
        "en": "The first day is not counted, the last one is; with both it is 1 day more.",
    },
    "between_workdays": {
        "zh": "首日不计、末日计入。",
        "en": "The first day is not counted, the last one is.",
    },
    "month_end": {
        "zh": "该月没有对应的日期，取该月最后一天。",
        "en": "That month has no such day; its last day was taken.",
    },
    "percent": {
        "zh": "百分数按小数相加（30% 计为 0.3）；若指上浮或下调，请写作 ×(1 + 30%)。",
        "en": "The percentage was added as a number (30% as 0.3); for 30% on top write × (1 + 30%).",
    },
    "hours": {"zh": "按 1 天 = 24 小时换算。", "en": "1 day was taken as 24 hours."},
}


class Scope:
    """What functions may ask, and where they say what they have assumed."""

    def __init__(self, calendar: WorkCalendar, language: str, notes: list[str]) -> None:
        self.calendar = calendar
        self.language = language
        self.notes = notes

    def note(self, name: str) -> None:
        """Say something by its name."""
        self.notes.append(_NOTES[name][self.language])

    def note_calendar(self, first: date, last: date) -> None:
        """Say which calendar was used."""
        self.notes.append(self.calendar.used(first, last))

    def counted(self, number: Fraction, base: str) -> Quantity:
        """So many days or working days, named in the language."""
        unit = unit_named(_UNIT_WORDS[base][self.language])
        return Quantity(number, ((unit, 1),) if unit else NO_UNIT)


Function = Callable[[Scope, Sequence[Value]], Value]


def need_quantity(value: Value) -> Quantity:
    """The value, which must be a quantity.

    Raises:
        CalculationError: it is a day or words.
    """
    if isinstance(value, Quantity):
        return value
    raise fault(Fault.NO_QUANTITY, value=getattr(value, "short", value))


def _need_day(value: Value) -> date:
    if isinstance(value, date):
        return value
    raise fault(Fault.NEEDS_DAYS)


def _need(values: Sequence[Value], name: str, count: int) -> None:
    if len(values) != count:
        raise fault(Fault.ARGUMENTS, name=name, count=count, given=len(values))


def _sum(_scope: Scope, values: Sequence[Value]) -> Value:
    return reduce(add, map(need_quantity, values))


def _average(scope: Scope, values: Sequence[Value]) -> Value:
    total = need_quantity(_sum(scope, values))
    return total._replace(amount=total.amount / len(values))


def _extreme(choose: Callable[..., Value]) -> Function:
    def chosen(_scope: Scope, values: Sequence[Value]) -> Value:
        if all(isinstance(value, date) for value in values):
            return choose(values)
        quantities = [need_quantity(value) for value in values]
        for other in quantities[1:]:
            require_same(quantities[0], other, "compared")
        return choose(quantities, key=lambda one: one.amount)

    return chosen


def _round(_scope: Scope, values: Sequence[Value]) -> Value:
    """Half away from zero (四舍五入), to whole numbers or so many decimals, in the shown unit."""
    if len(values) not in (1, 2):
        raise fault(Fault.ROUND_ARGUMENTS)
    value = need_quantity(values[0])
    decimals = need_quantity(values[1]).number if len(values) > 1 else Fraction(0)
    if decimals.denominator != 1 or abs(decimals) > MOST_DECIMALS:
        raise fault(Fault.ROUND_DECIMALS, most=MOST_DECIMALS)
    scale = Fraction(10) ** int(decimals)
    scaled = value.number * scale
    whole = math.floor(abs(scaled) + Fraction(1, 2)) * (1 if scaled >= 0 else -1)
    return Quantity(Fraction(whole) / scale * value.factor, value.units)


def _absolute(_scope: Scope, values: Sequence[Value]) -> Value:
    _need(values, "abs", 1)
    value = need_quantity(values[0])
    return value._replace(amount=abs(value.amount))


def _count(_scope: Scope, values: Sequence[Value]) -> Value:
    return Quantity(Fraction(len(values)))


def _days(scope: Scope, values: Sequence[Value]) -> Value:
    _need(values, "days", 2)
    first, last = map(_need_day, values)
    scope.note("between")
    return scope.counted(Fraction((last - first).days), DAY)


def _workdays(scope: Scope, values: Sequence[Value]) -> Value:
    _need(values, "workdays", 2)
    first, last = map(_need_day, values)
    counted = scope.calendar.between(first, last)
    scope.note_calendar(first, last)
    scope.note("between_workdays")
    return scope.counted(Fraction(counted), WORKDAY)


def _weekday(scope: Scope, values: Sequence[Value]) -> Value:
    _need(values, "weekday", 1)
    name = weekday_name(_need_day(values[0]), scope.language)
    return Statement(f"是{name}" if scope.language == "zh" else f"is {name}", name)


def _is_workday(scope: Scope, values: Sequence[Value]) -> Value:
    _need(values, "is_workday", 1)
    day = _need_day(values[0])
    kind = scope.calendar.kind_of(day)
    scope.note_calendar(day, day)
    short, name = _WORKDAY_SAID[scope.language][kind.is_workday], kind.name
    text = short if scope.language == "zh" else f"is {short}"
    brackets = "（{0}）" if scope.language == "zh" else " ({0})"
    return Statement(text + (brackets.format(name) if name else ""), short)


def _month_end(_scope: Scope, values: Sequence[Value]) -> Value:
    _need(values, "month_end", 1)
    return month_end(_need_day(values[0]))


FUNCTIONS_BY_NAME: dict[str, Function] = {
    "sum": _sum,
    "avg": _average,
    "min": _extreme(min),
    "max": _extreme(max),
    "round": _round,
    "abs": _absolute,
    "count": _count,
    "days": _days,
    "workdays": _workdays,
    "weekday": _weekday,
    "is_workday": _is_workday,
    "month_end": _month_end,
}
