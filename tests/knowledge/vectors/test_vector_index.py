"""The vector index finds what a computation of every similarity finds, whatever the filter and the parts it lies in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.vectors import are_the_nearest, nearest_by_hand, unit_vectors
from veriloop.knowledge.vectors import FaissIndex, Part, Segment
from veriloop.knowledge.vectors.segment import CODED_FROM

MANY = CODED_FROM + 20_000
numbered = st.lists(st.integers(1, 500), unique=True, max_size=60)


def index_in_parts(numbers: list[int], dead: set[int], seed: int, parts: int) -> FaissIndex:
    """An index over several segments, some rows of which stand for passages that are gone."""
    vectors = unit_vectors(len(numbers), 6, seed)
    made = []
    for start in range(parts):
        chosen = np.arange(start, len(numbers), parts)
        own = np.array(numbers, dtype=np.int64)[chosen]
        order = np.argsort(own)
        alive = np.array([number not in dead for number in own[order].tolist()], dtype=np.bool_)
        made.append(Part(Segment(own[order], vectors[chosen][order]), None if alive.all() else alive))
    return FaissIndex.of_parts(made)


@settings(max_examples=150, deadline=None)
@given(
    numbers=numbered,
    dead=st.sets(st.integers(1, 500)),
    allowed=st.none() | numbered,
    k=st.integers(0, 70),
    parts=st.integers(1, 4),
    seed=st.integers(0, 1_000),
)
def test_the_k_nearest_allowed_passages_that_are_there_are_found_and_no_others(
    numbers: list[int], dead: set[int], allowed: list[int] | None, k: int, parts: int, seed: int
) -> None:
    index = index_in_parts(numbers, dead, seed, parts)
    query = unit_vectors(1, 6, seed + 1)[0]
    living = [place for place, number in enumerate(numbers) if number not in dead]
    own = np.array(numbers, dtype=np.int64)[living]
    right = nearest_by_hand(own, unit_vectors(len(numbers), 6, seed)[living], query, k, allowed)
    found = index.search(query, k, None if allowed is None else np.array(allowed, dtype=np.int64))
    assert are_the_nearest(found, right)
    assert len(index) == len(living)


@settings(max_examples=80, deadline=None)
@given(
    numbers=numbered, dead=st.sets(st.integers(1, 500)), wanted=st.lists(st.integers(1, 500)), seed=st.integers(0, 99)
)
def test_scores_of_given_passages_are_exact_and_absent_for_those_that_are_gone(
    numbers: list[int], dead: set[int], wanted: list[int], seed: int
) -> None:
    query = unit_vectors(1, 6, seed + 1)[0]
    by_number = dict(zip(numbers, unit_vectors(len(numbers), 6, seed), strict=True))
    right = {n: float(by_number[n] @ query) for n in wanted if n in by_number and n not in dead}
    found = index_in_parts(numbers, dead, seed, 3).scores(query, wanted)
    assert found == pytest.approx(right, abs=1e-5)


def test_equal_similarities_come_in_the_order_of_passage_numbers() -> None:
    vectors = np.tile(unit_vectors(1, 6, 3), (40, 1))
    index = FaissIndex(np.arange(40)[::-1].copy(), vectors)
    assert [hit.passage_id for hit in index.search(vectors[0], 5, None)] == [0, 1, 2, 3, 4]


def test_an_empty_index_and_an_empty_filter_find_nothing() -> None:
    query = unit_vectors(1, 6, 1)[0]
    empty = FaissIndex(np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.float32))
    assert empty.search(query, 5, None) == [] and empty.scores(query, [1]) == {}
    some = FaissIndex(np.arange(5), unit_vectors(5, 6, 2))
    assert some.search(query, 5, np.zeros(0, dtype=np.int64)) == []


def test_a_vector_that_is_no_vector_is_never_a_hit() -> None:
    vectors = unit_vectors(30, 6, 5)
    vectors[7] = np.nan
    found = FaissIndex(np.arange(30), vectors).search(vectors[0], 30, None)
    assert {hit.passage_id for hit in found} == set(range(30)) - {7}


@pytest.fixture(scope="module")
def large() -> tuple[FaissIndex, np.ndarray]:
    vectors = unit_vectors(MANY, 16, 11)
    return FaissIndex(np.arange(MANY) * 3, vectors), vectors


def recall(found: list[int], right: list[int]) -> float:
    return len(set(found) & set(right)) / len(right)


@pytest.mark.parametrize("share", [1.0, 0.6, 0.3, 0.1, 0.01, 0.0005])
def test_many_passages_are_found_as_well_under_every_filter(large: tuple[FaissIndex, np.ndarray], share: float) -> None:
    index, vectors = large
    kept = np.flatnonzero(np.random.default_rng(4).random(MANY) < share)
    found_shares = []
    for query in unit_vectors(10, 16, 12):
        right = kept[np.argsort(-(vectors[kept] @ query))[:50]] * 3
        found = index.search(query, 50, None if share == 1 else kept * 3)
        assert len(found) == min(50, len(kept))
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        found_shares.append(recall([hit.passage_id for hit in found], right.tolist()))
    assert min(found_shares) >= 0.96 and np.mean(found_shares) >= 0.99


def test_scores_stay_exact_where_codes_choose_the_candidates(large: tuple[FaissIndex, np.ndarray]) -> None:
    index, vectors = large
    query = unit_vectors(1, 16, 13)[0]
    for hit in index.search(query, 20, None):
        assert hit.score == pytest.approx(float(vectors[hit.passage_id // 3] @ query), abs=1e-6)


def test_a_passage_that_is_gone_stays_gone_among_many(large: tuple[FaissIndex, np.ndarray]) -> None:
    _, vectors = large
    query = unit_vectors(1, 16, 14)[0]
    nearest = np.argsort(-(vectors @ query))[:100]
    alive = np.ones(MANY, dtype=np.bool_)
    alive[nearest] = False
    whole = FaissIndex(np.arange(MANY), vectors)
    index = FaissIndex.of_parts([part._replace(alive=alive) for part in whole.parts])
    found = index.search(query, 50, None)
    assert len(found) == 50 and not {hit.passage_id for hit in found} & set(nearest.tolist())
    assert index.scores(query, nearest.tolist()) == {}
