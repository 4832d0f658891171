# ruff: noqa: E501 - rows of a table of cases
"""Each part of a question is answered by the sentence that holds what it asks for, or is called missing."""

from __future__ import annotations

import pytest
from support.quoting import markdown, source
from veriloop.decisions import SubTask, Sufficiency, TaskVerdict
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.questions.models import Combination
from veriloop.nodes.by_rules.judge import Means, judge_by_rules


def judged(question: str, *evidence: Evidence, combination: Combination = Combination.LIST) -> TaskVerdict:
    task = SubTask(id="t1", question=question, tool="search_documents", arguments={"query": question})
    means = Means(2, 0.2, one_of_several=True, idf=lambda _: 1.0, similarity=lambda _: None)
    return judge_by_rules(task, combination, evidence, means)


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        (
            "蓝海公司的净利润受到研发投入的影响。2021年，蓝海公司的净利润为500万元。",
            "蓝海公司的净利润是多少？",
            "500万元",
        ),
        (
            "The net profit of Alpha shows how well it works. In 2021 the net profit of Alpha was 5 million dollars.",
            "What amount of net profit did Alpha make?",
            "5 million dollars",
        ),
    ],
)
def test_a_part_that_wants_an_amount_gets_the_sentence_with_one(text: str, question: str, value: str) -> None:
    verdict = judged(question, source(text))
    assert verdict.sufficiency is Sufficiency.ANSWERED
    assert [value in sentence.text for sentence in verdict.finding.sentences] == [True]


@pytest.mark.parametrize(
    ("text", "question", "combination"),
    [
        ("输送机CVX-2的带宽合适。", "输送机CVX-2的单价是多少元？", Combination.LARGER),
        ("The conveyor CVX-2 is insured by the year.", "What is the insurance premium of the conveyor CVX-2?", Combination.LARGER),
        ("冷却塔的合同已经签订。", "冷却塔的合同是哪一天签订的？", Combination.LIST),
        ("The contract for the cooling tower was signed.", "On which date was the contract for the cooling tower signed?", Combination.LIST),
    ],
)  # fmt: skip
def test_a_part_that_only_a_value_answers_is_missing_without_one(
    text: str, question: str, combination: Combination
) -> None:
    verdict = judged(question, source(text), combination=combination)
    assert verdict.sufficiency is Sufficiency.MISSING
    assert verdict.missing


def test_the_amount_of_one_thing_does_not_answer_for_that_of_another() -> None:
    text = "2020年，公司完成了对乐园项目的投资，投资金额为20亿元。2020年，公司的债务重组减少了10亿元的负债。"
    verdict = judged("2020年公司的债务减少金额是多少？", source(text), combination=Combination.LARGER)
    assert [("10亿元" in sentence.text) for sentence in verdict.finding.sentences] == [True]


@pytest.mark.parametrize(
    ("question", "short"),
    [("单价为4.20万元的水泵是什么型号？", "CP-40"), ("单价为3.50万元的水泵是什么型号？", "CP-30")],
)
def test_the_row_with_the_stated_value_answers(question: str, short: str) -> None:
    table = markdown(["品名", "型号", "单价（万元）"], [["水泵", "CP-30", "3.50"], ["水泵", "CP-40", "4.20"]])
    assert judged(question, source(table, title="采购合同")).finding.short_answer == short


@pytest.mark.parametrize(
    ("text", "question", "short"),
    [
        ("管网改造的工作已经安排好了。", "谁负责管网改造？", "负责管网改造的人"),
        (
            "The approval covers every account that can read all of the files.",
            "What is an account called that can read all of the files?",
            "an account that can read all of the files",
        ),
    ],
)
def test_where_no_name_is_found_the_next_part_is_asked_with_the_words_of_the_question(
    text: str, question: str, short: str
) -> None:
    assert judged(question, source(text)).finding.short_answer == short
