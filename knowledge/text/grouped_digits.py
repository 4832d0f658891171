"""Digits with separators other than the comma of thousands, and those that nobody can read surely."""

from __future__ import annotations

import re
from decimal import Decimal

from .measures import ValueKind
from .quantities import CHINESE_MULTIPLIER, Reading, chinese_multiplied, multiplied, plain_decimal, unit_at, with_unit
from .value_patterns import MULTIPLIER, SIGN

BLANK_GROUPS = re.compile(r"(?<![\d.,])(?<!\d )\d{1,3}(?: \d{3})+(?!\d)(?:\.\d+)?(?![.,]\d)")
"""``1 500``: the blank may be a thin or non-breaking one."""
_POINT_GROUPS = re.compile(
    r"\d{1,3}(?:\.\d{3})+,(?P<decimals>\d{1,2})(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?!\d|[.,]\d)(?=\s?\S)"
)
_COMMAS = re.compile(r"(?<![\d,])\d{1,3}(?:,\d+)+(?:\.\d+)?(?![\d,])")
_IN_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
# 1.500 euros are a thousand and a half in one country and one and a half in the next. The code EUR stands in papers of
# every country, the noun with a capital and the sign behind the number mostly in those that part thousands by points.
_ONE_POINT = re.compile(r"[1-9]\d{0,2}\.\d{3}(?!\d|,\d)")
_EURO = re.compile(r"\s?(?:€|EUR\b|euros?\b)", re.IGNORECASE)
_CONTINENTAL_EURO = re.compile(r"\s?(?:€|Euro\b)")
_CONTINENTAL = re.compile(
    r"[äöüßÄÖÜéèçñ]|\b(?:der|die|das|und|von|für|Preis|Betrag|le|les|prix|el|los|precio)\b|\d\.\d{3},\d\d"
)


def read_grouped(text: str, start: int) -> Reading | None:
    """A number whose groups of three are parted by blanks, or by points as in ``1.500,00``; only with its unit."""
    if match := BLANK_GROUPS.match(text, start):
        number = plain_decimal(match.group())
    elif match := _POINT_GROUPS.match(text, start):
        number = _with_points(match.group())
    else:
        return None
    number, end = multiplied(text, *chinese_multiplied(text, number, match.end()))
    reading = with_unit(text, number, end)
    euro = _EURO.match(text, end)
    if reading.kind is ValueKind.NUMBER and euro:
        return Reading(ValueKind.MONEY, reading.canonical, "EUR", euro.end())
    return None if reading.kind is ValueKind.NUMBER else reading


def grouped_at(text: str, start: int) -> tuple[Decimal, int] | None:
    """The number behind a currency sign that is written in such groups, and where it ends."""
    if match := BLANK_GROUPS.match(text, start):
        return plain_decimal(match.group()), match.end()
    if match := _POINT_GROUPS.match(text, start):
        return _with_points(match.group()), match.end()
    return None


def _with_points(digits: str) -> Decimal:
    return Decimal(digits.replace(".", "").replace(",", "."))


def end_of_unreadable(text: str, start: int) -> int | None:
    """Where digits end that have more than one reading as an amount; None where the digits can be read.

    ``1,2000万元`` may be 12,000 or 2,000 with a 1 before it, ``1,5 kg`` one and a half or two numbers, ``1.500 EUR``
    1,500 or 1.5: such digits are no value.
    """
    sign = SIGN.match(text, start)
    place = sign.end() if sign else start
    point = _ONE_POINT.match(text, place)
    if point and not MULTIPLIER.match(text, point.end()):
        is_continental = _CONTINENTAL.search(text) is not None
        euro = (_EURO if is_continental else _CONTINENTAL_EURO).match(text, point.end())
        if euro or (is_continental and sign and _EURO.fullmatch(sign.group().strip())):
            return euro.end() if euro else point.end()
    commas = _COMMAS.match(text, place)
    if commas is None or _IN_THOUSANDS.fullmatch(commas.group()):
        return None
    return _end_of_amount(text, commas, signed=sign is not None)


def _end_of_amount(text: str, commas: re.Match[str], *, signed: bool) -> int | None:
    """Where the badly grouped number ends with its unit; None where it is a mere list of numbers."""
    groups = commas.group().partition(".")[0].split(",")
    if len(groups) > 2 and not any(len(group) == 3 for group in groups[1:]):
        return None
    chinese = CHINESE_MULTIPLIER.match(text, commas.end())
    unit = unit_at(text, chinese.end() if chinese else commas.end())
    is_amount = signed or chinese is not None or MULTIPLIER.match(text, commas.end()) is not None
    if unit and not is_amount:
        is_amount = unit[0].base.isascii() or len(groups[-1]) > 3
    if not is_amount:
        return None
    return unit[1] if unit else (chinese or commas).end()
