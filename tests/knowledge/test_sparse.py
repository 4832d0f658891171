"""Sparse vectors hold each token once and compare by the tokens that two texts share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.sparse import dot, sparse_vector

WEIGHTS = st.dictionaries(st.integers(0, 250_001), st.floats(-2, 5, width=32), max_size=40)


@given(WEIGHTS)
def test_tokens_are_ascending_and_weights_positive(weights: dict[int, float]) -> None:
    vector = sparse_vector(weights)
    assert vector.token_ids.dtype == np.int32 and vector.weights.dtype == np.float32
    assert vector.token_ids.tolist() == sorted(token for token, weight in weights.items() if weight > 0)
    assert (vector.weights > 0).all()


@given(WEIGHTS, WEIGHTS)
def test_the_dot_product_is_the_sum_over_shared_tokens(one: dict[int, float], other: dict[int, float]) -> None:
    expected = sum(max(one[token], 0) * max(other[token], 0) for token in one.keys() & other.keys())
    left, right = sparse_vector(one), sparse_vector(other)
    assert dot(left, right) == pytest.approx(expected, rel=1e-4, abs=1e-6)
    assert dot(left, right) == pytest.approx(dot(right, left), rel=1e-6, abs=1e-6)
    assert dot(left, sparse_vector({})) == 0
