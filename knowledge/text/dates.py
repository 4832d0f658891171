"""Dates and clock times in every usual spelling, as ISO 8601 texts of the precision that was written.

``2024-08-01``, ``2024-08``, ``2024``, ``2024-Q3``, ``2024-H1``;
without a year ``--08-01``, ``--08``, ``---10``; clock times
``09:30``.
"""

from __future__ import annotations

import re

from .numerals import CHINESE_DIGITS, parse_chinese

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH_NUMBERS = {
    **{name: number for number, name in enumerate(_MONTHS, start=1)},
    **{name[:3]: number for number, name in enumerate(_MONTHS, start=1)},
    "sept": 9,
}
_MONTH = r"(?P<name>jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)"  # noqa: E501
_WRITTEN_YEAR = "".join(dict.fromkeys(character for character in CHINESE_DIGITS if character not in "两兩"))
_YEAR = rf"(?P<year>(?:1[5-9]|20|21)\d\d|[{_WRITTEN_YEAR}]{{4}})"
_DAY_OR_MONTH = r"\d{1,2}|[一二三四五六七八九十廿卅]{1,3}"
_BEFORE_NUMBER = r"(?![\d０-９]|\.\d)"

CHINESE_DATE = re.compile(
    rf"{_YEAR}\s?年度?(?:\s?(?P<month>{_DAY_OR_MONTH})\s?月份?(?:\s?(?P<day>{_DAY_OR_MONTH})\s?[日号號])?"
    r"|\s?第?(?P<quarter>[1-4一二三四])季度|\s?(?P<half>[上下])半年)?"
)
CHINESE_DAY = re.compile(rf"(?P<month>{_DAY_OR_MONTH})\s?月(?:份|\s?(?P<day>{_DAY_OR_MONTH})\s?[日号號])?")
DAY_OF_MONTH = re.compile(rf"(?<=[每当當本次同]月)(?P<day>{_DAY_OR_MONTH})\s?[日号號]")
CHINESE_QUARTER = re.compile(r"第(?P<quarter>[1-4一二三四])季度")
NUMERIC_DATE = re.compile(
    rf"(?P<year>(?:1[5-9]|20|21)\d\d)(?P<sep>[-/.])(?P<month>\d{{1,2}})(?:(?P=sep)(?P<day>\d{{1,2}}))?{_BEFORE_NUMBER}(?![-/]\d)"
)
SLASHED_DATE = re.compile(rf"(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/(?P<year>(?:19|20)\d\d){_BEFORE_NUMBER}")
MONTH_FIRST = re.compile(
    rf"{_MONTH}\s+(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*,?\s*(?P<year>(?:1[5-9]|20|21)\d\d))?|,?\s*(?P<only>(?:1[5-9]|20|21)\d\d))\b",
    re.IGNORECASE,
)
DAY_FIRST = re.compile(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:\s*,?\s*(?P<year>(?:1[5-9]|20|21)\d\d))?\b",
    re.IGNORECASE,
)
ENGLISH_QUARTER = re.compile(
    r"(?P<part>[QH])(?P<number>[1-4])(?:\s+|\s?of\s+|/)?(?P<year>(?:19|20)\d\d)?\b|"
    r"(?P<year2>(?:19|20)\d\d)\s?(?P<part2>[QH])(?P<number2>[1-4])\b"
)
CLOCK = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?(?!\d)(?:\s?(?P<half>[ap]\.?m\b\.?))?|"
    r"(?P<hour2>\d{1,2})\s?(?P<half2>[ap]\.?m\b\.?)|(?P<hour3>\d{1,2})[时時](?P<minute3>\d{1,2})分(?!钟|鐘)",
    re.IGNORECASE,
)
_TENS = str.maketrans({"廿": "二十", "卅": "三十"})


def _small(text: str | None) -> int | None:
    if text is None:
        return None
    if text.isascii():
        return int(text)
    number = parse_chinese(text.translate(_TENS))
    return None if number is None else int(number)


