"""The units of calculations: what they measure in independent dimensions, and how numbers and units are written."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from ...knowledge.text.numerals import CHINESE_LARGE_UNITS, CHINESE_SMALL_UNITS
from ...knowledge.text.units import UNITS, ValueKind
from ...knowledge.text.value_patterns import ARABIC, CURRENCY, HAN, HAN_NUMERAL, SPELT

Dimension = tuple[tuple[str, int], ...]
"""Independent dimensions with their exponents, by name; empty: a bare number."""

DAY, WORKDAY, MONTH, SECOND = "day", "workday", "month", "second"

_DERIVED: dict[str, tuple[Fraction, Dimension]] = {
    "倍": (Fraction(1), ()),
    "%": (Fraction(1, 100), ()),
    "percentage point": (Fraction(1, 100), ()),
    "m2": (Fraction(1), (("m", 2),)),
    "亩": (Fraction(2000, 3), (("m", 2),)),
    "m3": (Fraction(1), (("m", 3),)),
    "km/h": (Fraction(1000, 3600), (("m", 1), (SECOND, -1))),
    "Wh": (Fraction(3600), (("W", 1), (SECOND, 1))),
    "J": (Fraction(1), (("W", 1), (SECOND, 1))),
    "Ah": (Fraction(3600), (("A", 1), (SECOND, 1))),
    "V": (Fraction(1), (("A", -1), ("W", 1))),
    "Ω": (Fraction(1), (("A", -2), ("W", 1))),
}
"""Base units of the text layer that others make up. VA and var stay apart from W on purpose."""

_MULTIPLES = {
    "千": 10**3,
    "万": 10**4,
    "萬": 10**4,
    "十万": 10**5,
    "百万": 10**6,
    "千万": 10**7,
    "亿": 10**8,
    "億": 10**8,
}
# "3 times" is an operator here, and one of a counted thing has no size of its own.
_NOT_UNITS = frozenset({"times", "点", "起"})
_PER_MILLE = {"‰": Fraction(1, 1000), "‱": Fraction(1, 10_000)}


_USUAL = ("kWh", "km/h", "m", "m²", "m³", "kW", "Ah", "V", "A", "h")


class Unit(NamedTuple):
    """A unit as it was written."""

    name: str
    factor: Fraction
    """How much of its dimension's base one of it is."""
    dimension: Dimension
    is_count: bool = False
    """Whether it counts things (台, 项): such a dimension goes where prices and powers are multiplied."""


@cache
def unit_named(spelling: str) -> Unit | None:
    """The unit of a spelling, such as kWh, 工作日 or 万元; None where there is none."""
    if spelling in _PER_MILLE:
        return Unit(spelling, _PER_MILLE[spelling], ())
    known = None if spelling in _NOT_UNITS else UNITS.get(spelling)
    if known is None:
        return _multiple(spelling)
    factor, dimension = _DERIVED.get(known.base, (Fraction(1), ((known.base, 1),)))
    is_count = known.kind is ValueKind.QUANTITY and not known.base.isascii() and len(known.base) == 1
    is_count = is_count and known.base not in ("Ω", "°", "倍", "亩")
    return Unit(spelling, Fraction(known.factor) * factor, dimension, is_count)


def _multiple(spelling: str) -> Unit | None:
    for prefix in sorted(_MULTIPLES, key=len, reverse=True):
        rest = spelling.removeprefix(prefix)
        unit = unit_named(rest) if rest != spelling and rest and rest[0] not in CHINESE_LARGE_UNITS else None
        if unit is not None and unit.dimension:
            return unit._replace(name=spelling, factor=unit.factor * _MULTIPLES[prefix])
    return None


@cache
def units_of(dimension: Dimension, factor: Fraction) -> tuple[str, ...]:
    """The spellings of units with this dimension and factor."""
    found = (unit_named(spelling) for spelling in UNITS)
    return tuple(unit.name for unit in found if unit and (unit.dimension, unit.factor) == (dimension, factor))


def usual_units(dimension: Dimension) -> tuple[str, ...]:
    """The spellings of the unit in which such a dimension is usually given; empty: there is no such habit."""
    usual = next((name for name in _USUAL if (unit := unit_named(name)) and unit.dimension == dimension), None)
    unit = unit_named(usual) if usual else None
    return units_of(unit.dimension, unit.factor) if unit else ()


def _bounded(spelling: str) -> str:
    return re.escape(spelling) + ("(?![A-Za-z0-9])" if spelling[-1].isascii() and spelling[-1].isalnum() else "")


_SPELLINGS = sorted((set(UNITS) | set(_PER_MILLE)) - _NOT_UNITS, key=lambda spelling: (-len(spelling), spelling))
_LARGE = "".join(CHINESE_LARGE_UNITS)
_MULTIPLIERS = "".join((*CHINESE_SMALL_UNITS, *CHINESE_LARGE_UNITS))
_PREFIX = f"(?:[十百千]?[{_LARGE}]|千)"
_ANY = "|".join(_bounded(spelling) for spelling in _SPELLINGS)
UNIT = f"(?:{_PREFIX}??(?:{_ANY}))"
"""Tried without a prefix first: 千瓦时 is a unit of its own."""
_ENGLISH = r"(?:thousand|million|billion|trillion|mn|bn)(?![A-Za-z0-9])"
_PLAIN = rf"(?:{ARABIC}|\.\d+)"
NUMBER = "|".join(
    (
        r"\d+(?:\.\d+)?[eE][+-]?\d{1,3}(?![A-Za-z0-9.])",
        rf"(?:{ARABIC})\s?[{_LARGE}](?:\s?(?:{ARABIC})\s?[千{_LARGE}])+(?:\d+)?",
        rf"(?:{ARABIC})\s?(?:{_ENGLISH})",
        rf"(?:{ARABIC})[kKM](?![A-Za-z0-9])",
        rf"{_PLAIN}(?=\s?{UNIT})",
        rf"(?:{ARABIC})\s?[{_MULTIPLIERS}]+",
        _PLAIN,
        HAN.pattern,
        rf"(?i:{SPELT})",
    )
)
"""A number in digits, with its multiplier where no unit takes that up (1.2 万元 is 1.2 of 万元), or in words."""
MONEY_SIGN = rf"{CURRENCY}(?=\s?(?:\d|{HAN_NUMERAL}))"
