"""What a rule reads at a place of a text, and how a number meets the multiplier and the unit behind it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from .numerals import CHINESE_LARGE_UNITS, CHINESE_SMALL_UNITS, ENGLISH_MULTIPLIERS, decimal_text
from .units import UNITS, Unit, ValueKind
from .value_patterns import LETTERS, MANY, MULTIPLIER, SPACED_SYMBOLS, UNIT

CHINESE_MULTIPLIER = re.compile(r"\s?[十百千万萬亿億]+")
_GROUP_SEPARATORS = re.compile(r"[,'’\s]")


class Reading(NamedTuple):
    """What a rule read at a place of a text, and where it ends."""

    kind: ValueKind
    canonical: str
    unit: str
    end: int


def plain_decimal(digits: str) -> Decimal:
    """The number that digits in groups of three write (``1,500``, ``1'500``, ``1 500.20``)."""
    return Decimal(_GROUP_SEPARATORS.sub("", digits))


def amount(match: re.Match[str]) -> Decimal:
    """The number of a match of `NUMBER`, with its sign and its Chinese multipliers."""
    number = plain_decimal(match["digits"]) * (-1 if match["sign"] in ("-", "–") else 1)
    return _times(number, match["chinese"] or "")


def _times(number: Decimal, multipliers: str) -> Decimal:
    for character in multipliers.strip():
        number *= CHINESE_LARGE_UNITS.get(character) or CHINESE_SMALL_UNITS[character]
    return number


def chinese_multiplied(text: str, number: Decimal, end: int) -> tuple[Decimal, int]:
    """The number with the Chinese multipliers that follow it (``1 500万``), and where those end."""
    found = CHINESE_MULTIPLIER.match(text, end)
    return (_times(number, found.group()), found.end()) if found else (number, end)


def multiplied(text: str, number: Decimal, end: int, *, letters: bool = False) -> tuple[Decimal, int]:
    """The number with the multiplier that follows it (``million``; with `letters` also ``k``), and where that ends."""
    multiplier = MULTIPLIER.match(text, end)
    name = (multiplier["word"] or (multiplier["letter"] if letters else None) or "") if multiplier else ""
    if multiplier is None or not name:
        return number, end
    return number * (ENGLISH_MULTIPLIERS.get(name.casefold()) or LETTERS[name.casefold()]), multiplier.end()


def unit_at(text: str, end: int) -> tuple[Unit, int] | None:
    """The unit that begins at a place, and where it ends."""
    match = UNIT.match(text, end)
    if match is None:
        return None
    spelling, spaced = match["unit"], match.start("unit") > end
    if spaced and len(spelling) == 1 and spelling.isascii() and spelling.isalpha() and spelling not in SPACED_SYMBOLS:
        return None
    return UNITS[spelling], match.end()


def measured(number: Decimal, unit: tuple[Unit, int]) -> Reading:
    """So many of a unit."""
    meaning, end = unit
    return Reading(meaning.kind, decimal_text(number * meaning.factor), meaning.base, end)


def with_unit(text: str, number: Decimal, end: int) -> Reading:
    """The number with the unit behind it; a bare number where none is."""
    many = MANY.match(text, end)
    unit = unit_at(text, many.end() if many else end)
    return measured(number, unit) if unit else Reading(ValueKind.NUMBER, decimal_text(number), "", end)
