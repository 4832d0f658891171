# ruff: noqa: E501 - rows of a table of cases
"""Rows that a question names or counts are added up and counted as it says, or not at all."""

from __future__ import annotations

import pytest
from support.quoting import markdown, source
from veriloop.knowledge.evidence.conclusion_check import check_conclusion
from veriloop.knowledge.evidence.conclusions import Conclusion
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.table_sums import conclude_table
from veriloop.knowledge.questions.models import Combination

C = Combination


def computed(combination: Combination, question: str, *evidence: Evidence) -> Conclusion | None:
    conclusion = conclude_table(combination, analyse_question(question), evidence)
    assert conclusion is None or check_conclusion(conclusion, evidence).supported
    return conclusion


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("采购合同中两台CP-30和一台CP-30B的金额合计是多少万元？", "“CP-30”“CP-30B”的金额合计 9.00万元（2 行：6.00万元 + 3.00万元）。"),
        ("采购合同里CP-30和CP-30B的金额合计是多少万元？", "“CP-30”“CP-30B”的金额合计 9.00万元（2 行：6.00万元 + 3.00万元）。"),
        ("采购合同里三台CP-30和一台CP-30B的金额合计是多少万元？", None),
    ],
)  # fmt: skip
def test_named_rows_are_added_up_if_they_stand_for_as_many_things_as_the_question_says(
    question: str, text: str | None
) -> None:
    rows = [["水泵", "CP-30", "2", "6.00"], ["水泵", "CP-30B", "1", "3.00"], ["风机", "FJ-5", "4", "8.00"]]
    table = source(markdown(["名称", "型号", "数量", "金额（万元）"], rows), title="采购合同")
    found = computed(C.SUM, question, table)
    assert (found.text if found else None) == text


@pytest.mark.parametrize(
    ("question", "is_added"), [("合同三期付款一共多少万元？", True), ("合同四期付款一共多少万元？", False)]
)
def test_all_rows_are_added_up_only_if_there_are_as_many_as_the_question_says(question: str, is_added: bool) -> None:
    rows = [["第一期", "3.00万元"], ["第二期", "4.00万元"], ["第三期", "5.00万元"]]
    table = source(markdown(["期次", "付款金额"], rows), title="采购合同")
    found = computed(C.SUM, question, table)
    assert (found is not None and "12.00万元" in found.text) == is_added


def test_counted_rows_are_named_with_their_ids() -> None:
    rows = [["M1", "方案评审", "王芳"], ["M2", "到货", "李明"], ["M3", "试生产", "王芳"]]
    table = source(markdown(["编号", "里程碑", "负责人"], rows), title="项目里程碑表")
    found = computed(C.COUNT, "项目里程碑表里由王芳负责的里程碑有几个？", table)
    assert found is not None
    assert found.text == "“王芳”的共 2 个：M1 方案评审、M3 试生产。"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the total amount of two CP-30 and one CP-30B in the contract?", "Total Amount for “CP-30” and “CP-30B”: 9.00 EUR (2 rows: 6.00 EUR + 3.00 EUR)."),
        ("What is the total amount of three CP-30 and one CP-30B in the contract?", None),
    ],
)  # fmt: skip
def test_english_counts_have_to_agree_too(question: str, text: str | None) -> None:
    rows = [["Pump", "CP-30", "2", "6.00"], ["Pump", "CP-30B", "1", "3.00"], ["Fan", "FJ-5", "4", "8.00"]]
    table = source(markdown(["Item", "Model", "Qty", "Amount (EUR)"], rows), title="Contract")
    found = computed(C.SUM, question, table)
    assert (found.text if found else None) == text
