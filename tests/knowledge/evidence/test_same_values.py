"""Values and sentences side by side: what is the same but for spelling and precision, and where texts differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.evidence.differing_pieces import align
from veriloop.knowledge.evidence.same_values import (
    Answer,
    Stated,
    are_comparable,
    can_both_hold,
    is_same_answer,
    is_same_value,
    stated_in,
)


def stated(text: str) -> Stated:
    (found,) = stated_in(text)
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10个工作日", "十个工作日"),
        ("1.5万元", "15000元"),
        ("2019年10月", "2019年10月5日"),
        ("10月5日", "2019-10-05"),
        ("约3600人", "3559人"),
        ("3600多人", "3659人"),
        ("3.56万人", "35612人"),
        ("12.5%", "12.46%"),
        ("一个月", "30天"),
        ("5 October 2019", "2019-10-05"),
        ("about 3,600 people", "3,559 people"),
        ("1.2 million EUR", "1,234,567 EUR"),
        ("thirty (30) days", "30 days"),
        ("Q2 2021", "in 2021"),
    ],
)
def test_spelling_and_precision_make_no_other_value(one: str, other: str) -> None:
    assert is_same_value(stated(one), stated(other))
    assert is_same_value(stated(other), stated(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10天", "12天"),
        ("10天", "10个工作日"),
        ("约3600人", "2600人"),
        ("3600人", "3559人"),
        ("2019年10月", "2019年11月5日"),
        ("2021-Q2", "2021-Q3"),
        ("100 EUR", "100 USD"),
        ("1.5 million EUR", "1.9 million EUR"),
        ("12%", "21%"),
        ("9:30", "8:30"),
    ],
)
def test_another_number_unit_or_date_is_another_value(one: str, other: str) -> None:
    assert not is_same_value(stated(one), stated(other))
    assert not is_same_value(stated(other), stated(one))


@pytest.mark.parametrize(
    ("bound", "kept", "broken"),
    [
        ("不超过300元", "250元", "350元"),
        ("不少于10天", "15天", "5天"),
        ("at most 30 days", "20 days", "40 days"),
        ("at least 4 people", "6 people", "3 people"),
    ],
)
def test_a_bound_holds_beside_what_keeps_it(bound: str, kept: str, broken: str) -> None:
    assert can_both_hold(stated(bound), stated(kept))
    assert can_both_hold(stated(kept), stated(bound))
    assert not can_both_hold(stated(bound), stated(broken))


def test_an_upper_and_a_lower_bound_are_not_compared() -> None:
    assert not are_comparable(stated("不超过300元"), stated("不少于100元"))
    assert not are_comparable(stated("at most 30 days"), stated("at least 40 days"))
    assert are_comparable(stated("不超过300元"), stated("不超过200元"))


@given(st.integers(min_value=1, max_value=10**9), st.integers(min_value=1, max_value=10**9))
def test_whole_numbers_are_the_same_only_if_equal(one: int, other: int) -> None:
    assert is_same_value(stated(f"{one}件"), stated(f"{other}件")) == (one == other)


@given(st.text(max_size=60), st.text(max_size=60))
def test_an_alignment_is_a_share_and_quotes_both_texts(mine: str, theirs: str) -> None:
    aligned = align(mine, theirs)
    assert 0 <= aligned.likeness <= 1
    assert all(piece.mine in mine and piece.theirs in theirs for piece in aligned.pieces)
    assert not align(mine, mine).pieces


@pytest.mark.parametrize(
    ("mine", "theirs", "pieces"),
    [
        ("灵犀项目由王建国负责。", "灵犀项目由李晓梅负责。", [("王建国", "李晓梅")]),
        ("押金为1.5万元。", "押金為15000元。", []),
        ("The head is Anna Keller today.", "The head is Peter Novak today.", [("Anna Keller", "Peter Novak")]),
        ("The fee is 30 EUR per day.", "The fee is 45 EUR per day.", [("30 EUR", "45 EUR")]),
    ],
)
def test_texts_differ_in_whole_words_and_values(mine: str, theirs: str, pieces: list[tuple[str, str]]) -> None:
    assert [(piece.mine, piece.theirs) for piece in align(mine, theirs).pieces] == pieces


def test_answers_are_compared_by_their_values_or_their_letters() -> None:
    assert is_same_answer(Answer("三十天", stated_in("三十天")), Answer("30 天", stated_in("30 天")))
    assert is_same_answer(Answer("Anna  Keller"), Answer("anna keller"))
    assert not is_same_answer(Answer("Anna Keller"), Answer("Peter Novak"))
