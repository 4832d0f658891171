"""Expressions are computed exactly; what measures different things is never mixed."""

from __future__ import annotations

import operator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.configs.calendar_settings import CalendarSettings
from veriloop.errors import CalculationError
from veriloop.knowledge.text.units import UNITS
from veriloop.tools.calculate import calculated
from veriloop.tools.calculate.vocabulary import unit_named

WEEKDAYS = CalendarSettings()
SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def text_of(expression: str) -> str:
    return calculated(expression, WEEKDAYS).hits[0].block.text


def value_of(expression: str) -> str:
    return calculated(expression, WEEKDAYS).short_answer


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("1200000 元 * 30%", "1,200,000 元 × 30% = 360,000 元（36 万元）"),
        ("120万元的30%", "120 万元 × 30% = 36 万元（360,000 元）"),
        ("1200 的 30%", "1,200 × 30% = 360"),
        ("30% of 1200", "30% × 1,200 = 360"),
        ("15% of 3.4 million", "15% × 3,400,000 = 510,000"),
        ("百分之三十 * 1200", "30% × 1,200 = 360"),
        ("万分之五 * 20000 元", "5‱ × 20,000 元 = 10 元"),
        ("三分之二 * 三百二十一", "(2 ÷ 3) × 321 = 214"),
        ("（１２＋８）×３", "(12 + 8) × 3 = 60"),
        ("(12+8) 万元 / 4", "(12 + 8) 万元 ÷ 4 = 5 万元（50,000 元）"),
        ("1亿2000万元 / 3", "120,000,000 元 ÷ 3 = 40,000,000 元（4,000 万元）"),
        ("0.1 + 0.2", "0.1 + 0.2 = 0.3"),
        ("1/3", "1 ÷ 3 ≈ 0.333333333333"),
        ("2/3", "2 ÷ 3 ≈ 0.666666666667"),
        ("1/3 * 3", "1 ÷ 3 × 3 = 1"),
        ("-2^2", "-2^2 = -4"),
        ("2的10次方", "2^10 = 1,024"),
        ("2^3^2", "2^3^2 = 512"),
        ("1.21^0.5 - 1 to %", "1.21^0.5 - 1 = 10%"),
        ("2^0.5", "2^0.5 ≈ 1.41421356237"),
        ("(150-120)/120 to %", "(150 - 120) ÷ 120 = 25%"),
        ("10 kW 等于多少 MW", "10 kW = 0.01 MW"),
        ("1.2 万元是多少元", "1.2 万元 = 12,000 元"),
        ("10 kW * 3 h", "10 kW × 3 h = 30 kWh"),
        ("2.5 MW × 8 小时", "2.5 MW × 8 小时 = 20 兆瓦时"),
        ("0.6 元/kWh * 1.2 MWh", "0.6 元/kWh × 1.2 MWh = 720 元"),
        ("3米*4米", "3 米 × 4 米 = 12 平方米"),
        ("100 km / 2 h", "100 km ÷ 2 h = 50 km/h"),
        ("3 台 * 1200 元", "3 台 × 1,200 元 = 3,600 元"),
        ("1200 元 / 3 台", "1,200 元 ÷ 3 台 = 400 元/台"),
        ("100万元 * 0.05%/天 * 12 天", "100 万元 × 0.05%/天 × 12 天 = 0.6 万元（6,000 元）"),
        ("$1,200 * 3", "1,200 USD × 3 = 3,600 USD"),
        ("20℃ 转换 ℉", "20℃ = 68℉"),
        ("sum(1万元; 5000元)", "sum(1 万元, 5,000 元) = 1.5 万元（15,000 元）"),
        ("avg(1, 2, 6)", "avg(1, 2, 6) = 3"),
        ("max(3 km, 2500 m)", "max(3 km, 2,500 m) = 3 km"),
        ("round(2.345, 2)", "round(2.345, 2) = 2.35"),
        ("round(-2.5)", "round(-2.5) = -3"),
        ("count(4, 5)", "count(4, 5) = 2"),
        ("abs(3 - 5)", "abs(3 - 5) = 2"),
        ("今天 to %", None),
    ],
)
def test_an_expression_is_shown_as_it_was_understood_with_its_value(expression: str, text: str | None) -> None:
    if text is None:
        with pytest.raises(CalculationError):
            calculated(expression, WEEKDAYS)
    else:
        assert text_of(expression) == text


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("10 kW + 5 元", "kW and 元"),
        ("3 天 + 2 个工作日", "working days are counted differently"),
        ("1 个月 + 3 天", "no fixed relation"),
        ("10 元 + 5%", "of what the percentage"),
        ("5 USD + 3 元", "exchange rate"),
        ("10 元 + 3", "one has a unit"),
        ("30 天 转换 个月", "no fixed relation"),
        ("max(3 km, 2 kg)", "km and kg"),
        ("2 ^ (3 元)", "exponent has no unit"),
        ("(2 元)^0.5", "only bare numbers"),
        ("(3 元) 元", "has a unit already"),
        ("$5 元", "both say"),
        ("1/(2-2)", "division by zero"),
        ("0^-1", "division by zero"),
        ("2^9999", "exponents go from"),
        ("(10^50)^900", "too long"),
        ("(-8)^(1/3)", "negative"),
        ("1 +", "ends too early"),
        ("3 猫", "猫"),
        ("1,2000 * 2", "1"),
        ("max(1,200)", "one number or several"),
        ("{t1} * 2", "{t1}"),
        ("__import__('os')", "cannot read"),
        ("", "empty"),
        ("(" * 40 + "1" + ")" * 40, "nested"),
        ("1" * 61 + "+1", "60 digits"),
        ("+".join(["1"] * 400), "too many parts"),
        ("1+" * 600 + "1", "characters"),
        ("abs(1, 2)", "takes 1 argument"),
        ("weekday(3)", "takes days"),
        ("round(1, 50)", "decimals"),
    ],
)
def test_what_cannot_be_computed_is_refused_with_its_reason(expression: str, named: str) -> None:
    with pytest.raises(CalculationError) as refused:
        calculated(expression, WEEKDAYS)
    assert named in str(refused.value)


