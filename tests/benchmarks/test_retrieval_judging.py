"""What counts as found when searches are compared."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.benchmarks import benchmark

corpora = benchmark("corpora")
judging = benchmark("retrieval_judging")
workload = benchmark("retrieval_workload")

QUOTE = "验收申请之日起十个工作日内组织验收"


def _question(*documents: str, wanted: tuple[str, ...] = (QUOTE,)) -> Any:
    return corpora.Question("q", "验收时限？", documents or ("contract",), wanted, "other")


def _row(document: str, block: str, text: str, block_text: str = "") -> Any:
    return workload.Row(document, block, text, block_text or text)


ROWS = [
    _row("contract", "1", "总则", f"总则。自收到{QUOTE}。"),
    _row("contract", "1", f"自收到{QUOTE}。", f"总则。自收到{QUOTE}。"),
    _row("other", "2", f"自收到{QUOTE}。"),
    _row("contract", "3", "付款"),
]


def test_a_block_is_right_where_another_of_its_passages_holds_the_quote() -> None:
    assert judging.judge(_question(), [3, 0], ROWS, "block").rank == 2
    assert judging.judge(_question(), [3, 0], ROWS, "passage").rank is None


def test_passages_of_one_block_count_once_when_blocks_are_judged() -> None:
    found = [3, 3, 0, 1]
    assert judging.judge(_question(), found, ROWS, "block").rank == 2
    assert judging.judge(_question(), found, ROWS, "passage").rank == 4


@pytest.mark.parametrize("unit", ["passage", "block"])
def test_the_quote_in_another_document_is_not_right(unit: str) -> None:
    assert judging.judge(_question(), [2], ROWS, unit).rank is None


def test_blanks_punctuation_and_case_do_not_matter() -> None:
    row = _row("contract", "1", "The contractor, within  TEN (10) days")
    assert judging.is_right(_question(wanted=(corpora.bare("within ten 10 days"),)), row, "passage")


def test_a_passage_that_ends_inside_the_quote_is_right_and_an_empty_one_is_not() -> None:
    assert judging.is_right(_question(), _row("contract", "1", QUOTE[:-4]), "passage")
    assert not judging.is_right(_question(), _row("contract", "1", "。"), "passage")


def test_without_a_quote_whatever_stands_in_the_document_is_right() -> None:
    assert judging.is_right(_question(wanted=()), ROWS[3], "passage")
    assert not judging.is_right(_question(wanted=()), ROWS[2], "passage")


def test_of_several_documents_each_has_to_be_found_and_quoted() -> None:
    question = _question("contract", "other")
    both = judging.judge(question, [3, 2], ROWS, "passage")
    assert (both.documents, both.quoted) == (True, False)
    assert judging.judge(question, [1, 2], ROWS, "passage").quoted
    assert not judging.judge(question, [1], ROWS, "passage").documents
    assert judging.judge(_question(), [1], ROWS, "passage").documents is None


def test_only_the_ten_best_count() -> None:
    late = [3] * 10 + [1]
    assert judging.judge(_question(), late, ROWS, "passage").rank is None
    assert judging.judge(_question(), late[1:], ROWS, "passage").rank == 10


def test_figures_are_shares_of_the_questions() -> None:
    outcomes = [judging.Outcome(rank, None, None) for rank in (1, 2, 6, None)]
    shares = judging.figures(outcomes)
    assert (shares.hit1, shares.hit5, shares.hit10) == (0.25, 0.5, 0.75)
    assert shares.mrr == pytest.approx((1 + 1 / 2 + 1 / 6) / 4)
    assert shares.documents10 is None


ranks = st.lists(st.none() | st.integers(1, 10), min_size=1, max_size=30)


@given(ranks)
def test_a_search_does_not_differ_from_itself(found: list[int | None]) -> None:
    outcomes = [judging.Outcome(rank, None, None) for rank in found]
    assert judging.difference(outcomes, outcomes) == (0.0, 0.0, 0.0, 1.0, 1.0)


@given(ranks)
def test_the_difference_of_mrr_lies_inside_its_interval_or_at_its_border(found: list[int | None]) -> None:
    own = [judging.Outcome(rank, None, None) for rank in found]
    worse = [judging.Outcome(None, None, None) for _ in found]
    gap = judging.difference(own, worse)
    assert gap.mrr == pytest.approx(-judging.figures(own).mrr)
    assert gap.low - 1e-9 <= gap.mrr <= gap.high + 1e-9
