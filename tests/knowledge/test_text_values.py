"""Values are found and compared the way that people read them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.text.numerals import decimal_text, format_chinese, parse_chinese
from veriloop.knowledge.text.values import ValueKind, find_values

MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def keys(text: str) -> list[tuple[ValueKind, str, str]]:
    return [value.key for value in find_values(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.5万元", "15000元"), ("¥15,000", "15000元"), ("$1.5 million", "1.5 million dollars"),
        ("十个工作日", "10 business days"), ("ten (10) working days", "10个工作日"), ("第十二条", "Article 12"),
        ("第12条", "第十二条"), ("百分之十二", "12%"), ("five percent", "5%"), ("附件四", "Annex IV"),
        ("8 kW", "8000W"), ("三个月", "3 months"), ("二〇二四年八月", "August 2024"), ("１２％", "12%"),
        ("2024年第三季度", "Q3 2024"), ("三百二十", "320"), ("2:30 pm", "14:30"), ("in 2024", "2024年"),
    ],
)  # fmt: skip
def test_two_spellings_of_one_value_are_equal(one: str, other: str) -> None:
    assert keys(one) == keys(other) != []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10个工作日", "10天"), ("8 kW", "8 MW"), ("5%", "5个百分点"), ("100元", "100美元"), ("24小时", "1天"),
        ("第三款", "第三条"), ("30天", "1个月"), ("-5℃", "5℃"), ("3项", "3人"), ("HN-3200", "HN-3201"),
        ("five percent", "five percentage points"), ("8月1日", "8月2日"),
    ],
)  # fmt: skip
def test_values_that_differ_are_not_equal(one: str, other: str) -> None:
    assert keys(one) and keys(other) and keys(one) != keys(other)


@pytest.mark.parametrize("text", ["前后一致", "统一管理", "十分重要", "千万不要", "万一", "一个", "one of them", ""])
def test_a_numeral_that_is_part_of_a_word_is_no_value(text: str) -> None:
    assert keys(text) == []


@pytest.mark.parametrize("text", ["10至15个工作日", "10-15个工作日", "10 to 15 working days"])
def test_both_ends_of_a_range_have_its_unit(text: str) -> None:
    assert keys(text) == [(ValueKind.DURATION, "10", "workday"), (ValueKind.DURATION, "15", "workday")]


def test_a_dash_between_percentages_is_no_minus() -> None:
    assert [value.canonical for value in find_values("5%-10%")] == ["5", "10"]


@pytest.mark.parametrize("name", ["PPR-9087", "HN-3200", "YZ-CG-2025-017", "COVID-19"])
def test_an_id_is_one_value_in_either_language(name: str) -> None:
    for text in (f"设备{name}的验收", f"the unit {name.lower()} is"):
        assert keys(text) == [(ValueKind.IDENTIFIER, name, "")]


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_a_date_reads_the_same_in_every_form(day: date) -> None:
    name = MONTHS[day.month - 1]
    forms = [
        f"{day.year}年{day.month}月{day.day}日", f"{day.year}/{day.month}/{day.day}", day.isoformat(),
        f"{name} {day.day}, {day.year}", f"{day.day} {name} {day.year}",
    ]  # fmt: skip
    assert {tuple(keys(form)) for form in forms} == {((ValueKind.DATE, day.isoformat(), ""),)}


@given(st.integers(min_value=0, max_value=99_999_999))
def test_a_chinese_numeral_reads_back_as_the_number_it_was_written_from(number: int) -> None:
    assert parse_chinese(format_chinese(number)) == number


@given(st.integers(min_value=1, max_value=9999))
def test_a_clause_number_reads_the_same_in_either_script(number: int) -> None:
    assert keys(f"第{format_chinese(number)}条") == keys(f"第{number}条") == keys(f"Article {number}")


@given(st.decimals(min_value=Decimal("0.01"), max_value=Decimal(10**6), places=2))
def test_ten_thousands_are_multiplied_out_exactly(number: Decimal) -> None:
    assert keys(f"{number}万元") == [(ValueKind.MONEY, decimal_text(number * 10_000), "CNY")]


@given(
    st.text(alphabet="第十二条年月日万元%-/.,:：，0123456789 aPkW$¥至三百〇分之 \n", max_size=60) | st.text(max_size=60)
)
def test_values_are_ordered_disjoint_and_quote_the_text(text: str) -> None:
    end = 0
    for value in find_values(text):
        assert end <= value.start < value.end
        assert value.raw == text[value.start : value.end]
        end = value.end
