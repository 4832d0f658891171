"""Halves and quarters of units: 一年半, 三个半月, 半年, one and a half years, a year and a half, 2½ hours."""

from __future__ import annotations

import re
from decimal import Decimal

from .measures import Unit, ValueKind
from .numerals import CHINESE_NUMERAL_CHARACTERS, parse_chinese, parse_english
from .quantities import Reading, measured, multiplied, plain_decimal, unit_at, with_unit
from .value_patterns import ARABIC, SPELT

_HALF = Decimal("0.5")
_PARTS = {
    "half": _HALF,
    "quarter": Decimal("0.25"),
    "½": _HALF,
    "¼": Decimal("0.25"),
    "¾": Decimal("0.75"),
    "1/2": _HALF,
    "1/4": Decimal("0.25"),
    "3/4": Decimal("0.75"),
}
_COUNT = rf"(?:{ARABIC}|[{CHINESE_NUMERAL_CHARACTERS}]+)"
_COUNTED = re.compile(_COUNT)
_CLASSIFIED_HALF = re.compile(rf"(?P<count>{_COUNT})\s?[个個]半")
# Words that 半 begins.
_HALF_BEHIND = re.compile(r"半(?![径數数价價成导自岛球封挂天年月日小个夜场程途山身生截决])")
_CHINESE_HALF = re.compile(r"(?<![上下前后後大小多过過])半[个個]?")
_NO_SPAN = re.compile(r"年[度报報刊]|月[板刊形]|日制|天然|周[年期长長]")
_HALVED_MEASURES = re.compile(r"半(?:公斤|斤|市斤|吨|噸|米|公里|千米|厘米)")
_PAIR = re.compile(r"(?P<count>[俩倆仨])(?P<unit>个?月|小时|小時|年|天|星期|礼拜|人)|(?P<two>[两兩])月(?![份初中底末])")
_ENGLISH_COUNT = rf"(?:{ARABIC}|{SPELT}|an?\b)"
_AND_A_HALF = re.compile(
    rf"(?P<count>{_ENGLISH_COUNT})[-\s]+and[-\s]+(?:a|one)[-\s]+(?P<part>half|quarter)\b", re.IGNORECASE
)
_UNIT_AND_A_HALF = re.compile(
    rf"(?P<count>{_ENGLISH_COUNT})[-\s](?P<unit>[A-Za-z]+)\s+and\s+(?:a|one)\s+(?P<part>half|quarter)\b", re.IGNORECASE
)
_HALF_A = re.compile(
    r"(?<!first )(?<!second )(?<!other )(?<!last )(?<!latter )half(?:\s+(?:of\s+)?an?)?(?=[-\s])", re.IGNORECASE
)
_REPORT = re.compile(r"\s+(?:report|results?|statement)", re.IGNORECASE)
_FRACTION = re.compile(
    r"(?P<count>\d+)?(?:(?<=\d)\s?|(?<!\d))(?P<part>[½¼¾])|(?P<whole>\d+)[ -](?P<written>[13]/[24])(?![\d/])"
)
_EVERY_OTHER = re.compile(r"every\s+other(?=\s)", re.IGNORECASE)
_TWICE = re.compile(r"twice\b", re.IGNORECASE)


def read_chinese_half(text: str, start: int) -> Reading | None:
    """A Chinese amount with a half: 一年半, 三个半月, 半年, 半个小时; also 俩月."""
    return _classified(text, start) or _half_behind(text, start) or _half_alone(text, start) or _pair(text, start)


def _count(text: str) -> Decimal | None:
    if text.casefold() in ("a", "an"):
        return Decimal(1)
    if text[0].isdigit():
        return plain_decimal(text)
    return parse_english(text) if text.isascii() else parse_chinese(text)


def _classified(text: str, start: int) -> Reading | None:
    match = _CLASSIFIED_HALF.match(text, start)
    number = _count(match["count"]) if match else None
    unit = _classified_unit(text, match.end()) if match else None
    return measured(number + _HALF, unit) if number is not None and unit else None


