"""Whether two values can both be right: one spelling, one precision, a bound and what lies within it."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from ..text.normalise import normalise_match
from ..text.values import Value, ValueKind
from .bounds import Direction, bounds
from .terms import values

_TIMES = frozenset({ValueKind.DATE, ValueKind.TIME})
_ABOUT_BEFORE = re.compile(
    r"(?:约|大约|近|接近|将近|逾|(?<![不得])超过?|约为|大概|估计|about|around|nearly|almost|approximately|approx\.?|over|some|roughly|estimated)\s*$",
    re.IGNORECASE,
)
_ABOUT_BEHIND = re.compile(r"\s*(?:多|余|左右|上下|or so)")
# 1.5万, 3.2 million: whoever writes a multiplier gives the digits that matter and rounds the rest.
_ROUNDED = re.compile(
    r"[万萬亿億多余餘]|thousand|million|billion|trillion|(?<=\d)\s?(?:bn|mn|[mMbBkK])\b", re.IGNORECASE
)
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_MONTH_IN_DAYS = Decimal(30)
_REACH = 16


class Stated(NamedTuple):
    """A value with the text that it stands in."""

    value: Value
    text: str


class Answer(NamedTuple):
    """A piece of a sentence that answers, as written, with its values."""

    text: str
    values: tuple[Stated, ...] = ()


class Difference(NamedTuple):
    """What the answering statement says and what its rival says instead."""

    mine: Answer
    theirs: Answer


def stated_in(text: str) -> tuple[Stated, ...]:
    """The values of a text that stands for itself, such as a table cell."""
    return tuple(Stated(value, text) for value in values(text))


def is_same_answer(one: Answer, other: Answer) -> bool:
    """Whether two answers say the same: by their values where both have as many, otherwise by their letters."""
    if one.values and len(one.values) == len(other.values):
        return all(is_same_value(a, b) for a, b in zip(one.values, other.values, strict=True))
    return normalise_match(one.text) == normalise_match(other.text)


def can_both_hold(mine: Stated, theirs: Stated) -> bool:
    """Whether the two say the same, or one is a bound that the other one keeps."""
    if is_same_value(mine, theirs):
        return True
    sides = direction_of(mine), direction_of(theirs)
    one, other = _number(mine.value), _number(theirs.value)
    if one is None or other is None or (sides[0] is None) == (sides[1] is None):
        return False
    bound, exact = (one, other) if sides[0] else (other, one)
    return exact <= bound if Direction.UPPER in sides else exact >= bound


def is_same_value(mine: Stated, theirs: Stated) -> bool:
    """Whether the two say the same, but for spelling and precision (3,559 and about 3,600; a month and a day of it)."""
    one, other = mine.value, theirs.value
    if one.key == other.key:
        return True
    if one.kind in _TIMES or other.kind in _TIMES:
        return one.kind is other.kind and _is_same_date(one.canonical, other.canonical)
    numbers = _number(one), _number(other)
    if numbers[0] is None or numbers[1] is None:
        return False
    if one.unit != other.unit:
        return one.kind is other.kind and _is_same_span(one, other)
    return numbers[0] == numbers[1] or _is_rounded(mine, theirs) or _is_rounded(theirs, mine)


def are_comparable(mine: Stated, theirs: Stated) -> bool:
    """Whether the two measure the same thing from the same side: one unit, and no upper bound beside a lower one."""
    one, other = mine.value, theirs.value
    if one.kind is not other.kind and {one.kind, other.kind} - {ValueKind.NUMBER, ValueKind.QUANTITY}:
        return False
    if one.unit != other.unit and one.unit and other.unit:
        return False
    sides = {direction_of(mine), direction_of(theirs)} - {None}
    return len(sides) < 2


def as_year(value: Value) -> Value:
    """A bare number of four digits that may be a year, as a date; any other value as it is."""
    is_year = value.kind is ValueKind.NUMBER and _YEAR.fullmatch(value.raw) is not None
    return value._replace(kind=ValueKind.DATE) if is_year else value


def direction_of(stated: Stated) -> Direction | None:
    """Which side of the value is meant, where the text calls it a bound."""
    return next((bound.direction for bound in bounds(stated.text) if bound.key == stated.value.key), None)


def _number(value: Value) -> Decimal | None:
    try:
        return Decimal(value.canonical)
    except InvalidOperation:
        return None


def _is_same_date(one: str, other: str) -> bool:
    """Whether one date is a less precise form of the other, or both may be the same day of one year."""
    if one.startswith("-") or other.startswith("-"):
        return _rest(one) == _rest(other) or one.lstrip("-") in other or other.lstrip("-") in one
    if any(mark in one + other for mark in "QH"):
        return one[:4] == other[:4] and not ("Q" in one and "Q" in other)
    return one.startswith(f"{other}-") or other.startswith(f"{one}-")


def _rest(date: str) -> str:
    return date[2:] if date.startswith("--") else date.partition("-")[2]


def _is_same_span(one: Value, other: Value) -> bool:
    """30 days and a month: texts that differ so seldom mean to."""
    units = {one.unit: Decimal(one.canonical), other.unit: Decimal(other.canonical)}
    if set(units) != {"day", "month"}:
        return False
    return units["day"] in (units["month"] * _MONTH_IN_DAYS, units["month"] * 365 / 12)


def _is_rounded(rough: Stated, exact: Stated) -> bool:
    """Whether the rough number is what rounding makes of the exact one, and shows that it is rounded."""
    small, large = _number(rough.value), _number(exact.value)
    if small is None or large is None or not small or not large:
        return False
    if "." in exact.value.raw and _decimals(rough.value) < _decimals(exact.value) and _rounds_to(small, large):
        return True
    value, text = rough.value, rough.text
    before = text[max(0, value.start - _REACH) : value.start]
    is_rough = _ABOUT_BEFORE.search(before) or _ABOUT_BEHIND.match(text, value.end) or _ROUNDED.search(value.raw)
    return bool(is_rough) and _rounds_to(small, large)


def _decimals(value: Value) -> int:
    return len(value.canonical.partition(".")[2])


def _rounds_to(rough: Decimal, exact: Decimal) -> bool:
    """Whether the two agree within one step of the rough number's last digit that is not 0."""
    exponent = rough.normalize().as_tuple().exponent
    step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    return abs(rough - exact) < step and abs(rough - exact) < abs(rough) / 4
