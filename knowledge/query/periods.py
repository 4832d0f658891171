"""Periods of time in questions: absolute (2023年以后, since March 2023) and relative to today (最近三个月)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from ..text.numerals import parse_chinese
from ..text.values import Value, ValueKind, find_values
from .dating import Interval, interval_of


class Period(NamedTuple):
    """A period in a text: first and last day (None: open), its place, and whether it counts back from today."""

    first: date | None
    last: date | None
    start: int
    end: int
    is_window: bool = False

    @property
    def is_whole_year(self) -> bool:
        """Whether it is one calendar year."""
        if self.first is None or self.last is None:
            return False
        return (self.first.month, self.first.day, self.last) == (1, 1, date(self.first.year, 12, 31))


_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER_WORDS = {word: number for number, word in enumerate(_WORDS, start=1)}
_MOST_BACK = 1_200
"""Units that a window may reach back: beyond, a number is no period that anybody means."""

_JOINT = re.compile(r"\s*年?\s*(?:至|到|-|–|—|~|～|、|和|与|及|to|until|through|and)\s*", re.IGNORECASE)
_SINCE = re.compile(r"\s*(?:及其?)?(?:以来|以后|之后|起|开始|以降|后(?!勤|台|端|续|期))")
_UNTIL = re.compile(r"\s*(?:以前|之前|前(?!台|端|期|三|五|十|\d))")
_YEAR_END = re.compile(r"\s*(?:年?底|末|年末)(?:以前|之前|前)")
_ENGLISH_LEAD = re.compile(
    r"\b(?P<word>since|after|before|until|till|by|from|between|in|on|during|of|starting|as of|up to)"
    r"\s+(?:the\s+)?(?:year\s+|beginning\s+of\s+)?$",
    re.IGNORECASE,
)
# 提前三天, 到期前三个月 and 公元前221年 count from something else than today, 附近 and 目前 are words of their own.
_WINDOW = re.compile(
    r"(?:最近|(?<![附临接邻靠将])近|过去|(?:(?<![\u4e00-\u9fff])|(?<=[在从的查找看把对和与及]))前)(?:的)?这?(?P<number>\d{1,4}|[一二两三四五六七八九十百半]{1,4})\s?个?(?P<unit>年|季度|月|星期|周|天|日)(?:内|以来|里|间|之内)?"
)
_ENGLISH_WINDOW = re.compile(
    r"\b(?P<lead>(?:in|from|over|during|within)\s+)?(?:the\s+)?(?:last|past|previous)\s+(?P<number>\d{1,4}|"
    + "|".join(_NUMBER_WORDS)
    + r")\s+(?P<unit>year|quarter|month|week|day)s?\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"(?P<back>大前年|前年|去年|上一?年度?|今年|本年度?|当年)(?P<half>[上下]半年)?(?P<since>以来)?|(?P<month>上一?个?月|本月|这个?月)|(?P<quarter>上一?个?季度?|本季度?)|(?P<week>上一?周|上个?星期|本周|这周|这个?星期)|(?P<day>昨天|昨日|今天|今日)"
)
_YEARS_BACK = {"大前年": 3, "前年": 2, "去年": 1, "上年": 1, "上一年": 1, "上年度": 1, "上一年度": 1}
_ENGLISH_RELATIVE = re.compile(
    r"\b(?P<lead>(?:in|from|during|since)\s+)?(?P<which>last|this|the previous|the current)"
    r"\s+(?P<unit>year|quarter|month|week)\b"
    r"|\b(?P<day>yesterday|today)\b",
    re.IGNORECASE,
)


def find_periods(text: str, today: date) -> tuple[Period, ...]:
    """Every period of the text in order, without overlaps; offsets refer to the text.

    Args:
        text: with full-width characters folded.
        today: what 去年 and `last month` count from.
    """
    found: list[Period] = []
    for period in sorted((*_windows(text, today), *_relatives(text, today), *_absolutes(text)), key=_place):
        if not found or period.start >= found[-1].end:
            found.append(period)
    return tuple(found)


def _place(period: Period) -> tuple[int, int]:
    return period.start, -period.end


def _windows(text: str, today: date) -> Iterator[Period]:
    for match in (*_WINDOW.finditer(text), *_ENGLISH_WINDOW.finditer(text)):
        number = _number(match["number"])
        first = None if number is None else _back(today, number, match["unit"].casefold())
        if first is not None:
            yield Period(first, today, match.start(), match.end(), is_window=True)


def _number(text: str) -> float | None:
    if text == "半":
        return 0.5
    if text.casefold() in _NUMBER_WORDS:
        return _NUMBER_WORDS[text.casefold()]
    number = int(text) if text.isdecimal() else parse_chinese(text)
    return None if number is None or not 0 < number <= _MOST_BACK else float(number)


def _back(today: date, number: float, unit: str) -> date | None:
    months = {"年": 12, "year": 12, "季度": 3, "quarter": 3, "月": 1, "month": 1}.get(unit)
    if months is None:
        days = number * (7 if unit in ("周", "星期", "week") else 1)
        return today - timedelta(days=round(days)) if today.toordinal() > days else None
    total = today.year * 12 + today.month - 1 - int(number * months)
    if total < 12:
        return None
    return _in_month(total // 12, total % 12 + 1, today.day)


def _in_month(year: int, month: int, day: int) -> date:
    """The day, or the last day of a month that is shorter."""
    month_days = interval_of(f"{year:04d}-{month:02d}")
    assert month_days is not None
    return min(month_days.first + timedelta(days=day - 1), month_days.last)


def _relatives(text: str, today: date) -> Iterator[Period]:
    for match in _RELATIVE.finditer(text):
        days = _chinese_relative(match, today)
        if days is not None:
            last = today if match["since"] else days.last
            yield Period(days.first, last, match.start(), match.end())
    for match in _ENGLISH_RELATIVE.finditer(text):
        days = _english_relative(match, today)
        if days is not None:
            since = (match["lead"] or "").strip().casefold() == "since"
            yield Period(days.first, None if since else days.last, match.start(), match.end())


def _chinese_relative(match: re.Match[str], today: date) -> Interval | None:
    if said := match["back"]:
        half = {"上": "-H1", "下": "-H2"}[match["half"][0]] if match["half"] else ""
        return interval_of(f"{today.year - _YEARS_BACK.get(said, 0):04d}{half}")
    back = 1 if match.group().startswith(("上", "昨")) else 0
    unit = next(name for name in ("month", "quarter", "week", "day") if match[name])
    return _unit_back(today, unit, back)


def _english_relative(match: re.Match[str], today: date) -> Interval | None:
    if match["day"]:
        return _unit_back(today, "day", int(match["day"].casefold() == "yesterday"))
    back = int(match["which"].casefold() in ("last", "the previous"))
    return _unit_back(today, match["unit"].casefold(), back)


def _unit_back(today: date, unit: str, back: int) -> Interval | None:
    if unit == "year":
        return interval_of(f"{today.year - back:04d}")
    if unit in ("week", "day"):
        days = 7 if unit == "week" else 1
        if today.toordinal() <= 14:
            return None
        first = today - timedelta(days=back * days + (today.weekday() if unit == "week" else 0))
        return Interval(first, min(first, date.max - timedelta(days=days)) + timedelta(days=days - 1))
    length = 3 if unit == "quarter" else 1
    number = (today.year * 12 + today.month - 1) // length - back
    year, part = divmod(number, 12 // length)
    return interval_of(f"{year:04d}-Q{part + 1}" if unit == "quarter" else f"{year:04d}-{part + 1:02d}")


def _absolutes(text: str) -> Iterator[Period]:
    dated = [(value, days) for value in _dates(text) if (days := interval_of(value.canonical))]
    index = 0
    while index < len(dated):
        value, days = dated[index]
        lead = _lead(text, value.start)
        follows = dated[index + 1] if index + 1 < len(dated) else None
        if follows and _joined(text, value, follows[0], lead):
            end = follows[1]
            first, last = min(days.first, end.first), max(days.last, end.last)
            yield Period(first, last, _from(lead, value.start), follows[0].end)
            index += 2
            continue
        yield _open_period(text, value, days, lead)
        index += 1


def _dates(text: str) -> list[Value]:
    """The dates of a text, with bare years that English joins (from 2022 to 2024)."""
    found = [value for value in find_values(text) if value.kind is ValueKind.DATE]
    for match in re.finditer(r"(?<![\d.,/-])(?:19|20)\d\d(?![\d.%/-]|,\d)", text):
        if not any(value.start <= match.start() < value.end for value in found):
            found.append(Value(ValueKind.DATE, match.group(), "", match.start(), match.end(), match.group()))
    return sorted(found, key=lambda value: value.start)


def _joined(text: str, one: Value, other: Value, lead: re.Match[str] | None) -> bool:
    between = text[one.end : other.start]
    joint = _JOINT.fullmatch(between)
    return joint is not None and ("and" not in between or (lead is not None and lead["word"].casefold() == "between"))


def _lead(text: str, start: int) -> re.Match[str] | None:
    return _ENGLISH_LEAD.search(text, max(0, start - 30), start)


def _from(lead: re.Match[str] | None, start: int) -> int:
    return lead.start() if lead else start


def _open_period(text: str, value: Value, days: Interval, lead: re.Match[str] | None) -> Period:
    word = lead["word"].casefold() if lead else ""
    start = _from(lead, value.start)
    for pattern, first, last in (
        (_YEAR_END, None, days.last),
        (_SINCE, days.first, None),
        (_UNTIL, None, _day_before(days.first)),
    ):
        if behind := pattern.match(text, value.end):
            return Period(first, last, start, behind.end())
    if word in ("since", "starting", "as of"):
        return Period(days.first, None, start, value.end)
    if word == "after":
        return Period(_day_after(days.last), None, start, value.end)
    if word == "before":
        return Period(None, _day_before(days.first), start, value.end)
    if word in ("until", "till", "by", "up to"):
        return Period(None, days.last, start, value.end)
    return Period(days.first, days.last, start, value.end)


def _day_before(day: date) -> date:
    return day - timedelta(days=1) if day > date.min else day


def _day_after(day: date) -> date:
    return day + timedelta(days=1) if day < date.max else day
