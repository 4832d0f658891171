"""Cell values as a reader of the sheet sees them."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

_FIXED = re.compile(r"^[$¥€£￥\s\"]*(?:#,##)?0(?:\.(0+))?[\s\"元_)]*$")
_PERCENT = re.compile(r"0(?:\.(0+))?\s*%")
_HAS_TIME = re.compile(r"[hs]|am/pm", re.IGNORECASE)


def shown(value: object, number_format: str) -> str:
    """A value's text: ISO dates, percentages as such, decimals as the format rounds them, no ``.0`` on integers."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, number_format)
    if isinstance(value, datetime):
        return _moment(value, number_format)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _duration(value)
    return str(value)


def _number(value: int | float, number_format: str) -> str:
    section = number_format.split(";")[0]
    percent = _PERCENT.search(section)
    if percent:
        return f"{value * 100:.{len(percent.group(1) or '')}f}%"
    fixed = _FIXED.match(section)
    if fixed and isinstance(value, float) and fixed.group(1):
        return f"{value:.{len(fixed.group(1))}f}"
    return _plain(value)


def _plain(value: int | float) -> str:
    """Fifteen significant digits, which is what a spreadsheet keeps; no exponent below 10^15."""
    if isinstance(value, int):
        return str(value)
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = f"{value:.15g}"
    if "e" in text and 1e-9 < abs(value) < 1:
        return f"{value:.15f}".rstrip("0")
    return text


def _moment(value: datetime, number_format: str) -> str:
    if value.time() == time.min and not _HAS_TIME.search(number_format):
        return value.date().isoformat()
    return value.isoformat(sep=" ", timespec="seconds" if value.second else "minutes")


def _duration(value: timedelta) -> str:
    minutes, seconds = divmod(round(value.total_seconds()), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
