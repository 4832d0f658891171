"""Token estimates are upper bounds that are not absurdly high."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.models.messages import Message
from veriloop.models.tokens import estimate_prompt, estimate_tokens


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("差旅报销应当在五个工作日内提交。", 12, 16),
        ("Travel claims must be submitted within five working days.", 10, 20),
        ("HN-3200 于2024年8月1日验收", 14, 22),
        ("a" * 400, 100, 100),
        ("1234567890", 10, 10),
        ("😀", 2, 4),
        ("| 型号 | 数量 |\n| --- | --- |", 14, 24),
        ("Ünïcödé straße", 4, 12),
    ],
)
def test_the_estimate_lies_between_what_common_tokenizers_need_and_half_as_much_again(
    text: str, least: int, most: int
) -> None:
    assert least <= estimate_tokens(text) <= most


@given(st.text(), st.text())
def test_more_text_never_costs_fewer_tokens_by_more_than_a_joint(left: str, right: str) -> None:
    whole = estimate_tokens(left + right)
    assert max(estimate_tokens(left), estimate_tokens(right)) - 1 <= whole
    assert whole <= estimate_tokens(left) + estimate_tokens(right) + 1


@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)))
def test_every_chinese_character_counts(text: str) -> None:
    assert estimate_tokens(text) == len(text)


def test_a_prompt_costs_more_than_its_texts_and_counts_tools() -> None:
    messages = [Message("system", "规则"), Message("user", "question")]
    bare = estimate_prompt(messages)
    assert bare > estimate_tokens("规则") + estimate_tokens("question")
    assert estimate_prompt(messages, {"tools": [{"name": "search", "description": "x" * 400}]}) > bare + 100
