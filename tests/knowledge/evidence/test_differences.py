# ruff: noqa: E501 - rows of a table of cases
"""A difference names the one first that the user's own word of comparison asks for, and can be checked from its text."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.quoting import quoted, source
from veriloop.knowledge.evidence.conclusion_check import check_conclusion
from veriloop.knowledge.evidence.conclusions import Conclusion, PartAnswer, conclude
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.questions.models import Combination

POWER = {
    "zh": ("{0}的功率是多少？", "{0}的功率为{1}。"),
    "en": ("What is the power of {0}?", "The power of {0} is {1}."),
}
PRICE = {
    "zh": ("{0}的价格是多少？", "{0}的价格为{1}。"),
    "en": ("What is the price of {0}?", "The price of {0} is {1}."),
}
WHEN = {"zh": ("{0}是什么时候验收的？", "{0}于{1}验收。"), "en": ("When was {0} accepted?", "{0} was accepted on {1}.")}


def difference(
    templates: tuple[str, str], values: dict[str, str], language: str, asked: str
) -> tuple[Conclusion | None, list[Evidence]]:
    evidence = [
        source(templates[1].format(name, value), marker=number, title=name)
        for number, (name, value) in enumerate(values.items(), 1)
    ]
    parts = [
        PartAnswer(analyse_question(templates[0].format(name)), name, (quoted(item),))
        for name, item in zip(values, evidence, strict=True)
    ]
    return conclude(Combination.DIFFERENCE, parts, language, asked=asked), evidence


@pytest.mark.parametrize(
    ("templates", "language", "values", "asked", "text"),
    [
        (POWER, "zh", {"HN-1": "30 kW", "HN-2": "37 kW"}, "HN-1和HN-2的功率哪个大，大多少？", "HN-2 比 HN-1 大 7 kW（37 kW与30 kW）。"),
        (POWER, "zh", {"HN-1": "30 kW", "HN-2": "37 kW"}, "HN-1和HN-2哪个功率小，小多少？", "HN-1 比 HN-2 小 7 kW（30 kW与37 kW）。"),
        (PRICE, "zh", {"甲型": "9万元", "乙型": "8万元"}, "甲型和乙型哪个便宜，便宜多少？", "乙型比甲型便宜 1万元（8万元与9万元）。"),
        (PRICE, "zh", {"甲型": "8万元", "乙型": "9万元"}, "甲型比乙型贵多少？", "乙型比甲型贵 1万元（9万元与8万元）。"),
        (PRICE, "zh", {"甲型": "8万元", "乙型": "9万元"}, "甲型和乙型的价格相差多少？", "甲型比乙型少 1万元（8万元与9万元）。"),
        (WHEN, "zh", {"甲型": "2025年9月5日", "乙型": "2025年9月1日"}, "哪个更早？早几天？", "乙型比甲型早 4天（2025年9月1日与2025年9月5日）。"),
        (POWER, "en", {"HN-1": "30 kW", "HN-2": "37 kW"}, "Which has the higher power, and by how much?", "HN-2 is 7 kW higher than HN-1 (37 kW and 30 kW)."),
        (PRICE, "en", {"HN-1": "90 EUR", "HN-2": "80 EUR"}, "Which is cheaper, and by how much?", "HN-2 is 10 EUR cheaper than HN-1 (80 EUR and 90 EUR)."),
        (PRICE, "en", {"HN-1": "80 EUR", "HN-2": "90 EUR"}, "What is the difference?", "HN-1 is 10 EUR below HN-2 (80 EUR and 90 EUR)."),
        (PRICE, "en", {"the pump": "90 EUR", "the fan": "80 EUR"}, "Which is cheaper?", "The fan is 10 EUR cheaper than the pump (80 EUR and 90 EUR)."),
    ],
)  # fmt: skip
def test_the_winner_comes_first_with_the_users_own_word(
    templates: dict[str, tuple[str, str]], language: str, values: dict[str, str], asked: str, text: str
) -> None:
    conclusion, evidence = difference(templates[language], values, language, asked)
    assert conclusion is not None
    assert conclusion.text == text
    assert check_conclusion(conclusion, evidence).supported


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 10**6), st.integers(1, 10**6), st.sampled_from(["大", "小", "高", "低", "贵", "便宜"]))
def test_a_difference_that_is_turned_over_is_refused(one: int, other: int, word: str) -> None:
    assume(one != other)
    values = {"甲型": f"{one}元", "乙型": f"{other}元"}
    conclusion, evidence = difference(PRICE["zh"], values, "zh", f"甲型和乙型哪个更{word}，差多少？")
    assert conclusion is not None
    assert check_conclusion(conclusion, evidence).supported
    first = conclusion.text[:2]
    assert (values[first] == f"{max(one, other)}元") == (word in "大高贵")
    turned = conclusion.text.translate(str.maketrans("甲乙大小高低贵", "乙甲小大低高宜"))
    assert not check_conclusion(conclusion.model_copy(update={"text": turned}), evidence).supported
