# ruff: noqa: E501 - rows of a table of cases
"""What is about another subject or edition does not answer, and a row does not stand in for a sum."""

from __future__ import annotations

import pytest
from support.quoting import markdown, source
from veriloop.decisions import SubTask, Sufficiency, TaskVerdict
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.questions.models import Combination
from veriloop.nodes.by_rules.judge import Means, judge_by_rules


def judged(
    question: str, *evidence: Evidence, combination: Combination = Combination.LIST, subject: str = ""
) -> TaskVerdict:
    task = SubTask(id="t1", question=question, subject=subject, tool="search_documents", arguments={"query": question})
    means = Means(2, 0.1, one_of_several=bool(subject), idf=lambda _: 1.0, similarity=lambda _: None)
    return judge_by_rules(task, combination, evidence, means)


@pytest.mark.parametrize(
    ("question", "subject", "text", "title", "how"),
    [
        ("戊设备的保修期是多久？", "戊设备", "甲设备的保修期为24个月。", "保修", Sufficiency.MISSING),
        ("甲设备的保修期是多久？", "甲设备", "甲设备的保修期为24个月。", "保修", Sufficiency.ANSWERED),
        ("甲设备的保修期是多久？", "甲设备", "设备的保修期为24个月。", "甲设备说明书", Sufficiency.ANSWERED),
        ("西北仓库的负责人是谁？", "", "华东仓库的负责人是张伟。", "仓库", Sufficiency.MISSING),
        ("华东仓库的负责人是谁？", "", "华东仓库的负责人是张伟。", "仓库", Sufficiency.ANSWERED),
        ("What is the area of the west warehouse?", "the west warehouse", "The area of the north warehouse is 500 m2.", "Warehouses", Sufficiency.MISSING),
        ("What is the area of the north warehouse?", "the north warehouse", "The area of the north warehouse is 500 m2.", "Warehouses", Sufficiency.ANSWERED),
        ("差旅规定2024版的住宿费标准是多少元？", "", "住宿费标准为每晚900元。", "差旅规定_2025版", Sufficiency.MISSING),
        ("差旅规定2025版的住宿费标准是多少元？", "", "住宿费标准为每晚900元。", "差旅规定_2025版", Sufficiency.ANSWERED),
        ("差旅规定2024版的住宿费标准是多少元？", "", "住宿费标准2024年为每晚900元。", "差旅规定_2025版", Sufficiency.ANSWERED),
        ("What is the hotel limit in the Travel Policy 2021?", "", "The hotel limit is 120 EUR per night.", "Travel Policy 2024", Sufficiency.MISSING),
        ("What is the hotel limit in the Travel Policy 2024?", "", "The hotel limit is 120 EUR per night.", "Travel Policy 2024", Sufficiency.ANSWERED),
    ],
)  # fmt: skip
def test_a_part_is_missing_where_nothing_names_its_subject_or_its_edition(
    question: str, subject: str, text: str, title: str, how: Sufficiency
) -> None:
    verdict = judged(question, source(text, title=title), subject=subject)
    assert verdict.sufficiency is how
    assert bool(verdict.missing) == (how is Sufficiency.MISSING)


@pytest.mark.parametrize(
    ("combination", "question", "names", "rows", "how"),
    [
        (Combination.SUM, "采购表的金额合计是多少元？", ["项目", "金额（元）"], [["压机", "100"], ["风机", "面议"]], Sufficiency.PARTLY),
        (Combination.LARGEST, "采购表里金额最高的是哪个项目？", ["项目", "金额（元）"], [["压机", "100"], ["风机", "面议"]], Sufficiency.PARTLY),
        (Combination.SUM, "采购表的金额合计是多少元？", ["项目", "金额（元）"], [["压机", "100"], ["风机", "50"]], Sufficiency.ANSWERED),
        (Combination.SUM, "What is the total amount in the purchase list?", ["Item", "Amount (EUR)"], [["Press", "100"], ["Fan", "on request"]], Sufficiency.PARTLY),
        (Combination.SUM, "What is the total amount in the purchase list?", ["Item", "Amount (EUR)"], [["Press", "100"], ["Fan", "50"]], Sufficiency.ANSWERED),
    ],
)  # fmt: skip
def test_a_row_of_the_table_is_no_answer_where_arithmetic_was_asked_for(
    combination: Combination, question: str, names: list[str], rows: list[list[str]], how: Sufficiency
) -> None:
    title = "采购表" if names[0] == "项目" else "Purchase list"
    verdict = judged(question, source(markdown(names, rows), title=title), combination=combination)
    assert verdict.sufficiency is how
    assert (verdict.conclusion is None) == (how is Sufficiency.PARTLY)
    if how is Sufficiency.PARTLY:
        assert verdict.finding.sentences
        assert question.rstrip("？?") in verdict.missing


@pytest.mark.parametrize(
    ("question", "text"),
    [("采购合同的金额合计是多少元？", "采购合同的金额合计为500元。"), ("What is the total amount of the contract?", "The total amount of the contract is 500 EUR.")],
)  # fmt: skip
def test_a_sentence_that_states_the_sum_answers(question: str, text: str) -> None:
    verdict = judged(question, source(text), combination=Combination.SUM)
    assert verdict.sufficiency is Sufficiency.ANSWERED