def _classified_unit(text: str, end: int) -> tuple[Unit, int] | None:
    """The unit behind 个半, which leaves the 个 of 个月 before the 半."""
    unit = unit_at("个" + text[end : end + 8], 0)
    if unit and unit[1] > 1:
        return unit[0], end + unit[1] - 1
    return unit_at(text, end)


def _half_behind(text: str, start: int) -> Reading | None:
    match = _COUNTED.match(text, start)
    number = _count(match.group()) if match else None
    unit = unit_at(text, match.end()) if match else None
    if match is None or number is None or unit is None or _is_calendar_year(match.group(), unit[0]):
        return None
    half = _HALF_BEHIND.match(text, unit[1])
    is_measure = unit[0].kind is not ValueKind.QUANTITY or unit[0].base.isascii() or unit[0].base in "岁倍亩"
    return measured(number + _HALF, (unit[0], half.end())) if half and is_measure else None


def _is_calendar_year(count: str, unit: Unit) -> bool:
    return len(count) == 4 and unit.base == "month"


def _half_alone(text: str, start: int) -> Reading | None:
    match = _CHINESE_HALF.match(text, start)
    if match is None or _NO_SPAN.match(text, match.end()):
        return None
    unit = _classified_unit(text, match.end())
    if unit is None or not (unit[0].kind is ValueKind.DURATION or _HALVED_MEASURES.match(text, start)):
        month = re.compile("月").match(text, match.end())
        return Reading(ValueKind.DURATION, "0.5", "month", month.end()) if month else None
    return measured(_HALF, unit)


def _pair(text: str, start: int) -> Reading | None:
    match = _PAIR.match(text, start)
    if match is None:
        return None
    if match["two"] or match["unit"].endswith("月"):
        return Reading(ValueKind.DURATION, "3" if match["count"] == "仨" else "2", "month", match.end())
    unit = unit_at(text, match.start("unit"))
    return measured(Decimal(3 if match["count"] == "仨" else 2), unit) if unit else None


def read_english_half(text: str, start: int) -> Reading | None:
    """An English amount with a half or a quarter: one and a half years, a year and a half, half a year, 2½ hours."""
    if match := _AND_A_HALF.match(text, start):
        return _parts_of(text, match["count"], match["part"], match.end())
    if match := _UNIT_AND_A_HALF.match(text, start):
        unit, number = unit_at(match["unit"], 0), _count(match["count"])
        if unit and unit[1] == len(match["unit"]) and number is not None:
            return measured(number + _PARTS[match["part"].casefold()], (unit[0], match.end()))
    if match := _FRACTION.match(text, start):
        return _parts_of(text, match["count"] or match["whole"] or "0", match["part"] or match["written"], match.end())
    return _half_a(text, start) or _every_other(text, start)


def _parts_of(text: str, count: str, part: str, end: int) -> Reading | None:
    number = _count(count)
    if number is None:
        return None
    return with_unit(text, *multiplied(text, number + _PARTS[part.casefold()], end))


def _half_a(text: str, start: int) -> Reading | None:
    match = _HALF_A.match(text, start)
    if match is None:
        return None
    number, end = multiplied(text, _HALF, match.end())
    reading = with_unit(text, number, end)
    is_amount = reading.kind in (ValueKind.DURATION, ValueKind.MONEY) or (reading.unit.isascii() and bool(reading.unit))
    if not is_amount and number == _HALF:
        return None
    return None if _REPORT.match(text, reading.end) else reading


def _every_other(text: str, start: int) -> Reading | None:
    """Every other month is every two months; twice is two times."""
    if match := _EVERY_OTHER.match(text, start):
        reading = with_unit(text, Decimal(2), match.end())
        return reading if reading.kind is ValueKind.DURATION else None
    match = _TWICE.match(text, start)
    return Reading(ValueKind.QUANTITY, "2", "倍", match.end()) if match else None
