"""What an expression can be worth, and how that is written."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import NamedTuple

from .days import weekday_name
from .quantities import Quantity, spelled
from .vocabulary import unit_named


class Statement(NamedTuple):
    """What is said of a day."""

    text: str
    """Behind the day: 是星期三, is Wednesday."""
    short: str
    """星期三, Wednesday."""


Value = Quantity | date | Statement

_TEN_THOUSAND, _HUNDRED_MILLION = Fraction(10**4), Fraction(10**8)
_YUAN = ("元", "CNY", "RMB", "元人民币", "人民币")


def written(value: Value, language: str) -> tuple[str, bool]:
    """The value in words, and whether it is rounded."""
    if isinstance(value, Quantity):
        return spelled(value)
    if isinstance(value, date):
        name = weekday_name(value, language)
        return f"{value.isoformat()}（{name}）" if language == "zh" else f"{value.isoformat()} ({name})", False
    return value.text, False


def short(value: Value, language: str) -> str:
    """The bare value with its unit, for calculations that build on it."""
    if isinstance(value, Statement):
        return value.short
    return value.isoformat() if isinstance(value, date) else written(value, language)[0]


def other_form(value: Value) -> str:
    """An amount of yuan in the other of the two usual forms (36 万元 of 360,000 元); empty where there is none."""
    if not isinstance(value, Quantity) or value.dimension != (("CNY", 1),) or len(value.units) != 1:
        return ""
    name = value.unit_name
    if name in _YUAN:
        large = "亿元" if abs(value.amount) >= _HUNDRED_MILLION else "万元"
        if abs(value.amount) < _TEN_THOUSAND:
            return ""
    else:
        large = "元"
    unit = unit_named(large)
    text, is_rounded = spelled(value._replace(units=((unit, 1),))) if unit else ("", True)
    return "" if is_rounded or len(text.partition(".")[2]) > 8 else text
