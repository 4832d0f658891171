"""The lexical index scores as the definition says, however its rows came in and whoever asks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from veriloop.knowledge.lexical import Bm25Index, LexicalIndex, SegmentedIndex, WeightedTerm, best_rows
from veriloop.knowledge.lexical.merging import LivePart, merge
from veriloop.knowledge.lexical.scoring import Bm25
from veriloop.knowledge.lexical.segment import IndexedRow, RowOwner, Segment, build_segment

WORDS = ("甲", "乙", "丙", "丁", "contract", "=PPR9087")
TOKENS = st.lists(st.sampled_from(WORDS), max_size=8)
QUERIES = st.lists(st.sampled_from((*WORDS, "unknown")), max_size=6)
PARAMETERS = st.builds(Bm25, st.sampled_from((0.0, 1.2, 2.0)), st.sampled_from((0.0, 0.5, 1.0)))


class Case(NamedTuple):
    """Documents with the tokens of their rows, which of them are in use, and how they were put in segments."""

    documents: list[list[list[str]]]
    live: list[bool]
    segments: list[int]
    allowed: list[bool]

    def rows(self) -> list[list[str]]:
        """The rows in use, in the order of their documents."""
        return [row for rows, live in zip(self.documents, self.live, strict=True) if live for row in rows]

    def mask(self) -> NDArray[np.bool_]:
        """Whether each row in use may be read."""
        kept = zip(self.documents, self.live, self.allowed, strict=True)
        return np.array([allowed for rows, live, allowed in kept if live for _ in rows], dtype=np.bool_)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    documents = draw(st.lists(st.lists(TOKENS, min_size=1, max_size=4), max_size=7))
    size = len(documents)
    flags = st.lists(st.booleans(), min_size=size, max_size=size)
    segments = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    return Case(documents, draw(flags), sorted(segments), draw(flags))


def segment_of(documents: Sequence[tuple[int, list[list[str]]]]) -> Segment:
    rows = [IndexedRow(100 * number + i, row) for number, rows in documents for i, row in enumerate(rows)]
    return build_segment(rows, [RowOwner(number, number + 1, len(rows)) for number, rows in documents])


def parts_of(case: Case) -> list[tuple[Segment, NDArray[np.bool_]]]:
    numbers = [[n for n, place in enumerate(case.segments) if place == segment] for segment in range(4)]
    return [
        (segment_of([(n, case.documents[n]) for n in chosen]), np.array([case.live[n] for n in chosen], dtype=np.bool_))
        for chosen in numbers
        if chosen
    ]


def brute_force(
    rows: Sequence[list[str]], query: Sequence[str | WeightedTerm], allowed: Sequence[bool], bm25: Bm25
) -> list[float]:
    """BM25 from its definition, over the allowed rows as if there were no others."""
    seen = [row for row, ok in zip(rows, allowed, strict=True) if ok]
    average = sum(map(len, seen)) / len(seen) if seen else 0
    scores = []
    for row, ok in zip(rows, allowed, strict=True):
        score = 0.0
        for term in query:
            token, weight = term if isinstance(term, WeightedTerm) else (term, 1.0)
            holders = sum(token in other for other in seen)
            if ok and token in row:
                idf = math.log(1 + (len(seen) - holders + 0.5) / (holders + 0.5))
                norm = bm25.k1 * (1 - bm25.b + bm25.b * len(row) / average)
                score += weight * idf * row.count(token) / (row.count(token) + norm)
        scores.append(score)
    return scores


@given(cases(), QUERIES, PARAMETERS)
def test_scores_are_those_of_the_definition_over_what_is_allowed(case: Case, query: list[str], bm25: Bm25) -> None:
    index = SegmentedIndex(parts_of(case), bm25)
    rows, mask = case.rows(), case.mask()
    assert index.rows == len(rows)
    assert index.scores(query) == pytest.approx(brute_force(rows, query, [True] * len(rows), bm25), rel=1e-5)
    assert index.scores(query, mask) == pytest.approx(brute_force(rows, query, list(mask), bm25), rel=1e-5)


@given(cases(), QUERIES)
def test_a_restricted_caller_gets_what_a_library_without_the_rest_would_give(case: Case, query: list[str]) -> None:
    whole = SegmentedIndex(parts_of(case))
    mask = case.mask()
    readable = case._replace(live=[live and ok for live, ok in zip(case.live, case.allowed, strict=True)])
    alone = SegmentedIndex(parts_of(readable))
    found = [(int(whole.passage_ids[row]), score) for row, score in whole.search(query, 5, mask)]
    assert found == [(int(alone.passage_ids[row]), score) for row, score in alone.search(query, 5)]
    assert [whole.idf(word, mask) for word in WORDS] == [alone.idf(word) for word in WORDS]


@given(cases(), QUERIES)
def test_rows_that_came_piece_by_piece_score_exactly_as_if_they_had_come_at_once(case: Case, query: list[str]) -> None:
    index = SegmentedIndex(parts_of(case))
    kept = [(number, rows) for number, rows in enumerate(case.documents) if case.live[number]]
    rebuilt = SegmentedIndex([(segment_of(kept), np.ones(len(kept), dtype=np.bool_))])
    assert index.search(query, 5) == rebuilt.search(query, 5)
    assert np.array_equal(index.scores(query), rebuilt.scores(query))
    assert np.array_equal(index.passage_ids, rebuilt.passage_ids)
    assert np.array_equal(index.documents, rebuilt.documents)


@given(cases())
def test_merging_gives_the_segment_that_building_from_the_live_rows_gives(case: Case) -> None:
    parts = [LivePart(segment, live) for segment, live in parts_of(case) if live.any()]
    if parts:
        merged = merge(parts)
        kept = [(number, rows) for number, rows in enumerate(case.documents) if case.live[number]]
        built = segment_of(kept)
        used = np.diff(built.starts) > 0
        pairs = zip(map(np.asarray, merged), map(np.asarray, built), strict=True)
        assert all(np.array_equal(one, other) for one, other in pairs)
        assert used.all()


@given(cases(), QUERIES, st.integers(0, 6))
def test_search_gives_the_best_rows_in_order_and_none_without_a_shared_token(
    case: Case, query: list[str], k: int
) -> None:
    index = SegmentedIndex(parts_of(case))
    scores, mask = index.scores(query, case.mask()), case.mask()
    expected = sorted((row for row in range(index.rows) if scores[row] > 0), key=lambda row: (-scores[row], row))
    found = index.search(query, k, mask)
    assert [row for row, _ in found] == expected[:k]
    assert all(mask[row] and set(case.rows()[row]) & set(query) for row, _ in found)


@given(cases(), st.lists(st.builds(WeightedTerm, st.sampled_from(WORDS), st.sampled_from((0.0, 0.3, 1.0))), max_size=5))
def test_a_synonym_counts_as_much_as_its_weight(case: Case, query: list[WeightedTerm]) -> None:
    index = SegmentedIndex(parts_of(case))
    expected = brute_force(case.rows(), query, [True] * index.rows, Bm25())
    assert index.scores(query) == pytest.approx(expected, rel=1e-5)


@given(cases(), QUERIES)
def test_the_shares_of_the_tokens_add_up_to_the_score(case: Case, query: list[str]) -> None:
    index = SegmentedIndex(parts_of(case))
    rows = list(range(index.rows))[::-1]
    shares = index.term_scores(query, rows, case.mask())
    assert list(shares) == list(dict.fromkeys(query))
    total = sum(shares.values(), start=np.zeros(len(rows), dtype=np.float32))
    assert total == pytest.approx(index.scores(query, case.mask())[rows], rel=1e-5)
    for token, share in shares.items():
        assert all(token in case.rows()[row] for row, gain in zip(rows, share, strict=True) if gain)


def test_rows_of_equal_score_come_by_passage_number_whatever_segment_they_are_in() -> None:
    later, earlier = segment_of([(7, [["甲"]])]), segment_of([(2, [["甲"]])])
    index = SegmentedIndex([(later, np.ones(1, dtype=np.bool_)), (earlier, np.ones(1, dtype=np.bool_))])
    assert [int(index.passage_ids[row]) for row, _ in index.search(["甲"], 2)] == [200, 700]


def test_marks_are_found_but_do_not_make_a_row_longer() -> None:
    plain = build_segment([IndexedRow(1, ["甲"]), IndexedRow(2, ["甲", "乙"])], [RowOwner(1, 1, 2)])
    marked = build_segment([IndexedRow(1, ["甲"], ["~the", "~of"]), IndexedRow(2, ["甲", "乙"])], [RowOwner(1, 1, 2)])
    one, other = (SegmentedIndex([(segment, np.ones(1, dtype=np.bool_))]) for segment in (plain, marked))
    assert np.array_equal(one.scores(["甲"]), other.scores(["甲"]))
    assert [row for row, _ in other.search(["~the"], 5)] == [0]


def test_a_count_that_is_too_large_for_its_field_stays_the_largest() -> None:
    index = Bm25Index.build([["甲"] * 70_000, ["甲"], ["乙"]])
    assert [row for row, _ in index.search(["甲"], 3)] == [0, 1]


@pytest.mark.parametrize("rows", [[], [[]], [[], []]])
def test_an_index_without_a_token_finds_nothing(rows: list[list[str]]) -> None:
    index: LexicalIndex = Bm25Index.build(rows)
    assert index.rows == len(rows)
    assert index.search(["甲"], 3) == []
    assert index.idf("甲") == 0
    assert index.term_scores(["甲"], range(len(rows)))["甲"].tolist() == [0] * len(rows)


def test_an_index_of_no_segment_finds_nothing() -> None:
    index = SegmentedIndex([])
    assert index.search(["甲"], 3) == []
    assert (index.rows, index.idf("甲"), index.scores(["甲"]).size) == (0, 0.0, 0)


def test_of_many_equal_rows_the_first_are_taken() -> None:
    scores = np.array([1, 0, 1, 1, 2, 1], dtype=np.float32)
    assert best_rows(scores, 3) == [(4, 2.0), (0, 1.0), (2, 1.0)]
    assert best_rows(scores, 2, order=np.array([9, 8, 7, 6, 5, 4])) == [(4, 2.0), (5, 1.0)]
