# ruff: noqa: E501 - rows of a table of cases
"""Comparisons, orders in time and differences are computed from quotes, and checked by computing them again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.quoting import markdown, quoted, quoted_row, source
from veriloop.knowledge.evidence.conclusion_check import check_conclusion
from veriloop.knowledge.evidence.conclusions import Conclusion, PartAnswer, conclude
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.questions.models import Combination

C = Combination
TERM = {"zh": "{0}的质保期是多久？", "en": "How long is the warranty period of {0}?"}
TERM_SAYS = {"zh": "{0}的质保期为{1}。", "en": "The warranty period of {0} is {1}."}
PRICE = {"zh": "{0}的价格是多少？", "en": "What is the price of {0}?"}
PRICE_SAYS = {"zh": "{0}的价格为{1}。", "en": "The price of {0} is {1}."}
WHEN = {"zh": "{0}是什么时候验收的？", "en": "When was {0} accepted?"}
WHEN_SAYS = {"zh": "{0}于{1}验收。", "en": "{0} was accepted on {1}."}
LANGUAGES = st.sampled_from(["zh", "en"])


def asked(
    template: dict[str, str], says: dict[str, str], values: dict[str, str], language: str
) -> tuple[list[PartAnswer], list[Evidence]]:
    """A part for each subject, each answered by a document of its own."""
    evidence = [
        source(says[language].format(name, value), marker=number, title=name)
        for number, (name, value) in enumerate(values.items(), 1)
    ]
    parts = [
        PartAnswer(analyse_question(template[language].format(name)), name, (quoted(item),))
        for name, item in zip(values, evidence, strict=True)
    ]
    return parts, evidence


def concluded(combination: Combination, parts: Sequence[PartAnswer], language: str, whole: str = "") -> Conclusion:
    conclusion = conclude(combination, parts, language, asked=whole)
    assert conclusion is not None
    return conclusion


@pytest.mark.parametrize(
    ("combination", "language", "values", "whole", "text"),
    [
        (C.LARGER, "zh", {"甲型": "12个月", "乙型": "24个月"}, "哪个质保期更长？", "乙型的更长：24个月，甲型为12个月。"),
        (C.SMALLER, "zh", {"甲型": "12个月", "乙型": "2年"}, "", "甲型的更短：12个月，乙型为2年。"),
        (C.LARGER, "en", {"A1": "12 months", "B1": "2 years"}, "", "B1 is longer: 2 years, against 12 months for A1."),
        (C.LARGER, "zh", {"A1": "12个月", "B1": "24个月"}, "", "B1 的更长：24个月，A1 为12个月。"),
        (C.LARGER, "zh", {"甲": "1年", "乙": "12个月"}, "", "相同：甲为1年，乙为12个月。"),
        (C.LARGER, "en", {"A1": "1 year", "B1": "12 months"}, "", "They are equal: 1 year for A1 and 12 months for B1."),
        (C.LARGER, "zh", {"甲": "6个月", "乙": "24个月", "丙": "12个月"}, "", "乙的最长：24个月，甲为6个月，丙为12个月。"),
        (C.LARGER, "en", {"A1": "6 months", "B1": "9 months", "C1": "2 months"}, "", "B1 is the longest: 9 months, against 6 months for A1 and 2 months for C1."),
        (C.LARGER, "zh", {"甲": "6个月", "乙": "24个月", "丙": "2年"}, "", "乙、丙并列最长：乙为24个月，丙为2年；甲为6个月。"),
        (C.DIFFERENCE, "zh", {"甲": "2年", "乙": "18个月"}, "", "甲比乙长 0.5年（2年与18个月）。"),
        (C.DIFFERENCE, "zh", {"甲": "11个月", "乙": "1年"}, "", "甲比乙短 1个月（11个月与1年）。"),
        (C.DIFFERENCE, "en", {"A1": "30 months", "B1": "2 years"}, "", "A1 is 6 months above B1 (30 months and 2 years)."),
        (C.LARGER, "zh", {"甲": "三年六个月", "乙": "三年"}, "", "甲的更长：三年六个月，乙为三年。"),
    ],
)  # fmt: skip
def test_the_text_names_who_comes_first_and_every_value(
    combination: Combination, language: str, values: dict[str, str], whole: str, text: str
) -> None:
    parts, evidence = asked(TERM, TERM_SAYS, values, language)
    conclusion = concluded(combination, parts, language, whole)
    assert conclusion.text == text
    assert check_conclusion(conclusion, evidence).supported


@pytest.mark.parametrize(
    ("combination", "language", "whole", "start"),
    [
        (C.SMALLER, "zh", "甲和乙哪个便宜？", "乙更便宜：12万元"),
        (C.LARGER, "zh", "甲和乙谁更贵？", "甲更贵：15万元"),
        (C.SMALLER, "en", "Which is cheaper, 甲 or 乙?", "乙 is cheaper: 12万元"),
        (C.LARGER, "en", "Which is the most expensive?", "甲 is more expensive: 15万元"),
        (C.LARGER, "zh", "哪个便宜？", "甲的更高：15万元"),
    ],
)
def test_the_users_own_comparative_is_taken_up_where_it_names_the_right_end(
    combination: Combination, language: str, whole: str, start: str
) -> None:
    parts, evidence = asked({"en": PRICE["zh"], "zh": PRICE["zh"]}, {"en": PRICE_SAYS["zh"], "zh": PRICE_SAYS["zh"]}, {"甲": "15万元", "乙": "12万元"}, language)  # fmt: skip
    conclusion = concluded(combination, parts, language, whole)
    assert conclusion.text.startswith(start)
    assert check_conclusion(conclusion, evidence).supported


@pytest.mark.parametrize(
    ("combination", "language", "first", "second", "text"),
    [
        (C.EARLIER, "zh", "2019年10月", "2021年3月5日", "甲更早：2019年10月，乙为2021年3月5日。"),
        (C.LATER, "zh", "2019年10月", "2021年3月5日", "乙更晚：2021年3月5日，甲为2019年10月。"),
        (C.EARLIER, "en", "May 2, 2020", "April 2020", "乙 is earlier: April 2020, against May 2, 2020 for 甲."),
        (C.EARLIER, "zh", "2021年11月", "2021年11月", "相同：甲为2021年11月，乙为2021年11月。"),
        (C.EARLIER, "zh", "2019年10月", "2019年10月5日", None),
        (C.LATER, "en", "2019-10", "2019-10-05", None),
        (C.EARLIER, "zh", "10月5日", "2019年10月6日", None),
        (C.DIFFERENCE, "zh", "2025年8月26日", "2025年9月24日", "甲比乙早 29天（2025年8月26日与2025年9月24日）。"),
        (C.DIFFERENCE, "en", "2025-09-24", "2025-08-26", "甲 is 29 days later than 乙 (2025-09-24 and 2025-08-26)."),
        (C.DIFFERENCE, "zh", "2025年8月", "2025年9月24日", None),
    ],
)
def test_dates_are_ordered_only_as_far_as_their_precision_decides(
    combination: Combination, language: str, first: str, second: str, text: str | None
) -> None:
    parts, evidence = asked(WHEN, WHEN_SAYS, {"甲": first, "乙": second}, language)
    conclusion = conclude(combination, parts, language)
    assert (conclusion.text if conclusion else None) == text
    assert conclusion is None or check_conclusion(conclusion, evidence).supported


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("zh", "15万元", "12万美元"),
        ("en", "15 EUR", "12 USD"),
        ("zh", "15万元", "面议"),
        ("en", "15 EUR", "on request"),
        ("zh", "400元/晚", "300元"),
        ("zh", "至少20万元", "30万元"),
        ("en", "at least 20 EUR", "30 EUR"),
        ("zh", "5万元或者8万元", "6万元"),
    ],
)
def test_no_conclusion_is_drawn_from_values_that_do_not_compare(language: str, first: str, second: str) -> None:
    parts, _ = asked(PRICE, PRICE_SAYS, {"甲": first, "乙": second}, language)
    assert conclude(C.LARGER, parts, language) is None
    assert conclude(C.DIFFERENCE, parts, language) is None


def test_a_part_without_an_answer_is_never_dropped() -> None:
    parts, _ = asked(TERM, TERM_SAYS, {"甲": "6个月", "乙": "9个月", "丙": "12个月"}, "zh")
    unanswered = parts[2]._replace(sentences=())
    assert conclude(C.LARGER, [*parts[:2], unanswered], "zh") is None
    assert conclude(C.LARGER, parts[:1], "zh") is None
    assert conclude(C.LARGER, [parts[0], parts[0]], "zh") is None


def test_a_quote_about_another_subject_answers_nothing() -> None:
    parts, _ = asked(TERM, TERM_SAYS, {"HN-320": "12个月", "HN-320B": "24个月"}, "zh")
    wrong = parts[0]._replace(sentences=parts[1].sentences)
    assert conclude(C.LARGER, [wrong, parts[1]], "zh") is None


@pytest.mark.parametrize(
    ("text", "is_concluded"), [("质保期为24个月。", False), ("甲型和乙型的质保期均为24个月。", True)]
)
def test_one_quote_answers_two_parts_only_where_it_names_both_subjects(text: str, is_concluded: bool) -> None:
    evidence = source(text)
    parts = [
        PartAnswer(analyse_question(TERM["zh"].format(name)), name, (quoted(evidence),)) for name in ("甲型", "乙型")
    ]
    assert (conclude(C.LARGER, parts, "zh") is not None) == is_concluded


@pytest.mark.parametrize(
    ("language", "text"),
    [("zh", "X-2 更重：50 kg，X-1 为20 kg。"), ("en", "X-2 is heavier: 50 kg, against 20 kg for X-1.")],
)
def test_cells_are_compared_with_the_unit_of_their_column(language: str, text: str) -> None:
    names = {"zh": ["型号", "重量 (kg)", "臂展 (mm)"], "en": ["Model", "Weight (kg)", "Reach (mm)"]}[language]
    question = {"zh": "{0} 的重量是多少？", "en": "What is the weight of {0}?"}[language]
    whole = {"zh": "X-1 和 X-2 哪个更重？", "en": "Which is heavier, X-1 or X-2?"}[language]
    evidence = source(markdown(names, [["X-1", "20", "1800"], ["X-2", "50", "900"]]))
    parts = [
        PartAnswer(analyse_question(question.format(name)), name, (quoted_row(evidence, index, language),))
        for index, name in enumerate(("X-1", "X-2"))
    ]
    conclusion = concluded(C.LARGER, parts, language, whole)
    assert conclusion.text == text
    assert check_conclusion(conclusion, [evidence]).supported


def test_percentages_differ_by_percentage_points() -> None:
    template = {"zh": "{0}的合格率是多少？", "en": "What is the pass rate of {0}?"}
    says = {"zh": "{0}的合格率为{1}。", "en": "The pass rate of {0} is {1}."}
    for language, text in (("zh", "甲比乙多 2.5个百分点（98%与95.5%）。"), ("en", "甲 is 2.5 percentage points above 乙 (98% and 95.5%).")):  # fmt: skip
        parts, evidence = asked(template, says, {"甲": "98%", "乙": "95.5%"}, language)
        conclusion = concluded(C.DIFFERENCE, parts, language)
        assert conclusion.text == text
        assert check_conclusion(conclusion, evidence).supported


UNITS = {"zh": ["元", "万元", "亿元", "美元"], "en": [" EUR", " million dollars", " yuan"]}
AMOUNTS = st.tuples(st.integers(1, 10**7), st.integers(0, 3)).map(lambda pair: Decimal(pair[0]).scaleb(-pair[1]))


@st.composite
def priced(draw: st.DrawFn) -> tuple[str, Decimal, Decimal, str]:
    language = draw(LANGUAGES)
    return language, draw(AMOUNTS), draw(AMOUNTS), draw(st.sampled_from(UNITS[language]))


def _written(number: Decimal, unit: str, *, grouped: bool) -> str:
    return f"{number:,f}{unit}" if grouped else f"{number:f}{unit}"


@settings(deadline=None, max_examples=60)
@given(priced(), st.booleans())
def test_comparisons_do_not_depend_on_the_order_and_turn_over_with_the_direction(
    case: tuple[str, Decimal, Decimal, str], grouped: bool
) -> None:
    language, left, right, unit = case
    values = {"甲厂": _written(left, unit, grouped=grouped), "乙厂": _written(right, unit, grouped=not grouped)}
    parts, evidence = asked(PRICE, PRICE_SAYS, values, language)
    for combination, winner in ((C.LARGER, max), (C.SMALLER, min)):
        for order in (parts, parts[::-1]):
            conclusion = concluded(combination, order, language)
            if left == right:
                assert conclusion.text.startswith(("相同", "They are equal"))
            else:
                assert conclusion.text.startswith("甲厂" if winner(left, right) == left else "乙厂")
            assert check_conclusion(conclusion, evidence).supported


@settings(deadline=None, max_examples=60)
@given(priced())
def test_differences_are_exact(case: tuple[str, Decimal, Decimal, str]) -> None:
    language, left, right, unit = case
    assume(left != right)
    parts, evidence = asked(PRICE, PRICE_SAYS, {"甲厂": f"{left:f}{unit}", "乙厂": f"{right:f}{unit}"}, language)
    conclusion = concluded(C.DIFFERENCE, parts, language)
    result = conclusion.text.split(" ")[1] if language == "zh" else conclusion.text.split(" is ")[1].split(" ")[0]
    number = result.removesuffix(f"（{left:f}{unit}与{right:f}{unit}）。").removesuffix(unit)
    assert Decimal(number) == abs(left - right)
    assert ("多" in conclusion.text or "above" in conclusion.text) == (left > right)
    assert check_conclusion(conclusion, evidence).supported


@settings(deadline=None, max_examples=60)
@given(LANGUAGES, st.dates(date(1990, 1, 1), date(2040, 1, 1)), st.dates(date(1990, 1, 1), date(2040, 1, 1)))
def test_full_dates_are_always_ordered(language: str, one: date, other: date) -> None:
    parts, evidence = asked(WHEN, WHEN_SAYS, {"甲厂": one.isoformat(), "乙厂": other.isoformat()}, language)
    for combination, first in ((C.EARLIER, one <= other), (C.LATER, one >= other)):
        conclusion = concluded(combination, parts, language)
        assert one == other or conclusion.text.startswith("甲厂" if first else "乙厂")
        assert check_conclusion(conclusion, evidence).supported


@settings(deadline=None, max_examples=80)
@given(priced(), st.sampled_from([C.LARGER, C.SMALLER, C.DIFFERENCE]), st.data())
def test_a_changed_digit_is_refused(
    case: tuple[str, Decimal, Decimal, str], combination: Combination, data: st.DataObject
) -> None:
    language, left, right, unit = case
    parts, evidence = asked(PRICE, PRICE_SAYS, {"A-1": f"{left:f}{unit}", "A-2": f"{right:f}{unit}"}, language)
    conclusion = concluded(combination, parts, language)
    places = [index for index, character in enumerate(conclusion.text) if character.isdigit()]
    place = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != conclusion.text[place]]))
    text = f"{conclusion.text[:place]}{digit}{conclusion.text[place + 1 :]}"
    check = check_conclusion(conclusion.model_copy(update={"text": text}), evidence)
    assert not check.supported and check.faults


@settings(deadline=None, max_examples=60)
@given(priced(), st.sampled_from([C.LARGER, C.SMALLER, C.DIFFERENCE]))
def test_a_swapped_winner_is_refused_in_the_text_and_in_the_operands(
    case: tuple[str, Decimal, Decimal, str], combination: Combination
) -> None:
    language, left, right, unit = case
    assume(left != right)
    parts, evidence = asked(PRICE, PRICE_SAYS, {"甲厂": f"{left:f}{unit}", "乙厂": f"{right:f}{unit}"}, language)
    conclusion = concluded(combination, parts, language)
    text = conclusion.text.replace("甲厂", "\0").replace("乙厂", "甲厂").replace("\0", "乙厂")
    swapped = conclusion.model_copy(update={"text": text})
    one, other = conclusion.operands
    operands = (one.model_copy(update={"subject": "乙厂"}), other.model_copy(update={"subject": "甲厂"}))
    assert not check_conclusion(swapped, evidence).supported
    assert not check_conclusion(swapped.model_copy(update={"operands": operands}), evidence).supported


@pytest.mark.parametrize(
    ("change", "into"),
    [
        ("24个月", "24年"),
        ("24个月", "24天"),
        ("更长", "更短"),
        ("乙的", "丙的"),
        ("。", "，丙为6个月。"),
        ("乙的更长", "乙的不更长"),
    ],
)
def test_a_changed_unit_word_or_subject_is_refused(change: str, into: str) -> None:
    parts, evidence = asked(TERM, TERM_SAYS, {"甲": "12个月", "乙": "24个月"}, "zh")
    conclusion = concluded(C.LARGER, parts, "zh")
    assert change in conclusion.text
    changed = conclusion.model_copy(update={"text": conclusion.text.replace(change, into)})
    assert not check_conclusion(changed, evidence).supported


def test_a_conclusion_falls_with_its_source() -> None:
    parts, evidence = asked(TERM, TERM_SAYS, {"A1": "12 months", "B1": "24 months"}, "en")
    conclusion = concluded(C.LARGER, parts, "en")
    block = evidence[1].block
    edited = evidence[1].model_copy(update={"block": block.model_copy(update={"text": block.text.replace("24", "10")})})
    assert check_conclusion(conclusion, evidence).supported
    assert not check_conclusion(conclusion, [evidence[0], edited]).supported
    assert not check_conclusion(conclusion, evidence[:1]).supported
    assert {fault.kind for fault in check_conclusion(conclusion, evidence[:1]).faults} == {"not_in_source"}
