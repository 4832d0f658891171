"""How benchmarks read an answer's text, and how they compare two settings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.benchmarks import benchmark

facts = benchmark("facts")
reporting = benchmark("reporting")
multi_part = benchmark("multi_part")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("最大臂展：1813 mm[1]", "1813"),
        ("| HN-3200B | 37 | kW |", "37 kW"),
        ("保管三十年。", "30年"),
        ("单价为286000.00元", "286000"),
        ("a bonus of 3,000 yuan", "3000 yuan"),
        ("最晚9:30告知", "9:30"),
        ("the Data\n Protection Officer", "data protection officer"),
    ],
)
def test_a_fact_stands_in_the_text_however_it_is_written(text: str, fact: str) -> None:
    assert facts.states(text, (fact,))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("年休假15天", "5天"),
        ("违约金为1.5%", "5%"),
        ("HN-3200B 的功率", "HN-3200"),
        ("里程碑M10", "M1"),
        ("晚班19:30开始", "9:30"),
        ("见来源[1][20]", "20"),
        ("共1813.5元", "1813"),
    ],
)
def test_a_part_of_a_longer_value_or_id_is_not_the_fact(text: str, fact: str) -> None:
    assert not facts.states(text, (fact,))


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_number_stands_only_where_it_is_that_number(wanted: int, written: int) -> None:
    assert facts.states(f"共{written}件", (str(wanted),)) == (wanted == written)


def test_a_quoted_property_is_no_conclusion() -> None:
    winner, losers = ("HN-3200B",), ("HN-3200",)
    assert not facts.concludes("型号：HN-3200B，最高工作温度：280 ℃，比例：5%[1]", winner, losers)
    assert not facts.concludes("at the latest within 1 hour; at least 14 characters", ("1 hour",), ())
    assert facts.concludes("HN-3200B的功率更大，比HN-3200大7 kW。", winner, losers)
    assert not facts.concludes("HN-3200的功率更大，比HN-3200B大7 kW。", winner, losers)


def test_a_comparison_told_from_the_other_side_counts() -> None:
    winner, losers, question = ("HN-3200B",), ("HN-3200",), "HN-3200和HN-3200B的额定功率哪个大，大多少？"
    assert facts.concludes("HN-3200 比 HN-3200B 少 7 kW。", winner, losers, question)
    assert not facts.concludes("HN-3200B 比 HN-3200 少 7 kW。", winner, losers, question)
    assert facts.concludes("HN-3200B的更大：37 kW，HN-3200为30 kW。", winner, losers, question)
    earlier = "Which is earlier, the order or the delivery?"
    assert facts.concludes("The order is earlier than the delivery.", ("order",), ("delivery",), earlier)
    assert facts.concludes("The delivery is later than the order.", ("order",), ("delivery",), earlier)


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_sign_test_is_a_probability_and_symmetric(gained: int, lost: int) -> None:
    p = reporting.sign_test(gained, lost)
    assert 0 < p <= 1
    assert p == reporting.sign_test(lost, gained)


def test_nine_gains_without_a_loss_are_not_chance() -> None:
    assert reporting.sign_test(9, 0) == pytest.approx(2 / 512)
    paired = reporting.compare({"a": True, "b": False, "c": True}, {"a": False, "b": True, "d": True})
    assert (paired.gained, paired.lost, paired.p) == (("b",), ("a",), 1.0)


def _case(**fields: Any) -> Any:
    return multi_part.MultiPartCase(**{"id": "t", "question": "q", **fields})


def test_a_reference_without_new_numbers_is_compared_by_its_terms() -> None:
    case = _case(question="谁负责安装？", answers=("设备部负责安装调试。",), documents=("a.md",), type="multi_hop")
    assert facts.reference_values(case.answers[0], case.question) == []
    assert facts.term_recall("安装调试由设备部完成", case.answers[0], case.question) >= multi_part.ENOUGH_TERMS
    assert facts.term_recall("采购合同另行约定", case.answers[0], case.question) < multi_part.ENOUGH_TERMS
