"""Rows that a question leaves out, or that are only some of those it counts or compares, do not answer it."""

from __future__ import annotations

import pytest
from support.quoting import markdown, source
from veriloop.decisions import SubTask, Sufficiency, TaskVerdict
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.questions.models import Combination
from veriloop.nodes.by_rules.judge import Means, judge_by_rules

ORDERS = markdown(
    ["Order", "Customer", "Region", "Placed on"],
    [
        ["O-1", "Alpha", "North", "2025-03-01"],
        ["O-2", "Beta", "South", "2025-04-02"],
        ["O-3", "Alpha", "South", "2025-05-20"],
    ],
)


def judged(question: str, *evidence: Evidence) -> TaskVerdict:
    task = SubTask(id="t1", question=question, tool="search_documents", arguments={"query": question})
    means = Means(2, 0.2, one_of_several=False, idf=lambda _: 1.0, similarity=lambda _: None)
    return judge_by_rules(task, Combination.SINGLE, evidence, means)


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("orders not in region South?", "South"),
        ("List the orders not placed by customer Alpha", "Alpha"),
        ("Which orders were placed by customers other than Alpha?", "Alpha"),
    ],
)
def test_no_row_that_is_left_out_answers(question: str, wrong: str) -> None:
    verdict = judged(question, source(ORDERS))
    assert verdict.sufficiency is not Sufficiency.ANSWERED and verdict.missing
    assert not any(wrong in sentence.text for sentence in verdict.finding.sentences)


@pytest.mark.parametrize(
    "question", ["How many orders did customer Alpha place?", "哪个客户的订单最多？Customer Order"]
)
def test_some_rows_do_not_answer_what_is_counted_or_compared(question: str) -> None:
    verdict = judged(question, source(ORDERS))
    assert verdict.sufficiency is Sufficiency.MISSING and not verdict.finding.sentences


def test_rows_of_another_time_are_left_out() -> None:
    verdict = judged("Orders of customer Alpha placed after April 2025", source(ORDERS))
    assert not any("O-1" in sentence.text for sentence in verdict.finding.sentences)


@pytest.mark.parametrize(("question", "value"), [("会议室A有多少个座位？", "12"), ("会议室A的座位最多多少个？", "12")])
def test_a_row_that_states_the_number_itself_answers(question: str, value: str) -> None:
    rooms = markdown(["房间", "座位数"], [["会议室A", "12"], ["会议室B", "20"]])
    verdict = judged(question, source(rooms))
    assert verdict.sufficiency is Sufficiency.ANSWERED and value in verdict.finding.sentences[0].text


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("合同总价为248万元。", "合同总价的10%加上5万元是多少？"),
        ("合同总价为248万元。", "合同总价的3倍是多少？"),
        ("The hotel limit is 120 EUR.", "What is 3 times the hotel limit?"),
    ],
)
def test_what_has_to_be_computed_is_not_answered_by_what_it_is_computed_from(text: str, question: str) -> None:
    verdict = judged(question, source(text))
    assert verdict.sufficiency is not Sufficiency.ANSWERED and verdict.missing


PARTS = markdown(["零件", "交货周期（天）"], [["齿轮", "20"], ["轴承", "30"], ["垫片", "5"]])


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("交货周期不少于20天的零件有哪些", "垫片"),
        ("交货周期不超过20天的零件有哪些", "轴承"),
        ("交货周期超过20天的零件有哪些", "齿轮"),
        ("交货周期少于20天的零件有哪些", "齿轮"),
    ],
)
def test_rows_on_the_wrong_side_of_a_bound_are_left_out(question: str, wrong: str) -> None:
    told = "\n".join(sentence.text for sentence in judged(question, source(PARTS)).finding.sentences)
    assert wrong not in told and ("齿轮" in told) is ("不" in question), told
