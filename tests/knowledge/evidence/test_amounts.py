"""Amounts are read whole, with the unit of their column, and results are written exactly like their operands."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.quoting import markdown, quoted, source
from veriloop.knowledge.evidence.amounts import amounts, cell_amount, read_amount, size, spell
from veriloop.knowledge.evidence.conclusion_check import check_conclusion
from veriloop.knowledge.evidence.conclusions import PartAnswer, conclude
from veriloop.knowledge.evidence.order import compare
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.short_answer import short_answer
from veriloop.knowledge.evidence.table_sums import conclude_table
from veriloop.knowledge.questions.models import Combination
from veriloop.knowledge.text.values import ValueKind


@pytest.mark.parametrize(
    ("text", "canonical", "unit"),
    [
        ("有期徒刑一年六个月", "18", "month"),
        ("1 year and 6 months", "18", "month"),
        ("2亿5000万元", "250000000", "CNY"),
        ("400元/晚", "400", "CNY/晚"),
        ("30 m/min", "30", "m/min"),
        ("2年零15天", "24+15", "month+day"),
    ],
)
def test_an_amount_of_several_pieces_or_a_rate_is_one_value(text: str, canonical: str, unit: str) -> None:
    assert [(value.canonical, value.unit) for value in amounts(text)] == [(canonical, unit)]


def test_two_amounts_side_by_side_stay_two() -> None:
    assert [value.raw for value in amounts("3 years, 24 months")] == ["3 years", "24 months"]
    assert [value.raw for value in amounts("12个月，24个月")] == ["12个月", "24个月"]


@pytest.mark.parametrize(
    ("name", "cell", "raw", "canonical", "unit"),
    [
        ("单价（万元）", "68.50", "68.50万元", "685000", "CNY"),
        ("额定负载 (kg)", "20", "20 kg", "20", "kg"),
        ("Amount ($ million)", "1,452.4", "$1,452.4 million", "1452400000", "USD"),
        ("Price in USD", "12", "12 USD", "12", "USD"),
        ("金额/万元", "3", "3万元", "30000", "CNY"),
        ("净重", "14.6 t", "14.6 t", "14600", "kg"),
        ("热压（宽台面）", "3", "3", "3", ""),
    ],
)
def test_a_bare_cell_takes_the_unit_of_its_column(name: str, cell: str, raw: str, canonical: str, unit: str) -> None:
    value = cell_amount(name, cell)
    assert value is not None
    assert (value.raw, value.canonical, value.unit) == (raw, canonical, unit)


@pytest.mark.parametrize("cell", ["≤8", "0.5–0.6", "约3天", "1200×1000 mm", "±0.04", "待定", "", "20 kg 30 kg"])
def test_a_cell_that_states_no_single_exact_value_is_none(cell: str) -> None:
    assert cell_amount("数值", cell) is None


def test_dates_compare_as_periods() -> None:
    dates = ["2019", "2019-10", "2019-10-05", "2019-Q4", "2020-H1"]
    orders = {
        (one, other): compare(left, right)
        for one in dates
        for other in dates
        for left in amounts(f"在{one}年" if len(one) == 4 else one)
        for right in amounts(f"在{other}年" if len(other) == 4 else other)
        if left.kind is right.kind is ValueKind.DATE
    }
    assert orders["2019", "2019-10"] is None
    assert orders["2019-10", "2019-10-05"] is None
    assert orders["2019-10-05", "2019-10-05"] == 0
    assert all(orders[one, other] == (None if o is None else -o) for (other, one), o in orders.items())


UNITS = st.sampled_from(
    [("", "万元"), ("", "个月"), ("", " kW"), ("$", " million"), ("", " days"), ("", "%"), ("€", "")]
)
NUMBERS = st.tuples(st.integers(0, 10**9), st.integers(0, 4)).map(lambda pair: Decimal(pair[0]).scaleb(-pair[1]))


@settings(deadline=None)
@given(UNITS, NUMBERS, NUMBERS, st.booleans())
def test_what_is_spelt_reads_back_as_the_same_amount(
    unit: tuple[str, str], number: Decimal, like: Decimal, grouped: bool
) -> None:
    before, behind = unit
    model = read_amount(f"{before}{like:,f}{behind}" if grouped else f"{before}{like:f}{behind}")
    assert model is not None
    written = read_amount(f"{before}{number:f}{behind}")
    assert written is not None
    wanted = size(written)
    assert wanted is not None
    text = spell(wanted, [model], "zh")
    assert text is not None
    back = read_amount(text)
    assert back is not None and (back.unit, size(back)) == (model.unit, wanted)


ODD = st.text(
    st.sampled_from("0123456789.,-/ 年月日天个万亿元一二十百半％%$€kgmWh|：:，、（）()由为至和“”\nAbc负责合计"),
    max_size=60,
)


@settings(deadline=None, max_examples=150)
@given(ODD, ODD, st.sampled_from(list(Combination)))
def test_no_text_makes_reading_or_computing_fail(question: str, text: str, combination: Combination) -> None:
    asked = analyse_question(f"{question}是多少？")
    short_answer(asked, text)
    evidence = [source(text or "。", marker=1), source(markdown(["名称", text.replace("|", "")], [["甲", "1"], ["乙", question.replace("|", "")]]), marker=2)]  # fmt: skip # noqa: E501
    parts = [PartAnswer(asked, name, (quoted(item),)) for name, item in zip("甲乙", evidence, strict=True)]
    for conclusion in (conclude(combination, parts, "zh"), conclude_table(combination, asked, evidence)):
        assert conclusion is None or check_conclusion(conclusion, evidence).text == conclusion.text