def _year(text: str | None) -> str | None:
    number = _small(text)
    return None if number is None else f"{number:04d}"


def compose(year: str | None, month: int | None, day: int | None) -> str | None:
    """The ISO text of the parts that are there; None where month or day do not exist."""
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    parts = [year or "-"]
    parts += [f"{number:02d}" for number in (month, day) if number is not None]
    return "-".join(parts)


def read_chinese_date(match: re.Match[str]) -> str | None:
    """Canonical form of 2024年8月1日, 二〇二四年八月, 2024年第三季度 or 2024年上半年."""
    year = _year(match["year"])
    if match["quarter"]:
        return f"{year}-Q{_small(match['quarter'])}"
    if match["half"]:
        return f"{year}-H{1 if match['half'] == '上' else 2}"
    return compose(year, _small(match["month"]), _small(match["day"]))


def read_chinese_day(match: re.Match[str]) -> str | None:
    """Canonical form of 8月1日 or 8月."""
    return compose(None, _small(match["month"]), _small(match["day"]))


def read_day_of_month(match: re.Match[str]) -> str | None:
    """Canonical form of the day in 每月10日: ``---10``."""
    day = _small(match["day"])
    return f"---{day:02d}" if day is not None and 1 <= day <= 31 else None


def read_chinese_quarter(match: re.Match[str]) -> str | None:
    """Canonical form of 第三季度."""
    return f"--Q{_small(match['quarter'])}"


def read_numeric_date(match: re.Match[str]) -> str | None:
    """Canonical form of 2024/8/1, 2024-08-01, 2024.8.1 and 2024-08; not of 2024.8, which is a decimal."""
    if match["day"] is None and (match["sep"] == "." or len(match["month"]) != 2):
        return None
    return compose(match["year"], int(match["month"]), _small(match["day"]))


def read_slashed_date(match: re.Match[str]) -> str | None:
    """Canonical form of 8/13/2024 and 13/8/2024; the year alone of 3/4/2024, which is in March or in April."""
    first, second = int(match["first"]), int(match["second"])
    if first != second and max(first, second) <= 12:
        return str(match["year"])
    month, day = (second, first) if first > 12 else (first, second)
    return compose(match["year"], month, day)


def _named_month(match: re.Match[str]) -> int:
    name = match["name"].casefold().rstrip(".")
    return _MONTH_NUMBERS.get(name) or _MONTH_NUMBERS[name[:3]]


def read_month_first(match: re.Match[str]) -> str | None:
    """Canonical form of August 1, 2024, Aug. 1st and August 2024."""
    return compose(match["year"] or match["only"], _named_month(match), _small(match["day"]))


def read_day_first(match: re.Match[str]) -> str | None:
    """Canonical form of 1 August 2024 and 1st of August."""
    return compose(match["year"], _named_month(match), int(match["day"]))


def read_english_quarter(match: re.Match[str]) -> str | None:
    """Canonical form of Q3 2024, 2024Q3, H1 2024 and Q3."""
    part, number = match["part"] or match["part2"], match["number"] or match["number2"]
    year = match["year"] or match["year2"]
    if part == "H" and (number > "2" or not year):
        return None
    return f"{year or '-'}-{part}{number}"


def read_clock(match: re.Match[str]) -> str | None:
    """Canonical form of 14:30, 2:30 pm, 9am and 9时30分."""
    hour = int(match["hour"] or match["hour2"] or match["hour3"])
    minute = int(match["minute"] or match["minute3"] or 0)
    half = (match["half"] or match["half2"] or "").casefold()[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02d}:{minute:02d}" if hour <= 24 and minute < 60 else None


def is_year(text: str) -> bool:
    """Whether a bare number may be a year: four digits from 1900 to 2100."""
    return len(text) == 4 and text.isdigit() and 1900 <= int(text) <= 2100
