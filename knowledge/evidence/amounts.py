# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Amounts as they are compared and reckoned with: whole values, cells with the unit of their column, exact results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import fold_widths
from ..text.numerals import decimal_text, parse_chinese, parse_english
from ..text.value_patterns import HAN, SPELT_NUMBER
from ..text.values import Value, ValueKind, find_values

MEASURED = frozenset({ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.MONEY, ValueKind.QUANTITY, ValueKind.DURATION})
"""Kinds that have a size."""
DATED = frozenset({ValueKind.DATE, ValueKind.TIME})
"""Kinds that have a place in time."""

# Amounts are added and multiplied in so many digits; a result that does not fit is none.
_EXACT = Context(prec=60, traps=[Inexact, InvalidOperation])
# A longer number is no amount that anything is reckoned with.
_LONGEST = 22
# Not the figure of a unit such as m3.
_DIGITS = re.compile(r"(?<![A-Za-z\d.])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
# 400元/晚 and 30 m/min are rates: they compare with the like only.
_RATE = re.compile(r"\s?[/／]\s?(?P<per>[^\W\d_]{1,6}\d?)(?!\w)")
_JOINT = re.compile(r"[\s又零]{0,2}|\s*,?\s*and\s+|\s*,\s*", re.IGNORECASE)
_COLUMN_UNIT = re.compile(
    r"(?:[(（]\s*(?:单位\s*[:：]\s*|in\s+)?(?P<a>[^()（）]{1,16}?)\s*[)）]|[/／,，]\s*(?P<b>[^\s/／,，]{1,6})|\sin (?P<c>[A-Za-z ]{1,16}))\s*$",
    re.IGNORECASE,
)
_MANY_OF = re.compile(r"(?P<sign>[$€£¥])?\s*(?P<of>[A-Z]{3})?\s*(?P<many>thousand|million|billion)s?", re.IGNORECASE)
_COUNTED = re.compile(r"数量|[台件人次天套份]数|周期|天$|\bqty\b|quantit|\bcount\b|\bdays?\b|number of", re.IGNORECASE)
_BASE_UNITS = {("month", "zh"): "个月", ("month", "en"): " months", ("day", "zh"): "天", ("day", "en"): " days"}
_ENGLISH_UNIT = re.compile(r"(?<=[a-z])s?$")
_ENGLISH_WORDS = re.compile(r"\s(?:[a-z]+ )?(?:day|week|month|year|hour|minute|second|item|dollar|euro|ton|meter)s?$")


class Spelling(NamedTuple):
    """How a value is written around its number, and how many base units one of that number is."""

    before: str
    after: str
    factor: Decimal
    places: int
    """Digits behind the point."""
    grouped: bool
    """Whether thousands are set apart by commas."""


@lru_cache(maxsize=16_384)
def amounts(text: str) -> tuple[Value, ...]:
    """The values of a text, 一年六个月 as one duration, 400元/晚 as a rate with the unit `CNY/晚`."""
    folded = fold_widths(text)
    joined: list[Value] = []
    for value in find_values(text):
        whole = _rate(value, folded)
        if joined and _continues(joined[-1], whole, folded):
            joined[-1] = _join(joined[-1], whole, text)
        else:
            joined.append(whole)
    return tuple(value._replace(raw=text[value.start : value.end]) for value in joined)


def _rate(value: Value, text: str) -> Value:
    match = _RATE.match(text, value.end) if value.kind in MEASURED else None
    return value._replace(unit=f"{value.unit}/{match['per']}", end=match.end()) if match else value


def _continues(value: Value, following: Value, text: str) -> bool:
    """Whether a value is the smaller part of the one before it: 2年 6个月, 3元 5角, 2亿 5000万元."""
    gap = text[value.end : following.start]
    if value.kind is ValueKind.NUMBER and value.raw[-1:] in "万亿萬億":
        return not gap and following.kind in MEASURED
    same_kind = value.kind is following.kind and value.kind in (ValueKind.DURATION, ValueKind.MONEY)
    return same_kind and _JOINT.fullmatch(gap) is not None and _unit_size(value) > _whole_size(following)


# In days: only to tell which of two durations is the smaller part of the other.
_DAYS = {"month": Decimal(30), "day": Decimal(1), "workday": Decimal(1), "second": Decimal(1) / 86_400}


def _unit_size(value: Value) -> Decimal:
    spelling = spelling_of(value)
    return (spelling.factor if spelling else Decimal(0)) * _DAYS.get(value.unit, Decimal(1))


def _whole_size(value: Value) -> Decimal:
    return (size(value) or Decimal(0)) * _DAYS.get(value.unit, Decimal(1))


def _join(value: Value, following: Value, text: str) -> Value:
    first, second = size(value), size(following)
    end, raw = following.end, text[value.start : following.end]
    if first is None or second is None or (value.unit != following.unit and value.kind is not ValueKind.NUMBER):
        mixed = f"{value.canonical}+{following.canonical}"
        return value._replace(canonical=mixed, unit=f"{value.unit}+{following.unit}", end=end, raw=raw)
    return Value(following.kind, decimal_text(first + second), following.unit, value.start, end, raw)


def size(value: Value) -> Decimal | None:
    """The value in its base unit; None for dates, ids, fractions, durations of two units (1个月15天)."""
    if value.kind not in MEASURED or len(value.canonical) > _LONGEST:
        return None
    try:
        return Decimal(value.canonical)
    except InvalidOperation:
        return None


@lru_cache(maxsize=4_096)
def spelling_of(value: Value) -> Spelling | None:
    """How the value is written; None where it is no single number (2年6个月)."""
    whole = size(value)
    raw = fold_widths(value.raw)
    number = _number_in(raw)
    if whole is None or number is None:
        return None
    start, end, plain = number
    further = _DIGITS.search(raw, end) if raw[start].isascii() else HAN.search(raw, end)
    if further:
        return None
    if plain:
        factor = abs(whole / plain)
    else:
        ones = find_values(f"{raw[:start]}1{raw[end:]}")
        factor = (size(ones[0]) if ones else None) or Decimal(1)
    digits = raw[start:end]
    places = len(digits.partition(".")[2]) if digits[0].isdigit() else 0
    return Spelling(raw[:start].rstrip("-+"), _unit_text(raw[end:]), factor, places, "," in digits)


def _unit_text(after: str) -> str:
    return after.replace("-", " ", 1) if after.startswith("-") else after


def _number_in(raw: str) -> tuple[int, int, Decimal] | None:
    if found := _DIGITS.search(raw):
        return found.start(), found.end(), Decimal(found.group().replace(",", ""))
    if han := HAN.search(raw, raw.find("之") + 1):
        number = parse_chinese(han.group())
        return None if number is None else (han.start(), han.end(), number)
    word = SPELT_NUMBER.match(raw)
    number = parse_english(word.group()) if word else None
    return None if word is None or number is None else (word.start(), word.end(), number)


def spell(number: Decimal, likes: Sequence[Value], language: str) -> str | None:
    """A number of base units written like the first of some values whose unit expresses it exactly.

    None where no unit of theirs does (a month in years).
    """
    for like in likes:
        spelling = spelling_of(like)
        if spelling is None:
            continue
        quotient = divide(number, spelling.factor)
        if quotient is not None:
            alike = [s for s in map(spelling_of, likes) if s and s[:3] == spelling[:3]]
            places = max(s.places for s in alike)
            return _write(quotient, spelling, places, any(s.grouped for s in alike))
    unit = _BASE_UNITS.get((likes[0].unit, language))
    return f"{decimal_text(number)}{unit}" if unit else None


def spell_rounded(number: Decimal, likes: Sequence[Value], extra_places: int) -> str | None:
    """The number in the unit of the first value, rounded to some digits more than the values have."""
    spellings = [spelling for spelling in map(spelling_of, likes) if spelling is not None]
    if not spellings or len(spellings) < len(likes):
        return None
    places = max(spelling.places for spelling in spellings) + extra_places
    rounded = (number / spellings[0].factor).quantize(Decimal(1).scaleb(-places))
    return _write(rounded, spellings[0], 0, any(spelling.grouped for spelling in spellings))


def _write(number: Decimal, spelling: Spelling, places: int, grouped: bool) -> str:
    text = decimal_text(abs(number))
    if places:
        whole, _, fraction = text.partition(".")
        text = f"{whole}.{fraction.ljust(places, '0')}"
    if grouped:
        whole, point, fraction = text.partition(".")
        text = f"{int(whole):,}{point}{fraction}"
    after = spelling.after
    if _ENGLISH_WORDS.search(after):
        after = _ENGLISH_UNIT.sub("" if abs(number) == 1 else "s", after, count=1)
    return f"{'-' if number < 0 else ''}{spelling.before}{text}{after}"


def total(numbers: Iterable[Decimal]) -> Decimal:
    """The exact sum."""
    result = Decimal(0)
    for number in numbers:
        result = _EXACT.add(result, number)
    return result


def divide(number: Decimal, by: Decimal) -> Decimal | None:
    """The exact quotient; None where its decimals do not end or nothing is divided by."""
    if not by:
        return None
    try:
        return _EXACT.divide(number, by)
    except Inexact:
        return None


@lru_cache(maxsize=4_096)
def column_unit(name: str) -> tuple[str, str] | None:
    """What stands before and behind the numbers of a column by its name: 单价（万元）, Amount ($ million)."""
    match = _COLUMN_UNIT.search(name)
    unit = next((part for part in match.groups() if part), "").strip() if match else ""
    return _frame(unit)


def _frame(unit: str) -> tuple[str, str] | None:
    """A unit as text around a number; None where it is not known as one."""
    many = _MANY_OF.fullmatch(unit)
    if many:
        behind = f" {many['many']}" + (f" {many['of']}" if many["of"] else "")
        return many["sign"] or "", behind
    if not unit:
        return None
    gap = " " if unit[:1].isascii() and unit != "%" else ""
    for before, behind in (("", gap + unit), (unit, "")):
        one = f"{before}1{behind}"
        read = amounts(one)
        if len(read) == 1 and read[0].kind in MEASURED - {ValueKind.NUMBER} and read[0].raw == one:
            return before, behind
    return None


def cell_amount(name: str, cell: str, *, table_unit: str = "") -> Value | None:
    """The one value that a cell states, a bare number with the unit of its column or else of its table.

    `raw` is the value with that unit, `start` and `end` are its place in the cell. None for a cell that says more than
    one exact value (≤8, 0.5–0.6, 约3天).
    """
    value = read_amount(cell)
    if value is None:
        return None
    own = column_unit(name)
    frame = own or _frame(table_unit)
    if value.kind is not ValueKind.NUMBER or value.unit or frame is None:
        return value
    framed = read_amount(f"{frame[0]}{value.raw}{frame[1]}")
    if framed and own is None and framed.kind is ValueKind.MONEY and _COUNTED.search(name):
        return value  # the currency of the table is that of its prices
    return framed._replace(start=value.start, end=value.end) if framed else value


def read_amount(text: str) -> Value | None:
    """The value that a text consists of, 14.6 t included; None where anything else stands beside it."""
    inner = text.strip()
    found = amounts(inner)
    if len(found) != 1 or found[0].start:
        return None
    value = found[0]
    if value.end < len(inner):
        unit = inner[value.end :].strip()
        closed = amounts(f"{value.raw}{unit}") if value.kind is ValueKind.NUMBER else ()
        if len(closed) != 1 or closed[0].end != len(f"{value.raw}{unit}"):
            return None
        value = closed[0]._replace(raw=inner, end=len(inner))
    return value
