"""Working days by the user's file, by the holidays of a country, or by the weekdays alone."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...configs.calendar_settings import CalendarSettings
from ...errors import SettingsError
from .faults import Fault, fault

if TYPE_CHECKING:
    from holidays import HolidayBase

MOST_WORKDAYS = 10_000
"""That are counted on from a day."""
MOST_DAYS = 40_000
"""Between two days whose working days are counted: some 110 years."""
_SATURDAY = 5
_YEARS_BACK = 10


class _File(BaseModel):
    """The user's calendar. A day may be given with its name (`2025-10-01: 国庆节`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    holidays: dict[date, str] = Field(default_factory=dict)
    workdays: dict[date, str] = Field(default_factory=dict)


class DayKind(NamedTuple):
    """Whether a day is a working day, and the holiday or the reason that makes it what it is."""

    is_workday: bool
    name: str = ""


class WorkCalendar:
    """Which days are working days; the file and the holidays are read when first needed.

    Args:
        settings: where they come from.
        language: of the names and notes.

    Raises:
        SettingsError: by its methods, where the file cannot be read or the country is unknown.
    """

    def __init__(self, settings: CalendarSettings, language: str = "zh") -> None:
        self._settings = settings
        self._language = language

    def kind_of(self, day: date) -> DayKind:
        """What a day is."""
        if day in self._file.workdays:
            return DayKind(is_workday=True, name=self._file.workdays[day])
        if day in self._file.holidays:
            return DayKind(is_workday=False, name=self._file.holidays[day])
        if self._country is None:
            return DayKind(day.weekday() < _SATURDAY)
        return DayKind(self._country.is_working_day(day), str(self._country.get(day) or ""))

    def is_workday(self, day: date) -> bool:
        """Whether a day is a working day."""
        return self.kind_of(day).is_workday

    def after(self, start: date, count: int) -> date:
        """The working day so many working days after a day, which itself does not count; negative: before it.

        Raises:
            CalculationError: there are too many, or the calendar ends.
        """
        if abs(count) > MOST_WORKDAYS:
            raise fault(Fault.WORKDAYS_TOO_MANY, most=f"{MOST_WORKDAYS:,}")
        step, left, day = timedelta(days=1 if count > 0 else -1), abs(count), start
        while left:
            day = _moved(day, step)
            left -= self.is_workday(day)
        return day

    def between(self, first: date, last: date) -> int:
        """Working days after the first day up to and with the last; negative where that is earlier.

        Raises:
            CalculationError: they lie too far apart.
        """
        days = (last - first).days
        if abs(days) > MOST_DAYS:
            raise fault(Fault.DAYS_TOO_MANY, most=f"{MOST_DAYS:,}")
        low = min(first, last)
        counted = sum(self.is_workday(low + timedelta(days=number)) for number in range(1, abs(days) + 1))
        return counted if days >= 0 else -counted

    def used(self, first: date, last: date) -> str:
        """Which calendar has said what the days from one to another are, and where it says nothing."""
        years = range(min(first, last).year, max(first, last).year + 1)
        name = self._named()
        unknown = [year for year in years if not self._covers(year)] if name else []
        if not name:
            return _SAID["weekdays"][self._language]
        said = _SAID["used"][self._language].format(name)
        missing = "、" if self._language == "zh" else ", "
        listed = missing.join(map(str, unknown[:3])) + ("…" if len(unknown) > 3 else "")
        return said + (_SAID["unknown"][self._language].format(listed) if unknown else "")

    def _named(self) -> str:
        file, country = self._settings.file, self._settings.country
        return " + ".join(name for name in (file.name if file else "", country or "") if name)

    def _covers(self, year: int) -> bool:
        if any(day.year == year for day in (*self._file.holidays, *self._file.workdays)):
            return True
        country = self._country
        if country is None or not country.start_year <= year <= country.end_year:
            return False
        moved = self._moved_years
        return not moved or year in moved

    @cached_property
    def _moved_years(self) -> frozenset[int]:
        """The years for which a country has announced moved working days; empty where it moves none."""
        country, this_year = self._country, date.today().year
        if country is None:
            return frozenset()
        for year in range(this_year - _YEARS_BACK, this_year + 2):
            date(year, 1, 1) in country  # noqa: B015 - the library fills a year when it is first asked for
        recent = {day.year for day in country.weekend_workdays if day.year >= this_year - _YEARS_BACK}
        return frozenset(day.year for day in country.weekend_workdays) if len(recent) > 1 else frozenset()

    @cached_property
    def _file(self) -> _File:
        path = self._settings.file
        return _File() if path is None else read_calendar(path)

    @cached_property
    def _country(self) -> HolidayBase | None:
        code = self._settings.country
        if code is None:
            return None
        import holidays  # noqa: PLC0415 - its tables are read only where a country is set

        try:
            known = holidays.country_holidays(code)
        except NotImplementedError as error:
            raise SettingsError(f"tools.calendar.country: no holidays of {code} are known; give a file") from error
        wanted = {"zh": "zh_CN", "en": "en_US"}[self._language]
        languages = known.supported_languages
        return holidays.country_holidays(code, language=wanted) if wanted in languages else known


_SAID = {
    "weekdays": {
        "zh": "工作日只按周一至周五计算，未计节假日和调休；可用设置 tools.calendar 指定。",
        "en": "Working days are Monday to Friday, without holidays; set tools.calendar to count them.",
    },
    "used": {"zh": "工作日按日历 {0} 计算。", "en": "Working days are counted by the calendar {0}."},
    "unknown": {
        "zh": "该日历没有 {0} 年的放假和调休安排，这部分可能与实际不同。",
        "en": " It does not know the holidays and moved working days of {0}; these may differ.",
    },
}


def _moved(day: date, step: timedelta) -> date:
    try:
        return day + step
    except OverflowError as error:
        raise fault(Fault.OUTSIDE_OF_YEARS) from error


def read_calendar(path: Path) -> _File:
    """The days of a calendar file.

    Raises:
        SettingsError: it cannot be read or holds something else.
    """
    import yaml  # noqa: PLC0415

    try:
        held = yaml.safe_load(path.read_text(encoding="utf-8-sig")) or {}
        named = {name: _named_days(days) for name, days in held.items()} if isinstance(held, dict) else held
        read = _File.model_validate(named)
    except OSError as error:
        raise SettingsError(f"tools.calendar.file: {path} cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError, ValidationError, TypeError) as error:
        raise SettingsError(
            f"tools.calendar.file: {path}: write lists of days, holidays: [2025-10-01], workdays: [2025-09-28]"
        ) from error
    both = sorted(set(read.holidays) & set(read.workdays))
    if both:
        raise SettingsError(f"tools.calendar.file: {path}: {both[0]} is both a holiday and a working day")
    return read


def _named_days(days: Any) -> Any:
    """A list of days, or of days with names, as days with names."""
    if not isinstance(days, list):
        return {} if days is None else days
    pairs = [next(iter(day.items())) if isinstance(day, dict) and day else (day, "") for day in days]
    return {day: name or "" for day, name in pairs}
