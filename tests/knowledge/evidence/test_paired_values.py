"""Which value of a sentence, and which row of a table, belongs to what a question names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.quoting import markdown, quoted, source
from veriloop.knowledge.evidence.amounts import MEASURED
from veriloop.knowledge.evidence.conclusion_check import check_conclusion
from veriloop.knowledge.evidence.conclusions import PartAnswer, conclude
from veriloop.knowledge.evidence.paired_values import paired_values
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.evidence.stated_values import row_with_values
from veriloop.knowledge.questions.models import Combination

SHIFTS = {
    "zh": ("夜班岗位每班补贴{0}元，白班岗位每班补贴{1}元。", ("夜班岗位", "白班岗位")),
    "en": (
        "The bonus is {0} yuan for a night position and {1} yuan for a day position.",
        ("a night position", "a day position"),
    ),
}


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(["zh", "en"]), st.integers(2, 9_999), st.integers(2, 9_999), st.booleans())
def test_names_and_values_that_take_turns_are_paired_whatever_the_order(
    language: str, one: int, other: int, is_reversed: bool
) -> None:
    template, subjects = SHIFTS[language]
    values = [f"{one}{'元' if language == 'zh' else ' yuan'}", f"{other}{'元' if language == 'zh' else ' yuan'}"]
    asked = subjects[::-1] if is_reversed else subjects
    found = [value.raw for value in paired_values(template.format(one, other), asked, MEASURED)]
    assert found == (values[::-1] if is_reversed else values)


@pytest.mark.parametrize(
    ("sentence", "subjects"),
    [
        ("夜班岗位和白班岗位分别补贴30元和20元。", ("夜班岗位", "白班岗位")),
        ("夜班岗位补贴30元。", ("夜班岗位", "白班岗位")),
        ("夜班岗位补贴30元，白班岗位休息2小时。", ("夜班岗位", "白班岗位")),
        ("The night shift and the day shift get 30 yuan and 20 yuan.", ("the night shift", "the day shift")),
        ("The bonus is 30 yuan for a night shift, 20 yuan for a day shift and 5 yuan for others.", ("night", "day")),
    ],
)
def test_nothing_is_paired_where_the_sentence_does_not_say_whose_each_value_is(
    sentence: str, subjects: tuple[str, str]
) -> None:
    assert paired_values(sentence, subjects, MEASURED) == []


@pytest.mark.parametrize(
    ("language", "combination", "sentence", "question", "subjects", "text"),
    [
        (
            "en", Combination.EARLIER,
            "Security updates are installed within 7 days of release, feature updates within 30 days.",
            "Within how long must {0} be installed?", ("security updates", "feature updates"),
            "security updates is sooner: 7 days, against 30 days for feature updates.",
        ),
        (
            "zh", Combination.DIFFERENCE, "夜班岗位每班补贴30元，白班岗位每班补贴20元。",
            "{0}每班补贴多少元？", ("白班岗位", "夜班岗位"), "夜班岗位比白班岗位高 10元（30元与20元）。",
        ),
    ],
)  # fmt: skip
def test_one_sentence_about_both_subjects_is_compared(
    language: str, combination: Combination, sentence: str, question: str, subjects: tuple[str, str], text: str
) -> None:
    evidence = source(sentence)
    parts = [PartAnswer(analyse_question(question.format(name)), name, (quoted(evidence),)) for name in subjects]
    whole = "Which must be installed sooner?" if language == "en" else "哪个更高，高多少？"
    conclusion = conclude(combination, parts, language, asked=whole)
    assert conclusion is not None
    assert conclusion.text == text
    assert check_conclusion(conclusion, [evidence]).supported


PRICES = {
    "zh": (["品名", "型号", "单价（万元）"], [["水泵", "CP-30", "3.50"], ["水泵", "CP-40", "4.20"]]),
    "en": (["Item", "Model", "Price (EUR)"], [["Pump", "CP-30", "3,500"], ["Pump", "CP-40", "4,200"]]),
}


@pytest.mark.parametrize(
    ("language", "question", "model"),
    [
        ("zh", "单价为4.20万元的水泵是什么型号？", "CP-40"),
        ("zh", "单价为3.5万元的水泵是什么型号？", "CP-30"),
        ("en", "Which model is the pump with a price of 4200 EUR?", "CP-40"),
        ("zh", "单价为5万元的水泵是什么型号？", ""),
        ("zh", "单价为4.20万元的风机是什么型号？", ""),
        ("zh", "哪种型号的水泵便宜？", ""),
    ],
)
def test_a_row_is_told_by_a_value_in_it(language: str, question: str, model: str) -> None:
    names, rows = PRICES[language]
    found = row_with_values(analyse_question(question), [source(markdown(names, rows))], score=0.5)
    assert (model in found.text) if found and model else found is None


def test_a_value_that_several_rows_hold_tells_none() -> None:
    table = markdown(["品名", "型号", "单价（万元）"], [["水泵", "CP-30", "3.50"], ["水泵", "CP-40", "3.50"]])
    assert row_with_values(analyse_question("单价为3.5万元的水泵是什么型号？"), [source(table)], score=0.5) is None
