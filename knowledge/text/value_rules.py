"""Reads the value that begins at a given place of a text; one rule for each way of writing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal

from . import dates
from .clocks import CHINESE_CLOCK, ENGLISH_CLOCK, read_chinese_clock, read_english_clock
from .grouped_digits import grouped_at, read_grouped
from .halves import read_chinese_half, read_english_half
from .numerals import decimal_text, parse_chinese, parse_english
from .quantities import Reading, amount, chinese_multiplied, multiplied, unit_at, with_unit
from .signs import below_zero, read_bracketed, read_negative
from .units import CLAUSE_UNITS, CURRENCY_SIGNS, ValueKind
from .value_patterns import (
    CHINESE_FRACTION,
    CHINESE_PERCENT,
    CLAUSE,
    DOTTED,
    ENGLISH_CLAUSE,
    HAN,
    IDENTIFIER,
    IDIOMS,
    IS_JOINED,
    LONGEST_YEAR_NAME,
    NAMES_YEAR,
    NUMBER,
    NUMBERED,
    ORDINAL,
    RESTATED,
    ROMAN,
    ROMAN_NUMERAL,
    SIGN,
    SPACED_RANGE,
    SPACED_STANDARD,
    SPELT_NUMBER,
    ZEROS,
)


def read(text: str, start: int) -> Reading | None:
    character = text[start]
    if character.isascii() and character.isdigit():
        rules = _FROM_DIGIT
    elif character.isascii() and character.isalpha():
        rules = _FROM_LETTER
    else:
        rules = _FROM_SIGN if character in "¥$€£§+-–(" else _FROM_HAN
    reading = next((reading for rule in rules if (reading := rule(text, start)) is not None), None)
    return below_zero(text, reading) if reading is not None else None


_Rule = Callable[[str, int], Reading | None]


def _date_rule(pattern: re.Pattern[str], read: Callable[[re.Match[str]], str | None], kind: ValueKind) -> _Rule:
    def rule(text: str, start: int) -> Reading | None:
        match = pattern.match(text, start)
        canonical = read(match) if match else None
        return Reading(kind, canonical, "", match.end()) if match and canonical else None

    return rule


def _identifier(text: str, start: int) -> Reading | None:
    match = IDENTIFIER.match(text, start)
    if match is None:
        return None
    return Reading(ValueKind.IDENTIFIER, match.group().upper().replace("_", "-"), "", match.end())


def _standard(text: str, start: int) -> Reading | None:
    match = SPACED_STANDARD.match(text, start)
    return Reading(ValueKind.IDENTIFIER, match.group().replace(" ", ""), "", match.end()) if match else None


def _dotted(text: str, start: int) -> Reading | None:
    match = DOTTED.match(text, start)
    return Reading(ValueKind.IDENTIFIER, match.group(), "", match.end()) if match else None


def _whole_number(text: str) -> str | None:
    if text.isdigit() and text.isascii():
        return str(int(text))
    if text.upper().strip("IVXLC") == "" and text.isascii():
        return str(_parse_roman(text.upper()))
    if text.isascii():
        return text.upper()
    number = parse_chinese(text)
    return None if number is None else decimal_text(number)


def _parse_roman(text: str) -> int:
    values = [ROMAN[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def _chinese_clause(text: str, start: int) -> Reading | None:
    match = CLAUSE.match(text, start)
    number = _whole_number(match["number"]) if match else None
    if match is None or number is None:
        return None
    sub = f"-{_whole_number(match['sub'])}" if match["sub"] else ""
    return Reading(ValueKind.CLAUSE, number + sub, CLAUSE_UNITS[match["unit"]], match.end())


def _named_clause(text: str, start: int) -> Reading | None:
    match = ENGLISH_CLAUSE.match(text, start)
    number = _whole_number(match["number"]) if match else None
    if match is None or number is None:
        return None
    return Reading(ValueKind.CLAUSE, number, CLAUSE_UNITS[match["unit"].casefold()], match.end())


def _ordinal(text: str, start: int) -> Reading | None:
    match = ORDINAL.match(text, start) or NUMBERED.match(text, start)
    number = _whole_number(match["number"]) if match else None
    if match is None or number is None:
        return None
    return Reading(ValueKind.ORDINAL, number, match["unit"].replace("號", "号"), match.end())


def _fraction(text: str, start: int) -> Reading | None:
    if match := CHINESE_PERCENT.match(text, start):
        number = _plain_number(match["number"])
        scale = {"百": 1, "千": 10, "万": 100}[match["base"]]
        if number is None:
            return None
        return Reading(ValueKind.PERCENT, decimal_text(number / scale), "%", match.end())
    match = CHINESE_FRACTION.match(text, start)
    if match is None:
        return None
    above, below = _whole_number(match["above"]), _whole_number(match["below"])
    return Reading(ValueKind.NUMBER, f"{above}/{below}", "", match.end()) if above and below else None


def _plain_number(text: str) -> Decimal | None:
    if text.isascii():
        return Decimal(text.replace(",", ""))
    whole, _, fraction = text.partition("点")
    number = parse_chinese(whole)
    if number is None or not fraction:
        return number
    digits = parse_chinese(fraction)
    return None if digits is None else number + digits.scaleb(-len(fraction))


def _money(text: str, start: int) -> Reading | None:
    sign = SIGN.match(text, start)
    number = NUMBER.match(text, sign.end()) if sign else None
    if sign is None or number is None:
        return None
    value, end = grouped_at(text, sign.end()) or (amount(number), number.end())
    value, end = multiplied(text, value, end, letters=True)
    unit = None if text[end : end + 1].isspace() else unit_at(text, end)
    end = unit[1] if unit and unit[0].kind is ValueKind.MONEY else end
    return Reading(ValueKind.MONEY, decimal_text(value), CURRENCY_SIGNS[sign.group().strip().upper()], end)


def _is_joined(text: str, match: re.Match[str]) -> bool:
    """Whether a dash before a number joins it to what stands before."""
    start = match.start()
    if not match["sign"]:
        return False
    is_range = match["sign"] == "–" and SPACED_RANGE.search(text, max(0, start - 4), start)
    return bool(is_range or IS_JOINED.search(text, max(0, start - 1), start))


def _number(text: str, start: int) -> Reading | None:
    match = NUMBER.match(text, start)
    if match is None or _is_joined(text, match):
        return None
    reading = with_unit(text, *multiplied(text, amount(match), match.end()))
    is_year = reading.kind is ValueKind.NUMBER and dates.is_year(match.group())
    if is_year and NAMES_YEAR.search(text, max(0, start - LONGEST_YEAR_NAME), start):
        return reading._replace(kind=ValueKind.DATE)
    return reading


def _roman_number(text: str, start: int) -> Reading | None:
    """A numeral that is one character (Ⅻ个月); without a unit it is a name (Ⅱ型)."""
    match = ROMAN_NUMERAL.match(text, start)
    reading = with_unit(text, Decimal(int(unicodedata.numeric(match.group()))), match.end()) if match else None
    return None if reading is None or reading.kind is ValueKind.NUMBER else reading


def _chinese_number(text: str, start: int) -> Reading | None:
    if IDIOMS.match(text, start):
        return None
    match = HAN.match(text, start)
    number = _plain_number(match.group()) if match else None
    if match is None or number is None or not (number or set(match.group()) & ZEROS):
        return None
    restated = RESTATED.match(text, match.end())
    if restated and Decimal(restated["digits"]) == number:
        return with_unit(text, *chinese_multiplied(text, number, restated.end()))
    reading = with_unit(text, number, match.end())
    if reading.kind is ValueKind.NUMBER:
        return reading if len(match.group()) > 1 and number >= 10 else None
    is_article = match.group() == "一" and reading.kind is ValueKind.QUANTITY
    return None if is_article else reading


def _spelt_number(text: str, start: int) -> Reading | None:
    match = SPELT_NUMBER.match(text, start)
    number = parse_english(match.group()) if match else None
    if match is None or number is None:
        return None
    restated = RESTATED.match(text, match.end())
    reading = with_unit(text, number, restated.end() if restated else match.end())
    is_article = match.group().casefold() == "one" and reading.kind in (ValueKind.NUMBER, ValueKind.QUANTITY)
    return None if is_article else reading


def _measured_first(text: str, start: int) -> Reading | None:
    """A digit that begins an amount with a Latin unit (8kW), which would otherwise read as an id."""
    reading = _number(text, start)
    if reading is None or reading.kind is ValueKind.NUMBER:
        return None
    return (
        None
        if text[reading.end - 1].isascii()
        and text[reading.end : reading.end + 1].isalnum()
        and text[reading.end].isascii()
        else reading
    )


def _negative(text: str, start: int) -> Reading | None:
    return read_negative(text, start, read)


def _bracketed(text: str, start: int) -> Reading | None:
    return read_bracketed(text, start, read)


_D, _T = ValueKind.DATE, ValueKind.TIME
_CHINESE_CLOCK = _date_rule(CHINESE_CLOCK, read_chinese_clock, _T)
_ENGLISH_CLOCK = _date_rule(ENGLISH_CLOCK, read_english_clock, _T)
_CHINESE_DATES = (
    _date_rule(dates.DAY_OF_MONTH, dates.read_day_of_month, _D),
    _date_rule(dates.CHINESE_DATE, dates.read_chinese_date, _D),
    _date_rule(dates.CHINESE_DAY, dates.read_chinese_day, _D),
)
_FROM_DIGIT: tuple[_Rule, ...] = (
    read_chinese_half,
    read_english_half,
    *_CHINESE_DATES,
    _date_rule(dates.NUMERIC_DATE, dates.read_numeric_date, _D),
    _date_rule(dates.SLASHED_DATE, dates.read_slashed_date, _D),
    _date_rule(dates.DAY_FIRST, dates.read_day_first, _D),
    _ENGLISH_CLOCK,
    _date_rule(dates.CLOCK, dates.read_clock, _T),
    _CHINESE_CLOCK,
    _date_rule(dates.ENGLISH_QUARTER, dates.read_english_quarter, _D),
    _fraction,
    _ordinal,
    read_grouped,
    _dotted,
    _measured_first,
    _identifier,
    _number,
)
_FROM_LETTER: tuple[_Rule, ...] = (
    _negative,
    read_english_half,
    _ENGLISH_CLOCK,
    _date_rule(dates.MONTH_FIRST, dates.read_month_first, _D),
    _date_rule(dates.ENGLISH_QUARTER, dates.read_english_quarter, _D),
    _named_clause,
    _bracketed,
    _money,
    _standard,
    _identifier,
    _spelt_number,
)
_FROM_SIGN: tuple[_Rule, ...] = (_named_clause, _bracketed, _negative, _money, _number)
_FROM_HAN: tuple[_Rule, ...] = (
    _negative,
    read_chinese_half,
    read_english_half,
    _CHINESE_CLOCK,
    _date_rule(dates.CHINESE_QUARTER, dates.read_chinese_quarter, _D),
    *_CHINESE_DATES,
    _chinese_clause,
    _ordinal,
    _named_clause,
    _bracketed,
    _money,
    _fraction,
    _roman_number,
    _chinese_number,
)
