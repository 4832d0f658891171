"""The lexical index and fusion keep what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.fusion import FusionWeights, reciprocal_rank_fusion, weighted_fusion
from veriloop.knowledge.lexical import Bm25Index

ROWS = [["甲", "乙"], ["甲"], [], ["丙", "丙"]]
SCORES = st.dictionaries(st.integers(0, 30), st.floats(0.1, 50, allow_nan=False), max_size=20)


def test_rows_without_a_shared_word_are_never_returned() -> None:
    index = Bm25Index.build(ROWS)
    assert [row for row, _ in index.search(["丙", "unknown"], 10)] == [3]
    assert index.search(["unknown"], 10) == index.search([], 10) == []


def test_the_filter_is_applied_before_the_best_are_taken() -> None:
    index = Bm25Index.build(ROWS)
    allowed = np.array([True, False, True, True])
    assert [row for row, _ in index.search(["甲"], 1)] == [1]
    assert [row for row, _ in index.search(["甲"], 1, allowed)] == [0]


def test_building_and_searching_print_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    Bm25Index.build(ROWS).search(["甲"], 2)
    assert capfd.readouterr() == ("", "")


@given(SCORES, SCORES)
def test_fused_scores_lie_between_0_and_1_and_are_in_order(lexical: dict[int, float], vector: dict[int, float]) -> None:
    fused = list(weighted_fusion(lexical, vector, set(vector)).values())
    assert fused == sorted(fused, reverse=True)
    assert all(-1e-9 <= score <= 1 + 1e-9 for score in fused)


@given(SCORES)
def test_without_any_vector_the_order_is_the_lexical_one(lexical: dict[int, float]) -> None:
    for weights in (FusionWeights(0.3, 0.7), FusionWeights(0.9, 0.1)):
        expected = sorted(lexical, key=lambda row: (-lexical[row], row))
        fused = weighted_fusion(lexical, {}, set(), weights)
        assert sorted(fused, key=lambda row: (-lexical[row], row)) == expected
        assert all(fused[row] == pytest.approx(lexical[row] / max(lexical.values())) for row in lexical)


def test_a_passage_whose_vector_is_not_there_yet_is_not_punished() -> None:
    lexical, vector = {1: 10.0, 2: 9.0}, {2: 0.9, 3: 0.8}
    assert weighted_fusion(lexical, vector, {2, 3})[1] > weighted_fusion(lexical, vector, {1, 2, 3})[1]


def test_reciprocal_ranks_prefer_what_both_searches_found() -> None:
    assert next(iter(reciprocal_rank_fusion([[1, 2, 3], [4, 2, 5]]))) == 2
