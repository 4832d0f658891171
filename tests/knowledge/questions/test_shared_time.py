"""A period that a question names once holds for every part of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.questions.decompose import decompose
from veriloop.knowledge.questions.models import Combination

CHINESE_TIMES = ("去年", "2025年", "上个月", "去年第四季度", "2025年上半年", "近三个月", "2025年3月", "本季度")
ENGLISH_TIMES = ("last year", "in 2025", "in March 2025", "last month", "in the last three months", "in Q3 2025")


def parts_of(question: str) -> list[str]:
    return [part.text for part in decompose(analyse_question(question)).parts]


def subjects_of(question: str) -> list[str]:
    return [part.subject for part in decompose(analyse_question(question)).parts]


@settings(deadline=None)
@given(
    time=st.sampled_from(CHINESE_TIMES),
    form=st.sampled_from(
        [
            "{time}华东的营收比华南高多少",
            "{time}，华东的营收比华南高多少？",
            "华东{time}的营收比华南高多少",
            "华东比华南{time}的营收高多少",
            "{time}华东和华南的营收相差多少",
            "华东和华南{time}的营收哪个高",
            "{time}华东和华南的营收分别是多少？",
        ]
    ),
)
def test_a_period_that_is_said_once_in_chinese_stands_in_each_part(time: str, form: str) -> None:
    parts = parts_of(form.format(time=time))
    assert len(parts) == 2
    assert all(time in part for part in parts)
    assert "华东" in parts[0] and "华南" in parts[1] and "华东" not in parts[1]
    assert subjects_of(form.format(time=time)) == ["华东", "华南"]


@settings(deadline=None)
@given(
    time=st.sampled_from(ENGLISH_TIMES),
    form=st.sampled_from(
        [
            "How much higher was the revenue of North than that of South {time}?",
            "Was the revenue of North higher than that of South {time}?",
            "What was the difference in revenue between North and South {time}?",
            "Which had the higher revenue {time}, North or South?",
            "{time}, how much higher was the revenue of North than that of South?",
        ]
    ),
)
def test_a_period_that_is_said_once_in_english_stands_in_each_part(time: str, form: str) -> None:
    question = form.format(time=time)
    parts = parts_of(question[0].upper() + question[1:])
    assert len(parts) == 2
    assert all(time.casefold() in part.casefold() for part in parts), parts
    assert "North" in parts[0] and "South" in parts[1] and "North" not in parts[1]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("去年华东的营收比今年高多少", ["去年华东的营收是多少？", "今年华东的营收是多少？"]),
        ("2025年华东的营收比2024年高多少", ["2025年华东的营收是多少？", "2024年华东的营收是多少？"]),
        ("华东的营收比去年高多少", ["华东的营收是多少？", "去年华东的营收是多少？"]),
        (
            "How much higher was the revenue of North in 2025 than in 2024?",
            ["What was the revenue of North in 2025?", "What was the revenue of North in 2024?"],
        ),
    ],
)
def test_two_periods_are_asked_of_the_same_thing(question: str, expected: list[str]) -> None:
    assert parts_of(question) == expected


def test_periods_that_are_compared_tell_the_parts_apart() -> None:
    assert subjects_of("2025年和2024年华东的营收相差多少") == ["2025年", "2024年"]


@pytest.mark.parametrize(
    "question",
    [
        "甲公司在2023年和乙公司在2024年的营收哪个高？",
        "2024版和2022版管理规定的验收期限有什么不同？",
        "根据《2024年度计划》，甲方案和乙方案的预算哪个高？",
        "甲公司2023年的营收和乙公司2024年的营收哪个高？",
    ],
)
def test_each_part_keeps_its_own_year_or_edition(question: str) -> None:
    found = decompose(analyse_question(question))
    years = [[year for year in ("2022", "2023", "2024") if year in part.text] for part in found.parts]
    assert found.combination is not Combination.SINGLE
    assert all(len(one) == 1 for one in years), [part.text for part in found.parts]
