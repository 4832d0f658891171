"""The rules of a year are those in force then, where older versions are kept; elsewhere the year stays in the text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.catalogue import document
from veriloop.knowledge.query.facts import facts_of
from veriloop.knowledge.query.filters import read_filter

TODAY = date(2026, 11, 30)
DOCUMENTS = [document("差旅费管理办法"), document("Travel policy")]
KEPT, NOT_KEPT = facts_of(DOCUMENTS, has_history=True), facts_of(DOCUMENTS)

MEANT = [
    ("按2023年的规定，住宿费标准是多少？", date(2023, 12, 31)),
    ("2022年的差旅费管理办法里，住宿费是多少？", date(2022, 12, 31)),
    ("2023年时员工出差住宿费标准是多少？", date(2023, 12, 31)),
    ("去年的规定中年假几天？", date(2025, 12, 31)),
    ("2023年5月1日时，住宿标准多少？", date(2023, 5, 1)),
    ("今年的制度规定的上限是多少？", TODAY),
    ("What may a hotel cost under the 2022 travel policy?", date(2022, 12, 31)),
    ("What may a hotel cost under the travel policy of 2022?", date(2022, 12, 31)),
    ("What did the policy as it stood in 2022 allow?", date(2022, 12, 31)),
    ("What did the rules in 2022 say on hotels?", date(2022, 12, 31)),
    ("差旅费管理办法2023版的住宿费标准是多少？", date(2023, 12, 31)),
    ("2023年修订版的差旅费管理办法中，住宿费标准是多少？", date(2023, 12, 31)),
    ("What may a hotel cost in the 2022 version of the travel policy?", date(2022, 12, 31)),
]
CONTENT = [
    "2023年的营业收入是多少？",
    "2023年期间费用是多少？",
    "2023年时段的平均温度是多少？",
    "2023年哪个版本的办法有效？",
    "What was revenue as of December 31, 2023?",
    "How many policies were sold in 2022?",
    "Which version of the policy held in 2022?",
    "2022年的规定和2024年的规定中，住宿费标准分别是多少？",
    "2022年和2024年的差旅费管理办法中，住宿费标准分别是多少？",
    "2023版软件的价格是多少？",
    "What does the 2022 edition of the atlas cost?",
]


@pytest.mark.parametrize(("question", "day"), MEANT)
def test_the_rules_of_a_time_are_those_in_force_then(question: str, day: date) -> None:
    read = read_filter(question, KEPT, TODAY)
    assert read.filter.in_force_on == day
    assert str(day.year) not in read.rest


@pytest.mark.parametrize("question", [question for question, _ in MEANT])
def test_without_older_versions_the_year_stays_in_the_question(question: str) -> None:
    read = read_filter(question, NOT_KEPT, TODAY)
    assert read.filter.in_force_on is None
    assert read.rest == question


@pytest.mark.parametrize("question", CONTENT)
def test_a_year_of_the_content_means_no_version(question: str) -> None:
    assert read_filter(question, KEPT, TODAY).filter.in_force_on is None


@pytest.mark.parametrize("written", ["2023年版", "2023年修订版", "2023版"])
def test_the_year_of_an_edition_is_its_name_and_no_date(written: str) -> None:
    read = read_filter(f"员工手册的{written}中，年休假是多少天？", facts_of([document("员工手册_2023版")]), TODAY)
    assert read.filter.editions == {2023}
    assert read.rest.startswith("员工手册的2023版中")


@pytest.mark.parametrize("question", ["差旅费管理办法2023版的住宿费是多少？", "员工手册2023版的年假几天？"])
def test_where_a_text_has_editions_their_years_mean_documents(question: str) -> None:
    facts = facts_of([document("差旅费管理办法_2023版"), document("员工手册_2023版")], has_history=True)
    read = read_filter(question, facts, TODAY)
    assert read.filter.in_force_on is None
    assert read.filter.editions == {2023}


@given(st.text(alphabet="2023年5月的规定办法时里，policy of in the 2022 ", max_size=60))
def test_any_question_can_be_read(question: str) -> None:
    read = read_filter(question, KEPT, TODAY)
    assert read.filter.in_force_on is None or read.filter.in_force_on <= TODAY