numbers = st.decimals(min_value="0.001", max_value=999_999, places=3)


@st.composite
def _expressions(draw: st.DrawFn, depth: int = 3) -> tuple[str, Fraction | None]:
    """An expression with what Python's fractions make of it; None: a division by zero."""
    if depth == 0 or draw(st.booleans()):
        number = draw(numbers)
        return f"{number:,f}" if draw(st.booleans()) else f"{number:f}", Fraction(number)
    left, left_value = draw(_expressions(depth - 1))
    right, right_value = draw(_expressions(depth - 1))
    sign = draw(st.sampled_from(sorted(SIGNS)))
    text = f"({left} {sign} {right})"
    if left_value is None or right_value is None or (sign == "/" and right_value == 0):
        return text, None
    return text, SIGNS[sign](left_value, right_value)


@given(_expressions())
@settings(deadline=None, max_examples=150)
def test_arithmetic_agrees_with_fractions(made: tuple[str, Fraction | None]) -> None:
    text, expected = made
    if expected is None:
        with pytest.raises(CalculationError):
            value_of(text)
        return
    shown = Fraction(value_of(text).replace(",", ""))
    assert abs(shown - expected) <= abs(expected) * Fraction(1, 10**11)
    if "≈" not in text_of(text):
        assert shown == expected


ALPHABET = st.sampled_from(
    [*"0123456789.,+-*/^()%;{}t ", "万", "元", "kW", " to ", "天", "2025-02-30", "max", "的", "加", "百", "第"]
)


@given(st.one_of(st.text(max_size=60), st.lists(ALPHABET, max_size=30).map("".join)))
@settings(deadline=None, max_examples=300)
def test_no_text_raises_anything_but_the_error_of_calculations(text: str) -> None:
    try:
        output = calculated(text, WEEKDAYS)
    except CalculationError as error:
        assert str(error)
    else:
        assert output.short_answer


MEASURED = [unit for name in UNITS if (unit := unit_named(name)) and unit.dimension]


@given(numbers, st.sampled_from(MEASURED), st.data())
@settings(deadline=None, max_examples=150)
def test_a_unit_converted_there_and_back_is_the_same(number: object, unit: object, data: st.DataObject) -> None:
    first = unit if unit in MEASURED else MEASURED[0]
    second = data.draw(st.sampled_from([one for one in MEASURED if one.dimension == first.dimension]))
    there = calculated(f"{number:f} {first.name} to {second.name}", WEEKDAYS)
    if "≈" not in there.hits[0].block.text and "E" not in there.short_answer:
        back = value_of(f"{there.short_answer} to {first.name}")
        assert value_of(f"{number:f} {first.name} * 1") == back
