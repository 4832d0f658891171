"""Cell values as a reader of the sheet sees them."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from .xlsx_formats import is_date_format, sections_of, shown_number, without_literals

_HAS_TIME = re.compile(r"[hs]|am/pm", re.IGNORECASE)
_HAS_DATE = re.compile(r"[yde]|m{3,}", re.IGNORECASE)
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_LAST_DAY = 2_958_466  # of the year 9999; larger numbers are no dates


def shown(value: object, number_format: str) -> str:
    """A value's text: ISO dates, percentages and amounts as their format shows them, no ``.0`` on integers."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return shown_number(value, number_format) or plain_number(value)
    if isinstance(value, datetime):
        return _moment(value, number_format)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return _duration(value)
    return str(value)


def shown_serial(value: float, number_format: str, epoch: datetime) -> str | None:
    """A day number as its date, time or duration; None if the format is not one of a date or no day has it."""
    if not is_date_format(number_format) or not 0 <= value < _LAST_DAY:
        return None
    codes = sections_of(number_format)[0]
    if _ELAPSED.search(codes):
        return _duration(timedelta(days=value))
    moment = _from_serial(value, epoch)
    codes = without_literals(codes)
    if not _HAS_DATE.search(codes) and _HAS_TIME.search(codes):
        return moment.time().isoformat(timespec="seconds" if moment.second else "minutes")
    return _moment(moment, codes)


def _from_serial(value: float, epoch: datetime) -> datetime:
    """The moment of a day number. Lotus 1-2-3 took 1900 for a leap year, and Excel copied that: day 60 never was."""
    days = value + 1 if epoch.year == 1899 and 0 < value < 60 else value
    return epoch + timedelta(seconds=round(days * 86_400))


def plain_number(value: int | float) -> str:
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
    codes = without_literals(number_format)
    if value.time() == time.min and not _HAS_TIME.search(codes):
        day = value.date().isoformat()
        if value.day == 1 and re.search(r"[ye]", codes, re.IGNORECASE) and not re.search("d", codes, re.IGNORECASE):
            return day[:7] if re.search("m", codes, re.IGNORECASE) else day[:4]
        return day
    if not _HAS_TIME.search(codes) and _HAS_DATE.search(codes):
        return value.date().isoformat()
    return value.isoformat(sep=" ", timespec="seconds" if value.second else "minutes")


def _duration(value: timedelta) -> str:
    minutes, seconds = divmod(round(value.total_seconds()), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
