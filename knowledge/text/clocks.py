"""Clock times that a part of the day goes with: 下午2:30, 晚上八点半, 8 o'clock in the evening, noon."""

from __future__ import annotations

import re

from .numerals import CHINESE_DIGITS, parse_chinese, parse_english
from .value_patterns import SPELT_SMALL

DAY_PART = "上午|下午|中午|正午|午后|午後|凌晨|清晨|早上|早晨|傍晚|晚上|晚间|晚間|夜间|夜間|夜里|夜裡|今晚"
_NUMERAL = f"[{''.join(CHINESE_DIGITS)}十]{{1,3}}"
CHINESE_CLOCK = re.compile(
    rf"(?:(?P<part>{DAY_PART})\s?)?(?P<hour>\d{{1,2}}|{_NUMERAL})(?:"
    r":(?P<exact>\d\d)(?::\d\d)?(?!\d)"
    rf"|\s?[点點时時](?P<rest>[钟鐘整半]|[一三13]刻|\s?(?P<minute>\d{{1,2}}|{_NUMERAL})分(?!钟|鐘|之)|(?P<bare>\d\d)(?!\d))?)"
)
ENGLISH_CLOCK = re.compile(
    rf"(?P<hour>\d{{1,2}}|(?:{SPELT_SMALL})\b)(?::(?P<minute>\d\d))?(?:\s*o['’]clock)?\s+(?:in\s+the\s+(?P<part>morning|afternoon|evening)|at\s+(?P<night>night))\b"
    r"|(?:12(?::00)?\s+)?(?P<noon>noon)\b",
    re.IGNORECASE,
)
_NIGHT = frozenset(["晚上", "晚间", "晚間", "夜间", "夜間", "夜里", "夜裡", "今晚", "night"])
_AFTER_NOON = _NIGHT | {"下午", "午后", "午後", "傍晚", "afternoon", "evening"}
# Before this hour of the twelve, a time "at night" may be of the day that begins.
_EARLIEST_NIGHT_HOUR = 5


def read_chinese_clock(match: re.Match[str]) -> str | None:
    """Canonical form of 下午2:30, 晚上8点, 八点半 and 8点30分; not of a bare 8点, which may be 8 points."""
    part, rest = match["part"] or "", match["rest"] or ""
    if not part and (match["exact"] or match["bare"] or (rest not in ("半", "钟", "鐘", "整") and not match["minute"])):
        return None
    hour, minute = _number(match["hour"]), _minute(match, rest)
    return None if hour is None or minute is None else _time(hour, minute, part)


def _minute(match: re.Match[str], rest: str) -> int | None:
    if rest == "半":
        return 30
    if rest.endswith("刻"):
        return 15 if rest[0] in "一1" else 45
    return _number(match["exact"] or match["minute"] or match["bare"] or "0")


def read_english_clock(match: re.Match[str]) -> str | None:
    """Canonical form of 8 o'clock in the evening, 2:30 in the afternoon and noon."""
    if match["noon"]:
        return "12:00"
    hour = int(match["hour"]) if match["hour"].isdigit() else parse_english(match["hour"])
    part = (match["part"] or match["night"]).casefold()
    return None if hour is None else _time(int(hour), int(match["minute"] or 0), part)


def _number(text: str) -> int | None:
    number = int(text) if text.isdigit() else parse_chinese(text)
    return None if number is None else int(number)


def _time(hour: int, minute: int, part: str) -> str | None:
    """The time of 24 hours; None where the part of the day does not settle it."""
    if part in _NIGHT and hour < _EARLIEST_NIGHT_HOUR:
        return None
    if hour == 12 and part in _NIGHT:
        hour = 24
    elif (hour < 12 and part in _AFTER_NOON) or (hour < 3 and part in ("中午", "正午")):
        hour += 12
    elif hour == 12 and part == "凌晨":
        hour = 0
    return f"{hour:02d}:{minute:02d}" if hour <= 24 and minute < 60 else None
