"""Signs, halves, separators, clock times and the digits of other scripts are read rightly, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.text.normalise import fold_figures, normalise
from veriloop.knowledge.text.values import ValueKind, find_values, unreadable_amounts


def keys(text: str) -> list[tuple[ValueKind, str, str]]:
    return [value.key for value in find_values(text)]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("−5℃", "-5℃"), ("–40℃", "-40℃"), ("温度为–40℃", "-40℃"), ("零下30℃", "-30℃"),
        ("零下三十摄氏度", "-30℃"),
        ("负30", "-30"), ("负三十万元", "-300000元"), ("minus 30 ℃", "-30℃"), ("negative 5%", "-5%"),
        ("温度为 - 10 ℃", "-10℃"), ("the limit is - 10 ℃", "-10℃"), ("30 degrees Celsius below zero", "-30℃"),
        ("–$500", "-$500"), ("-US$5 million", "-$5,000,000"), ("（900）万元", "-900万元"), ("$(1,200)", "-$1200"),
    ],
)  # fmt: skip
def test_every_way_to_write_a_minus_is_one(text: str, plain: str) -> None:
    assert keys(text) == keys(plain)
    assert keys(text)[0][1].startswith("-")


@pytest.mark.parametrize(
    "text",
    [
        "5–10 kg",
        "5 – 10 kg",
        "- 10 kg",
        "背负30万元债务",
        "负责30人",
        "正负5%",
        "2019年–2020年",
        "叁佰（300）万元",
        "COVID–19 30",
    ],
)
def test_a_dash_or_a_word_that_is_no_minus_makes_nothing_negative(text: str) -> None:
    assert keys(text)
    assert not any(canonical.startswith("-") for _, canonical, _ in keys(text))


@given(st.integers(1, 10**6), st.sampled_from(["-{}℃", "−{}℃", "–{}℃", "零下{}℃", "负{}℃", "minus {} ℃"]))
def test_a_number_below_zero_never_reads_as_one_above_it(number: int, form: str) -> None:
    assert keys(form.format(number)) == [(ValueKind.QUANTITY, f"-{number}", "°C")]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("一年半", "18个月"), ("两年半", "30个月"), ("半年", "6个月"), ("三个半月", "3.5个月"), ("半小时", "30分钟"),
        ("两个半小时", "150分钟"), ("半公斤", "0.5公斤"), ("两斤半", "1.25公斤"), ("俩月", "2个月"),
        ("仨月", "3个月"),
        ("one and a half years", "18 months"), ("a year and a half", "18 months"), ("half a year", "6 months"),
        ("half-year", "6 months"), ("2½ years", "30 months"), ("1 1/2 years", "18 months"),
        ("two and a half million dollars", "2500000 dollars"), ("half a dozen items", "6 items"),
        ("a dozen months", "12 months"), ("every other month", "2 months"), ("Ⅻ个月", "12个月"),
    ],
)  # fmt: skip
def test_halves_and_dozens_are_counted_exactly(text: str, plain: str) -> None:
    assert keys(text) == keys(plain) != []


@pytest.mark.parametrize("text", ["上半年", "半年度报告", "大半年", "半月板", "second half year", "Ⅱ型", "dozens"])
def test_a_half_that_is_part_of_a_name_is_no_amount(text: str) -> None:
    assert keys(text) == []


@given(st.integers(2, 99))
def test_a_year_and_a_half_has_six_months_more(years: int) -> None:
    wanted = [(ValueKind.DURATION, str(12 * years + 6), "month")]
    assert keys(f"{years}年半") == keys(f"{years} and a half years") == keys(f"{years}½ years") == wanted


@given(st.integers(1000, 10**9), st.sampled_from([" ", "\u00a0", "\u2009", "\u202f", "'", "’", ","]))
def test_digits_in_groups_of_three_are_one_number(number: int, separator: str) -> None:
    written = f"{number:,}".replace(",", separator)
    assert keys(f"{written}元") == [(ValueKind.MONEY, str(number), "CNY")]
    assert keys(f"€{written}") == [(ValueKind.MONEY, str(number), "EUR")]


@pytest.mark.parametrize(
    ("text", "plain"), [("1.500,00 EUR", "1500 EUR"), ("1.234.567 EUR", "1234567 EUR"), ("1 500万元", "1500万元")]
)
def test_points_and_blanks_between_thousands_are_read_where_they_are_sure(text: str, plain: str) -> None:
    assert keys(text) == keys(plain)


@pytest.mark.parametrize(
    "text",
    [
        "1,2000万元",
        "1.500 €",
        "Betrag: €1.500",
        "1,5 kg",
        "€1,50",
        "1,234,56元",
        "Der Preis: 1.500 EUR",
        "存储温度 - 10 ℃",
    ],
)
def test_an_amount_with_two_readings_is_no_value(text: str) -> None:
    assert keys(text) == []
    assert unreadable_amounts(text)


@pytest.mark.parametrize("text", ["1,500元", "10,20,30天", "2019,2020年", "1.5 EUR", "€1.500 million", "1.235元", ""])
def test_an_amount_with_one_reading_is_not_called_unreadable(text: str) -> None:
    assert unreadable_amounts(text) == ()


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_clock_time_reads_the_same_in_every_form(hour: int, minute: int) -> None:
    twelve, half = hour % 12 or 12, "am" if hour < 12 else "pm"
    part = "凌晨" if hour < 12 else "下午"
    forms = [
        f"{hour}:{minute:02d}",
        f"{twelve}:{minute:02d} {half}",
        f"{part}{twelve}:{minute:02d}",
        f"{hour}时{minute}分",
    ]
    assert {tuple(keys(form)) for form in forms} == {((ValueKind.TIME, f"{hour:02d}:{minute:02d}", ""),)}


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("下午2:30", "14:30"), ("晚上8点", "20:00"), ("晚上八点半", "20:30"), ("上午九点", "09:00"),
        ("八点半", "08:30"),
        ("下午2点一刻", "14:15"), ("中午12点", "12:00"), ("noon", "12:00"), ("12 noon", "12:00"),
        ("8 o'clock in the evening", "20:00"), ("2:30 in the afternoon", "14:30"), ("晚上12点", "24:00"),
    ],
)  # fmt: skip
def test_the_part_of_the_day_is_part_of_the_time(text: str, time: str) -> None:
    assert keys(text) == [(ValueKind.TIME, time, "")]


@pytest.mark.parametrize("text", ["8点", "3点建议"])
def test_points_without_a_part_of_the_day_are_no_time(text: str) -> None:
    assert all(kind is not ValueKind.TIME for kind, _, _ in keys(text))


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1950, 2099))
def test_a_slashed_date_is_read_as_far_as_its_order_is_known(first: int, second: int, year: int) -> None:
    date = f"{year}-{first:02d}-{second:02d}" if first == second else str(year)
    assert keys(f"{first:02d}/{second:02d}/{year}") == [(ValueKind.DATE, date, "")]


@given(st.integers(0, 10**9), st.sampled_from(["٠", "०", "０", "𝟶", "𝟎", "๐"]))
def test_the_digits_of_every_script_are_digits(number: int, zero: str) -> None:
    written = "".join(chr(ord(zero) + int(digit)) for digit in str(number))
    assert fold_figures(written) == normalise(written) == str(number)
    assert keys(f"{written}个月") == keys(f"{number}个月") != []
