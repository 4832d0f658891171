"""Finds the values in a text and gives each one spelling: numbers, amounts, dates, durations, clauses, ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import zip_longest
from typing import NamedTuple

from . import dates
from .normalise import fold_widths
from .numerals import (
    CHINESE_LARGE_UNITS,
    CHINESE_NUMERAL_CHARACTERS,
    ENGLISH_MULTIPLIERS,
    ENGLISH_NUMBERS,
    decimal_text,
    parse_chinese,
    parse_english,
)
from .units import CLAUSE_UNITS, CURRENCY_SIGNS, ORDINAL_UNITS, UNITS, Unit, ValueKind

__all__ = ["Value", "ValueKind", "find_values"]


class Value(NamedTuple):
    """One value as it stands in a text.

    Two values say the same if `kind`, `canonical` and `unit` are equal (`key`). `canonical` is a decimal in base
    units (``15000`` for 1.5万元), an ISO date, a clause number or an id; `unit` is the base unit (``CNY``,
    ``workday``, ``W``), the part of the document that a clause number names (``条``), or empty.
    """

    kind: ValueKind
    canonical: str
    unit: str
    start: int
    end: int
    raw: str

    @property
    def key(self) -> tuple[ValueKind, str, str]:
        """What is compared: the value without its place."""
        return self.kind, self.canonical, self.unit


class _Reading(NamedTuple):
    kind: ValueKind
    canonical: str
    unit: str
    end: int


_HAN_NUMERAL = f"[{CHINESE_NUMERAL_CHARACTERS}]"
_ARABIC = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?"
_SPELT_SMALL = "|".join(sorted(ENGLISH_NUMBERS, key=len, reverse=True))
_SPELT_LARGE = "|".join(ENGLISH_MULTIPLIERS)
_SPELT = rf"(?:{_SPELT_SMALL}|hundred)(?:[-\s]+(?:and\s+)?(?:{_SPELT_SMALL}|{_SPELT_LARGE}))*\b"

_CANDIDATE = re.compile(
    rf"[\d¥$€£§第百千]|(?<![A-Za-z])[A-Za-z]|{_HAN_NUMERAL}|[-+－](?=\d)|附[件录錄表]|人民[币幣]", re.IGNORECASE
)
_WORD_REST = re.compile(r"[A-Za-z]*")
_NUMBER = re.compile(rf"(?P<sign>[-+])?(?P<digits>{_ARABIC})(?P<chinese>\s?[十百千万萬亿億]+)?")
_MULTIPLIER = re.compile(rf"\s?(?P<word>{_SPELT_LARGE}|trillion|mn|bn)\b|(?P<letter>[kKMmBb])(?![A-Za-z0-9])", re.IGNORECASE)
_LETTERS = {"k": 10**3, "m": 10**6, "b": 10**9, "mn": 10**6, "bn": 10**9, "trillion": 10**12}
_IS_JOINED = re.compile(r"[A-Za-z0-9)\]%]")
_NAMES_YEAR = re.compile(r"\b(?:in|since|by|from|until|till|during|of|for|before|after|year|years|FY|fiscal)\s?$", re.IGNORECASE)
_LONGEST_YEAR_NAME = 8
_HAN = re.compile(rf"{_HAN_NUMERAL}+(?:点[〇零一二三四五六七八九]+)?")
_SPELT_NUMBER = re.compile(_SPELT, re.IGNORECASE)
_RESTATED = re.compile(r"\s?\(\s?\d+\s?\)")
_MANY = re.compile(r"\s?[多余餘来來几幾](?=\s?\D)")

_SPELLINGS = sorted(UNITS, key=len, reverse=True)
_UNIT = re.compile(
    r"[\s-]?(?P<unit>" + "|".join(re.escape(s) + ("(?![A-Za-z0-9])" if s[-1].isascii() and s[-1].isalnum() else "")
                              for s in _SPELLINGS) + ")"
)
_SPACED_SYMBOLS = frozenset("VWmgLh")

_SIGN = re.compile("(?:" + "|".join(re.escape(s) for s in sorted(CURRENCY_SIGNS, key=len, reverse=True)) + r")\s?(?=[\d.])")
_CHINESE_PERCENT = re.compile(rf"(?P<base>百|千|万)分之(?P<number>{_HAN_NUMERAL}+(?:点[〇零一二三四五六七八九]+)?|{_ARABIC})")
_CHINESE_FRACTION = re.compile(rf"(?P<below>{_HAN_NUMERAL}+|\d+)分之(?P<above>{_HAN_NUMERAL}+|\d+)")
_CLAUSE = re.compile(
    rf"第\s?[((]?(?P<number>{_HAN_NUMERAL}+|\d+)[))]?\s?(?P<unit>[条條款项項目章节節编編])(?:之(?P<sub>[一二三四五六七八九十]|\d+))?"
)
_ORDINAL = re.compile(rf"第\s?(?P<number>{_HAN_NUMERAL}+|\d+)\s?(?P<unit>[{ORDINAL_UNITS}])")
_NUMBERED = re.compile(r"(?P<number>\d+)(?P<unit>号|號)(?![楼院门线])")
_CLAUSE_WORDS = "|".join(re.escape(word) for word in sorted(CLAUSE_UNITS, key=len, reverse=True) if word.isascii())
_ENGLISH_CLAUSE = re.compile(
    rf"(?P<unit>{_CLAUSE_WORDS}|§|附[件录錄表])\s?(?P<number>\d+(?:\.\d+)*|[IVXLC]+\b|[A-Z]\b|{_HAN_NUMERAL}+)(?:\([a-z0-9]+\))?",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?=[A-Za-z0-9/_.-]*[A-Za-z])(?=[A-Za-z0-9/_.-]*\d)[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+|\.\d+)*")
_SPACED_STANDARD = re.compile(r"(?:GB(?:/[TZ])?|ISO|IEC|IEEE|DIN|EN|ANSI|JB(?:/T)?|DL(?:/T)?|YY(?:/T)?|ZC|HG/T|QB/T)\s?\d[\d.]*(?:-\d{1,4}){0,2}\b")
_DOTTED = re.compile(r"\d+(?:\.\d+){2,}(?![\d.]*\d)")
_RANGE = re.compile(r"\s?(?:[-–—~～至到]|to|and)\s?", re.IGNORECASE)
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_IDIOMS = re.compile("十分(?!之)|千万(?![元美欧港吨公千人户亩株头只台套份字平立])|万一|千百|百万(?=雄|富)|十足|百般|万分(?!之)|百姓|千克|万物|万能|万向")


def find_values(text: str) -> tuple[Value, ...]:
    """Every value of the text in order, without overlaps; offsets refer to the text as given.

    Bare Chinese numerals of one character (一致, 三者) and articles (一个, one) are words, not values.
    """
    folded = fold_widths(text)
    found = list(_scan(folded))
    return tuple(value._replace(raw=text[value.start : value.end]) for value in _complete_ranges(folded, found))


def _scan(text: str) -> Iterator[Value]:
    position, last_end = 0, -1
    while candidate := _CANDIDATE.search(text, position):
        start = candidate.start()
        # Right behind a value a dash joins a range (5%-10%) and is no minus.
        reading = None if start == last_end and text[start] in "+-" else _read(text, start)
        if reading is not None:
            yield Value(reading.kind, reading.canonical, reading.unit, start, reading.end, text[start : reading.end])
            position = last_end = reading.end
        else:
            position = _skip(text, start)


def _skip(text: str, start: int) -> int:
    rest = _WORD_REST.match(text, start)
    return max(start + 1, rest.end() if rest else 0)


def _read(text: str, start: int) -> _Reading | None:
    character = text[start]
    if character.isascii() and character.isdigit():
        rules = _FROM_DIGIT
    elif character.isascii() and character.isalpha():
        rules = _FROM_LETTER
    else:
        rules = _FROM_SIGN if character in "¥$€£§+-" else _FROM_HAN
    return next((reading for rule in rules if (reading := rule(text, start)) is not None), None)


_Rule = Callable[[str, int], _Reading | None]


def _date_rule(pattern: re.Pattern[str], read: Callable[[re.Match[str]], str | None], kind: ValueKind) -> _Rule:
    def rule(text: str, start: int) -> _Reading | None:
        match = pattern.match(text, start)
        canonical = read(match) if match else None
        return _Reading(kind, canonical, "", match.end()) if match and canonical else None

    return rule


def _identifier(text: str, start: int) -> _Reading | None:
    match = _IDENTIFIER.match(text, start)
    if match is None:
        return None
    return _Reading(ValueKind.IDENTIFIER, match.group().upper().replace("_", "-"), "", match.end())


def _standard(text: str, start: int) -> _Reading | None:
    match = _SPACED_STANDARD.match(text, start)
    return _Reading(ValueKind.IDENTIFIER, match.group().replace(" ", ""), "", match.end()) if match else None


def _dotted(text: str, start: int) -> _Reading | None:
    match = _DOTTED.match(text, start)
    return _Reading(ValueKind.IDENTIFIER, match.group(), "", match.end()) if match else None


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
    values = [_ROMAN[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def _chinese_clause(text: str, start: int) -> _Reading | None:
    match = _CLAUSE.match(text, start)
    number = _whole_number(match["number"]) if match else None
    if match is None or number is None:
        return None
    sub = f"-{_whole_number(match['sub'])}" if match["sub"] else ""
    return _Reading(ValueKind.CLAUSE, number + sub, CLAUSE_UNITS[match["unit"]], match.end())


def _named_clause(text: str, start: int) -> _Reading | None:
    match = _ENGLISH_CLAUSE.match(text, start)
    number = _whole_number(match["number"]) if match else None
    if match is None or number is None:
        return None
    return _Reading(ValueKind.CLAUSE, number, CLAUSE_UNITS[match["unit"].casefold()], match.end())


def _ordinal(text: str, start: int) -> _Reading | None:
    match = _ORDINAL.match(text, start) or _NUMBERED.match(text, start)
    number = _whole_number(match["number"]) if match else None
    if match is None or number is None:
        return None
    return _Reading(ValueKind.ORDINAL, number, match["unit"].replace("號", "号"), match.end())


def _fraction(text: str, start: int) -> _Reading | None:
    if match := _CHINESE_PERCENT.match(text, start):
        number = _plain_number(match["number"])
        scale = {"百": 1, "千": 10, "万": 100}[match["base"]]
        return number and _Reading(ValueKind.PERCENT, decimal_text(number / scale), "%", match.end()) or None
    match = _CHINESE_FRACTION.match(text, start)
    if match is None:
        return None
    above, below = _whole_number(match["above"]), _whole_number(match["below"])
    return _Reading(ValueKind.NUMBER, f"{above}/{below}", "", match.end()) if above and below else None


def _plain_number(text: str) -> Decimal | None:
    if text.isascii():
        return Decimal(text.replace(",", ""))
    whole, _, fraction = text.partition("点")
    number = parse_chinese(whole)
    if number is None or not fraction:
        return number
    digits = parse_chinese(fraction)
    return None if digits is None else number + digits.scaleb(-len(fraction))


def _money(text: str, start: int) -> _Reading | None:
    sign = _SIGN.match(text, start)
    number = _NUMBER.match(text, sign.end()) if sign else None
    if sign is None or number is None:
        return None
    amount, end = _amount(number), number.end()
    if multiplier := _MULTIPLIER.match(text, end):
        name = (multiplier["word"] or multiplier["letter"]).casefold()
        amount, end = amount * (ENGLISH_MULTIPLIERS.get(name) or _LETTERS[name]), multiplier.end()
    unit = None if text[end : end + 1].isspace() else _unit_at(text, end)
    end = unit[1] if unit and unit[0].kind is ValueKind.MONEY else end
    return _Reading(ValueKind.MONEY, decimal_text(amount), CURRENCY_SIGNS[sign.group().strip().upper()], end)


def _amount(match: re.Match[str]) -> Decimal:
    amount = Decimal(match["digits"].replace(",", "")) * (-1 if match["sign"] == "-" else 1)
    for character in (match["chinese"] or "").strip():
        amount *= CHINESE_LARGE_UNITS.get(character) or {"十": 10, "百": 100, "千": 1000}[character]
    return amount


def _unit_at(text: str, end: int) -> tuple[Unit, int] | None:
    match = _UNIT.match(text, end)
    if match is None:
        return None
    spelling, spaced = match["unit"], match.start("unit") > end
    if spaced and len(spelling) == 1 and spelling.isascii() and spelling.isalpha() and spelling not in _SPACED_SYMBOLS:
        return None
    return UNITS[spelling], match.end()


def _with_unit(text: str, number: Decimal, end: int) -> _Reading:
    many = _MANY.match(text, end)
    unit = _unit_at(text, many.end() if many else end)
    if unit is None:
        return _Reading(ValueKind.NUMBER, decimal_text(number), "", end)
    meaning, unit_end = unit
    return _Reading(meaning.kind, decimal_text(number * meaning.factor), meaning.base, unit_end)


def _number(text: str, start: int) -> _Reading | None:
    match = _NUMBER.match(text, start)
    if match is None or (match["sign"] and _IS_JOINED.search(text, max(0, start - 1), start)):
        return None
    number, end = _amount(match), match.end()
    multiplier = _MULTIPLIER.match(text, end)
    if multiplier and multiplier["word"]:
        name = multiplier["word"].casefold()
        number, end = number * (ENGLISH_MULTIPLIERS.get(name) or _LETTERS[name]), multiplier.end()
    reading = _with_unit(text, number, end)
    is_year = reading.kind is ValueKind.NUMBER and dates.is_year(match.group())
    if is_year and _NAMES_YEAR.search(text, max(0, start - _LONGEST_YEAR_NAME), start):
        return reading._replace(kind=ValueKind.DATE)
    return reading


def _chinese_number(text: str, start: int) -> _Reading | None:
    if _IDIOMS.match(text, start):
        return None
    match = _HAN.match(text, start)
    number = _plain_number(match.group()) if match else None
    if match is None or number is None:
        return None
    reading = _with_unit(text, number, match.end())
    if reading.kind is ValueKind.NUMBER:
        return reading if len(match.group()) > 1 and number >= 10 else None
    is_article = match.group() == "一" and reading.kind is ValueKind.QUANTITY
    return None if is_article else reading


def _spelt_number(text: str, start: int) -> _Reading | None:
    match = _SPELT_NUMBER.match(text, start)
    number = parse_english(match.group()) if match else None
    if match is None or number is None:
        return None
    restated = _RESTATED.match(text, match.end())
    reading = _with_unit(text, number, restated.end() if restated else match.end())
    is_article = match.group().casefold() == "one" and reading.kind in (ValueKind.NUMBER, ValueKind.QUANTITY)
    return None if is_article else reading


def _measured_first(text: str, start: int) -> _Reading | None:
    """A digit that begins an amount with a Latin unit (8kW), which would otherwise read as an id."""
    reading = _number(text, start)
    if reading is None or reading.kind is ValueKind.NUMBER:
        return None
    return None if text[reading.end - 1].isascii() and text[reading.end : reading.end + 1].isalnum() and text[reading.end].isascii() else reading


_D, _T = ValueKind.DATE, ValueKind.TIME
_CHINESE_DATES = (
    _date_rule(dates.DAY_OF_MONTH, dates.read_day_of_month, _D),
    _date_rule(dates.CHINESE_DATE, dates.read_chinese_date, _D),
    _date_rule(dates.CHINESE_DAY, dates.read_chinese_day, _D),
)
_FROM_DIGIT: tuple[_Rule, ...] = (
    *_CHINESE_DATES,
    _date_rule(dates.NUMERIC_DATE, dates.read_numeric_date, _D),
    _date_rule(dates.AMERICAN_DATE, dates.read_american_date, _D),
    _date_rule(dates.DAY_FIRST, dates.read_day_first, _D),
    _date_rule(dates.CLOCK, dates.read_clock, _T),
    _date_rule(dates.ENGLISH_QUARTER, dates.read_english_quarter, _D),
    _fraction, _ordinal, _dotted, _measured_first, _identifier, _number,
)
_FROM_LETTER: tuple[_Rule, ...] = (
    _date_rule(dates.MONTH_FIRST, dates.read_month_first, _D),
    _date_rule(dates.ENGLISH_QUARTER, dates.read_english_quarter, _D),
    _named_clause, _money, _standard, _identifier, _spelt_number,
)
_FROM_SIGN: tuple[_Rule, ...] = (_named_clause, _money, _number)
_FROM_HAN: tuple[_Rule, ...] = (
    _date_rule(dates.CHINESE_QUARTER, dates.read_chinese_quarter, _D),
    *_CHINESE_DATES, _chinese_clause, _ordinal, _named_clause, _money, _fraction, _chinese_number,
)


def _complete_ranges(text: str, values: list[Value]) -> Iterator[Value]:
    """Gives the first number of a range its unit: in 10至15个工作日 both are working days."""
    for value, following in zip_longest(values, values[1:]):
        is_open = following is not None and value.kind is ValueKind.NUMBER
        if following and is_open and _RANGE.fullmatch(text, value.end, following.start):
            yield _inherit(text, value, following)
        else:
            yield value


def _inherit(text: str, value: Value, following: Value) -> Value:
    number = _NUMBER.match(following.raw) or _HAN.match(following.raw)
    if number is None:
        return value
    has_multiplier = value.raw[-1] in CHINESE_LARGE_UNITS
    cut = number.end() if has_multiplier or "chinese" not in number.groupdict() else number.end("digits")
    reading = _read(value.raw + following.raw[cut:], 0)
    if reading is None or reading.unit != following.unit:
        return value
    return value._replace(kind=reading.kind, canonical=reading.canonical, unit=reading.unit)
