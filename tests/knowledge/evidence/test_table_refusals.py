# ruff: noqa: E501 - rows of a table of cases
"""Totals, merged cells, missing parts and unreadable columns are told from what can be computed over."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.quoting import markdown, source
from veriloop.knowledge.evidence.conclusion_check import check_conclusion
from veriloop.knowledge.evidence.conclusions import Conclusion
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.table_sums import conclude_table
from veriloop.knowledge.evidence.table_totals import RowKind, row_kind, totals_agree
from veriloop.knowledge.questions.models import Combination

C = Combination
SUM = {"zh": "采购表的金额合计是多少？", "en": "What is the total amount of the purchase list?"}
NAMES = {"zh": ["项目", "金额（元）"], "en": ["Item", "Amount (EUR)"]}
TITLES = {"zh": "采购表", "en": "Purchase list"}
ITEMS = {"zh": ["压机", "风机", "输送机"], "en": ["Press", "Fan", "Pump"]}


def computed(combination: Combination, question: str, *evidence: Evidence) -> Conclusion | None:
    conclusion = conclude_table(combination, analyse_question(question), evidence)
    assert conclusion is None or check_conclusion(conclusion, evidence).supported
    return conclusion


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("合计", RowKind.TOTAL), ("总　计", RowKind.TOTAL), ("合计（含税）", RowKind.TOTAL), ("汇总", RowKind.TOTAL), ("全部", RowKind.TOTAL),
        ("华东区汇总", RowKind.SUBTOTAL), ("小计", RowKind.SUBTOTAL), ("本年累计", RowKind.SUBTOTAL), ("平均", RowKind.STATISTIC), ("均值", RowKind.STATISTIC),
        ("其中：押金", RowKind.STATISTIC), ("预算", RowKind.UNCLEAR), ("压机", RowKind.ITEM), ("平均分配器", RowKind.ITEM),
        ("Total", RowKind.TOTAL), ("Overall", RowKind.TOTAL), ("All", RowKind.TOTAL), ("Subtotal", RowKind.SUBTOTAL), ("Average", RowKind.STATISTIC),
        ("of which tax", RowKind.STATISTIC), ("Budget", RowKind.UNCLEAR), ("Allen key", RowKind.ITEM), ("Totaliser", RowKind.ITEM),
    ],
)  # fmt: skip
def test_a_row_is_told_by_its_name(text: str, kind: RowKind) -> None:
    assert row_kind((text, "100")) is kind
    assert row_kind(("3", text, "100")) is kind


@pytest.mark.parametrize(
    ("language", "rows", "result"),
    [
        ("zh", [["压机", "100"], ["风机", "200"], ["汇总", "300"]], "300元"),
        ("zh", [["压机", "100"], ["风机", "200"], ["华东区汇总", "300"], ["输送机", "300"], ["全部", "600"]], "600元"),
        ("zh", [["压机", "100"], ["风机", "200"], ["华东区汇总", "310"], ["输送机", "300"]], None),
        ("zh", [["压机", "100"], ["风机", "200"], ["全部", "350"]], None),
        ("zh", [["压机", "100"], ["风机", "200"], ["平均", "150"]], "300元"),
        ("zh", [["压机", "100"], ["其中：押金", "30"], ["风机", "200"]], "300元"),
        ("zh", [["压机", "100"], ["风机", "200"], ["预算", "900"]], None),
        ("zh", [["压机", "100"], ["风机", "200"], ["本年累计", "9999"]], None),
        ("en", [["Press", "100"], ["Fan", "200"], ["Overall", "300"]], "300 EUR"),
        ("en", [["Press", "100"], ["Fan", "200"], ["All", "400"]], None),
        ("en", [["Press", "100"], ["Subtotal", "100"], ["Fan", "200"], ["Average", "150"]], "300 EUR"),
        ("en", [["Press", "100"], ["of which tax", "30"], ["Fan", "200"]], "300 EUR"),
        ("en", [["Press", "100"], ["Fan", "200"], ["Budget", "900"]], None),
    ],
)
def test_totals_are_never_added_and_have_to_agree(language: str, rows: list[list[str]], result: str | None) -> None:
    found = computed(C.SUM, SUM[language], source(markdown(NAMES[language], rows), title=TITLES[language]))
    assert (found is not None and f" {result}" in found.text) if result else found is None


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(st.integers(-99, 99), min_size=1, max_size=4), min_size=1, max_size=4), st.integers(1, 9))
def test_subtotals_and_the_total_agree_exactly_where_they_are_the_sums(groups: list[list[int]], error: int) -> None:
    kinds, numbers = [], []
    for group in groups:
        kinds += [RowKind.ITEM] * len(group) + [RowKind.SUBTOTAL]
        numbers += [Decimal(number) for number in (*group, sum(group))]
    whole = sum(map(sum, groups))
    assert totals_agree([*kinds, RowKind.TOTAL], [*numbers, Decimal(whole)])
    assert not totals_agree([*kinds, RowKind.TOTAL], [*numbers, Decimal(whole + error)])


def test_the_checker_refuses_a_sum_that_the_tables_own_total_denies() -> None:
    rows = [["压机", "100"], ["风机", "200"], ["汇总", "300"]]
    good = source(markdown(NAMES["zh"], rows), title="采购表")
    found = computed(C.SUM, SUM["zh"], good)
    assert found is not None
    block = good.block.model_copy(update={"text": good.block.text.replace("| 汇总 | 300 |", "| 汇总 | 999 |")})
    assert not check_conclusion(found, [good.model_copy(update={"block": block})]).supported


@pytest.mark.parametrize("combination", [C.SUM, C.AVERAGE])
def test_a_merged_cell_that_is_repeated_over_rows_is_not_counted_twice(combination: Combination) -> None:
    question = {C.SUM: "预算表的费用合计是多少？", C.AVERAGE: "预算表的平均费用是多少？"}[combination]
    names = ["部门", "项目", "费用（元）"]
    merged = [["研发", "样机", "100"], ["研发", "试验", "100"], ["市场", "展会", "50"]]
    apart = [["研发", "样机", "100"], ["市场", "展会", "100"], ["研发", "试验", "50"]]
    assert computed(combination, question, source(markdown(names, merged), title="预算表")) is None
    assert computed(combination, question, source(markdown(names, apart), title="预算表")) is not None


@pytest.mark.parametrize("cell", ["面议", "约1,200.50", "待定", "n/a", "≤500"])
@pytest.mark.parametrize(("combination", "word"), [(C.LARGEST, "最高"), (C.SMALLEST, "最低"), (C.SUM, "合计")])
def test_no_other_column_stands_in_for_one_that_cannot_be_read(cell: str, combination: Combination, word: str) -> None:
    names = ["设备", "数量", "单价（元）", "金额（元）"]
    rows = [["压机", "2", cell, "2401"], ["输送机", "10", "80", "800"], ["风机", "3", "5000", "15000"]]
    question = f"设备表的单价{word}是多少？" if combination is C.SUM else f"设备表里单价{word}的是哪个设备？"
    assert computed(combination, question, source(markdown(names, rows), title="设备表")) is None
    of_amount = f"设备表的金额{word}是多少？" if combination is C.SUM else f"设备表里金额{word}的是哪个设备？"
    assert computed(combination, of_amount, source(markdown(names, rows), title="设备表")) is not None


@pytest.mark.parametrize(
    ("names", "question", "units", "is_computed"),
    [
        (["产品", "单价", "币种"], "价格表里单价最高的是哪个产品？", ("EUR", "CNY"), False),
        (["产品", "单价", "币种"], "价格表里单价最高的是哪个产品？", ("EUR", "EUR"), True),
        (["Product", "Price", "Currency"], "Which product of the price list has the highest price?", ("EUR", "USD"), False),
        (["Product", "Price", "Currency"], "Which product of the price list has the highest price?", ("USD", "USD"), True),
        (["产品", "单价", "币种"], "价格表里单价最高的是哪个产品？", ("里拉", "第纳尔"), False),
    ],
)  # fmt: skip
def test_a_column_of_currencies_belongs_to_the_numbers(
    names: list[str], question: str, units: tuple[str, str], is_computed: bool
) -> None:
    title = "价格表" if names[0] == "产品" else "Price list"
    table = source(markdown(names, [["HN-1", "100", units[0]], ["HN-2", "200", units[1]]]), title=title)
    found = computed(C.LARGEST, question, table)
    assert (found is not None) == is_computed
    assert found is None or f"200 {units[1]}" in found.text


def parts(count: int, each: int) -> list[Evidence]:
    names = ["名称", "金额（元）"]
    return [
        source(
            markdown(names, [[f"设备第{n}号", str(n)] for n in range(start, min(start + each, count))]),
            title="固定资产表", marker=start // each + 1, ordinal=start // each,
        )
        for start in range(0, count, each)
    ]  # fmt: skip


@pytest.mark.parametrize("combination", [C.SUM, C.AVERAGE, C.COUNT, C.LARGEST, C.SMALLEST])
@pytest.mark.parametrize("kept", [[0, 1], [1, 2], [0, 2], [2], [0], [1]])
def test_a_table_of_which_a_part_is_not_in_the_evidence_is_not_computed_over(
    combination: Combination, kept: list[int]
) -> None:
    questions = {
        C.SUM: "固定资产表的金额合计是多少？", C.AVERAGE: "固定资产表的平均金额是多少？", C.COUNT: "固定资产表有几行金额？",
        C.LARGEST: "固定资产表里金额最大的是哪个名称？", C.SMALLEST: "固定资产表里金额最小的是哪个名称？",
    }  # fmt: skip
    every = parts(600, 250)
    assert computed(combination, questions[combination], *every) is not None or combination is C.COUNT
    assert computed(combination, questions[combination], *(every[index] for index in kept)) is None


def test_a_long_table_is_computed_over_in_reasonable_time_and_a_longer_one_not_at_all() -> None:
    question = "固定资产表的金额合计是多少？"
    began = time.process_time()
    found = computed(C.SUM, question, *parts(1_900, 250))
    assert found is not None and f"{sum(range(1_900))}元" in found.text
    assert computed(C.SUM, question, *parts(2_100, 250)) is None
    assert time.process_time() - began < 20


def test_a_row_that_is_named_by_one_character_is_not_dropped_from_the_question() -> None:
    table = source(markdown(["项目", "金额（元）"], [["甲", "100"], ["乙", "200"], ["丙", "400"]]), title="采购表")
    assert computed(C.SUM, "甲和丙的金额合计是多少？", table) is None
    assert computed(C.SUM, "采购表的金额合计是多少？", table) is not None
