"""Measures of a ranking: by hand on small examples, by rule on random ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.evaluation.bootstrap import bootstrap_means
from veriloop.evaluation.metrics import hit, measures, ndcg, precision, recall, reciprocal_rank
from veriloop.evaluation.relevance import Ranking

EXAMPLE = Ranking(3, tuple(map(frozenset, ([], [0], [], [0, 2], []))))
"""Three items are needed; the second hit has one, the fourth that one again and another."""


@st.composite
def rankings(draw: st.DrawFn) -> Ranking:
    items = draw(st.integers(1, 6))
    held = st.frozensets(st.integers(0, items - 1), max_size=items)
    return Ranking(items, tuple(draw(st.lists(held, max_size=15))))


def test_the_measures_of_an_example_are_what_their_definitions_give() -> None:
    assert [hit(EXAMPLE, k) for k in (1, 2, 5)] == [0, 1, 1]
    assert [recall(EXAMPLE, k) for k in (1, 2, 5)] == [0, 1 / 3, 2 / 3]
    assert [precision(EXAMPLE, k) for k in (1, 2, 5, 10)] == [0, 0.5, 0.4, 0.2]
    assert [reciprocal_rank(EXAMPLE, k) for k in (1, 10)] == [0, 0.5]
    gain, best = 1 / math.log2(3) + 1 / math.log2(5), 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg(EXAMPLE, 10) == pytest.approx(gain / best)


def test_measures_are_named_by_their_depth() -> None:
    assert [measure.name for measure in measures((1, 3))] == [
        "hit@1", "hit@3", "recall@1", "recall@3", "precision@1", "precision@3", "mrr@10", "ndcg@10",
    ]  # fmt: skip


@given(rankings())
def test_every_measure_is_a_share(ranking: Ranking) -> None:
    for measure in measures((1, 2, 5, 10)):
        assert 0 <= measure.of(ranking) <= 1


@given(rankings(), st.integers(1, 14))
def test_a_deeper_look_never_finds_less(ranking: Ranking, k: int) -> None:
    for function in (hit, recall, reciprocal_rank):
        assert function(ranking, k) <= function(ranking, k + 1)
    assert recall(ranking, k) <= hit(ranking, k)
    assert (reciprocal_rank(ranking, k) > 0) == (hit(ranking, k) == 1) == (precision(ranking, k) > 0)


@given(st.integers(1, 12), st.integers(0, 5))
def test_one_item_at_each_rank_from_the_first_on_is_perfect(items: int, more: int) -> None:
    ranking = Ranking(items, (*(frozenset({n}) for n in range(items)), *[frozenset[int]()] * more))
    assert hit(ranking, 1) == reciprocal_rank(ranking, 10) == recall(ranking, items) == precision(ranking, items) == 1
    assert ndcg(ranking, 10) == pytest.approx(1)


@given(st.integers(1, 12))
def test_all_items_in_the_first_hit_are_perfect_too(items: int) -> None:
    assert ndcg(Ranking(items, (frozenset(range(items)),)), 10) == pytest.approx(1)


@given(rankings(), st.data())
def test_moving_a_hit_with_an_item_up_never_lowers_the_measures_of_order(ranking: Ranking, data: st.DataObject) -> None:
    places = [n for n in range(1, len(ranking.hits)) if ranking.hits[n] and not ranking.hits[n - 1]]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    hits = list(ranking.hits)
    hits[place - 1], hits[place] = hits[place], hits[place - 1]
    better = Ranking(ranking.items, tuple(hits))
    assert ndcg(better, 10) >= ndcg(ranking, 10) - 1e-12
    assert reciprocal_rank(better, 10) >= reciprocal_rank(ranking, 10)


def test_nothing_found_measures_zero_throughout() -> None:
    assert {measure.of(Ranking(2, ())) for measure in measures()} == {0.0}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.integers(0, 1_000))
def test_an_interval_holds_the_mean_and_stays_among_the_values(values: list[float], seed: int) -> None:
    means = bootstrap_means(np.array(values).reshape(-1, 1), seed)
    assert means.mean[0] == pytest.approx(sum(values) / len(values))
    assert means.low[0] - 1e-9 <= means.mean[0] <= means.high[0] + 1e-9
    assert min(values) - 1e-9 <= means.low[0] and means.high[0] <= max(values) + 1e-9


def test_the_same_seed_gives_the_same_interval_and_another_seed_nearly_the_same() -> None:
    values = np.array([[1.0, 0.2]] * 70 + [[0.0, 0.6]] * 30)
    first, again, other = (bootstrap_means(values, seed) for seed in (1, 1, 2))
    assert (first.low == again.low).all() and (first.high == again.high).all()
    assert np.allclose(first.low, other.low, atol=0.03) and np.allclose(first.high, other.high, atol=0.03)


def test_an_interval_is_as_wide_as_the_normal_approximation_says_and_narrows_with_more_questions() -> None:
    widths = []
    for cases in (100, 10_000):
        values = np.array([[1.0]] * (cases * 7 // 10) + [[0.0]] * (cases * 3 // 10))
        means = bootstrap_means(values, 3)
        widths.append(float(means.high[0] - means.low[0]))
        assert widths[-1] == pytest.approx(2 * 1.96 * math.sqrt(0.7 * 0.3 / cases), rel=0.15)
    assert widths[1] < widths[0] / 5


def test_about_95_of_100_intervals_hold_the_true_share() -> None:
    random = np.random.default_rng(5)
    drawn = [(random.random((80, 1)) < 0.8).astype(np.float64) for _ in range(200)]
    held = sum(bool(m.low[0] <= 0.8 <= m.high[0]) for m in (bootstrap_means(values, 7) for values in drawn))
    assert 180 <= held <= 199
