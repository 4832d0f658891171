"""Dates: days, months, working days by the weekdays, by a country, by the user's own calendar."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.configs.calendar_settings import CalendarSettings
from veriloop.errors import CalculationError, SettingsError
from veriloop.tools.calculate import calculated
from veriloop.tools.calculate.calendar_days import WorkCalendar

WEEKDAYS, CHINA = CalendarSettings(), CalendarSettings(country="CN")
days = st.dates(date(1990, 1, 1), date(2090, 1, 1))


def short(expression: str, calendar: CalendarSettings = WEEKDAYS) -> str:
    return calculated(expression, calendar).short_answer


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2025-03-01 + 30 天", "2025-03-31"),
        ("2025年3月1日 + 2 周", "2025-03-15"),
        ("March 1, 2025 - 1 day", "2025-02-28"),
        ("30 days + 2025-03-01", "2025-03-31"),
        ("2025-01-31 + 1 个月", "2025-02-28"),
        ("2024-02-29 + 1 年", "2025-02-28"),
        ("2025-03-31 - 1 个月", "2025-02-28"),
        ("month_end(2024-02-03)", "2024-02-29"),
        ("2025-03-15 - 2025-01-01", "73 days"),
        ("天数(2025-01-01, 2025-03-15)", "73 天"),
        ("weekday(2025-10-01)", "Wednesday"),
        ("星期几(2025-10-01)", "星期三"),
        ("max(2025-01-01, 2025-03-01)", "2025-03-01"),
    ],
)
def test_dates_are_counted_by_the_calendar(expression: str, expected: str) -> None:
    assert short(expression) == expected


def test_a_month_without_that_day_is_named_in_a_note() -> None:
    assert "最后一天" in calculated("2025-01-31 + 1 个月", WEEKDAYS).notes[0]
    assert not calculated("2025-01-30 - 1 个月", WEEKDAYS).notes


@pytest.mark.parametrize(
    "expression",
    ["2025-02-30 + 1 天", "9999-12-31 + 10 天", "2025-01-01 + 1.5 天", "2025-01-01 + 3 小时", "2025-01-01 * 2",
     "2025-01-01 + 2025-01-02", "2025-01-01 + 99999 工作日", "workdays(1600-01-01, 2100-01-01)", "2025-01-01 + 5"],
)  # fmt: skip
def test_impossible_dates_are_refused(expression: str) -> None:
    with pytest.raises(CalculationError):
        calculated(expression, WEEKDAYS)


@given(days, st.integers(-5_000, 5_000))
@settings(deadline=None, max_examples=80)
def test_days_agree_with_datetime(day: date, count: int) -> None:
    moved = day + timedelta(days=count)
    assert short(f"{day} + {count} days" if count >= 0 else f"{day} - {-count} days") == moved.isoformat()
    assert short(f"{moved} - {day}") == f"{count:,} days"


@given(days, st.integers(1, 60))
@settings(deadline=None, max_examples=80)
def test_working_days_agree_with_a_count_day_by_day_and_with_their_own_reverse(day: date, count: int) -> None:
    reached, left = day, count
    while left:
        reached += timedelta(days=1)
        left -= reached.weekday() < 5
    assert short(f"{day} + {count} 工作日") == reached.isoformat()
    assert short(f"workdays({day}, {reached})") == f"{count} working days"


def test_chinas_holidays_and_moved_working_days_count() -> None:
    assert short("2025-09-26 + 3 工作日", CHINA) == "2025-09-30"
    assert short("2025-09-30 + 1 个工作日", CHINA) == "2025-10-09"
    output = calculated("是工作日(2025-09-28)", CHINA)
    assert output.hits[0].block.text.startswith("2025-09-28 是工作日")
    assert any("CN" in note for note in output.notes)


def test_a_year_that_the_calendar_does_not_know_is_named() -> None:
    (note, _) = calculated("2098-01-04 + 3 working days", CHINA).notes
    assert "2098" in note
    (note, _) = calculated("2025-03-04 + 3 working days", CHINA).notes
    assert "2025" not in note


def test_without_a_calendar_the_note_says_that_only_weekdays_count() -> None:
    assert "周一至周五" in calculated("2025-09-26 + 3 工作日", WEEKDAYS).notes[0]


def test_the_users_file_is_above_the_country(tmp_path: Path) -> None:
    file = tmp_path / "company.yaml"
    file.write_text("holidays: [2025-09-29, 2025-10-09: 厂庆]\nworkdays: [2025-10-01]\n", encoding="utf-8")
    own = CalendarSettings(country="CN", file=file)
    assert short("2025-09-28 + 1 工作日", own) == "2025-09-30"
    assert short("2025-09-30 + 1 工作日", own) == "2025-10-01"
    assert "厂庆" in calculated("是工作日(2025-10-09)", own).hits[0].block.text
    assert "company.yaml + CN" in calculated("2025-09-28 + 1 工作日", own).notes[0]


@pytest.mark.parametrize(
    "text",
    [
        "holidays: 3",
        "- 2025-01-01",
        "holidays: [maybe]",
        "days: []",
        "holidays: [",
        "holidays: [2025-01-01]\nworkdays: [2025-01-01]",
    ],
)
def test_a_calendar_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"broken\.yaml"):
        calculated("2025-01-01 + 1 工作日", CalendarSettings(file=file))


def test_a_missing_file_and_an_unknown_country_are_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.yaml"):
        calculated("2025-01-01 + 1 工作日", CalendarSettings(file=tmp_path / "none.yaml"))
    with pytest.raises(SettingsError, match="XX"):
        calculated("2025-01-01 + 1 工作日", CalendarSettings(country="XX"))


@given(days, days)
@settings(deadline=None, max_examples=40)
def test_working_days_between_two_days_count_back_as_they_count_forth(first: date, last: date) -> None:
    if abs((last - first).days) < 3_000:
        calendar = WorkCalendar(WEEKDAYS)
        low, high = sorted((first, last))
        expected = sum((low + timedelta(days=n)).weekday() < 5 for n in range(1, (high - low).days + 1))
        assert calendar.between(low, high) == expected == -calendar.between(high, low)
