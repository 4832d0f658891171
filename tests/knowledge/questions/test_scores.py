# ruff: noqa: E501 - questions are read in one piece
"""The gate sends plain facts straight through and keeps the loop for questions that need it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.questions.decompose import decompose
from veriloop.knowledge.questions.models import GateScores
from veriloop.knowledge.questions.scores import class_of, is_grey, score_question

LABELLED = Path(__file__).parent / "gate_questions.jsonl"


def scores_of(text: str) -> GateScores:
    question = analyse_question(text)
    return score_question(question, decompose(question))


def labelled() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]


def share(cases: list[dict[str, Any]], is_right: Callable[[dict[str, Any]], bool]) -> float:
    return sum(is_right(case) for case in cases) / len(cases)


def right_class(case: dict[str, Any]) -> bool:
    return bool(class_of(scores_of(case["question"])) == case["question_class"])


def right_type(case: dict[str, Any]) -> bool:
    return bool(decompose(analyse_question(case["question"])).question_type.value == case["question_type"])


def right_parts(case: dict[str, Any]) -> bool:
    return bool(len(decompose(analyse_question(case["question"])).parts) == case["parts"])


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("half", ["a", "b"])
def test_labelled_questions_get_their_class_type_and_number_of_parts(language: str, half: str) -> None:
    cases = [case for case in labelled() if case["language"] == language and case["half"] == half]
    assert len(cases) >= 30
    assert share(cases, right_class) >= 0.85
    assert share(cases, right_type) >= 0.85
    assert share(cases, right_parts) >= 0.85


@pytest.mark.parametrize("name", ["simple", "medium", "complex"])
def test_no_class_is_neglected(name: str) -> None:
    assert share([case for case in labelled() if case["question_class"] == name], right_class) >= 0.8


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("供应商迟交货物，每天要付多少违约金？", "simple"),
        ("采购合同中，安全事故的赔偿期限是多久？", "simple"),
        ("What is the penalty for a breach of the safety clause in the contract?", "simple"),
        ("M1泵和M2泵的质保期哪个长？", "medium"),
        ("Which is heavier, the KR-60 or the KR-120?", "medium"),
        ("冷却塔的供应商的联系电话是多少？", "medium"),
        ("What is the phone number of the supplier of the conveyor?", "medium"),
        ("比较甲公司、乙公司和丙公司的合同价格，哪家最低，选它有什么违约风险？", "complex"),
        ("Compare the prices of Alder Ltd., Birch Inc. and Cedar Co.: which is cheapest, and what legal risks does it carry?", "complex"),
    ],
)  # fmt: skip
def test_stakes_alone_do_not_make_a_fact_hard_and_several_sources_do(text: str, wanted: str) -> None:
    assert class_of(scores_of(text)) == wanted


@pytest.mark.parametrize(
    ("total", "name", "grey"),
    [
        ((4, 4, 2), "simple", False),
        ((4, 4, 3), "simple", True),
        ((4, 4, 4), "medium", True),
        ((5, 4, 4), "medium", False),
        ((8, 8, 4), "medium", True),
        ((8, 8, 5), "complex", True),
        ((8, 8, 6), "complex", False),
    ],
)
def test_the_classes_meet_at_twelve_and_above_twenty(total: tuple[int, int, int], name: str, grey: bool) -> None:
    scores = GateScores(complexity=total[0], sources=total[1], stakes=total[2])
    assert (class_of(scores), is_grey(scores)) == (name, grey)


def test_reasons_say_in_the_language_of_the_question_what_raised_the_scores() -> None:
    assert "要比较2个对象" in scores_of("M1泵和M2泵的价格哪个高？").reasons
    assert "compares 2 subjects" in scores_of("Which is heavier, the KR-60 or the KR-120?").reasons
    assert scores_of("会议室在几楼？").reasons == ()


@pytest.mark.parametrize("text", ["你好", "Thanks!", "它呢？", "How much?"])
def test_what_needs_no_search_scores_nothing(text: str) -> None:
    assert scores_of(text).total == 0


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(
            st.sampled_from(["甲公司", "和", "合同", "哪个更高", "？", "why ", "and ", "penalty ", "the supplier of "])
        ).map("".join),
    )
)
def test_any_text_is_scored_the_same_each_time_and_within_bounds(text: str) -> None:
    scores = scores_of(text)
    assert scores == scores_of(text)
    assert 0 <= scores.total <= 30
    assert class_of(scores) in ("simple", "medium", "complex")
