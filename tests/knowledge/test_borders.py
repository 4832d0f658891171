"""Runs are cut by what stands at their borders, within their sizes, and a change stays where it was made."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.borders import NEVER, Sizes, borders, strength

SIZES = Sizes(least=50, most=150)
lengths = st.lists(st.integers(1, 50), max_size=60)


def runs(sizes: list[int], strengths: list[int], wanted: Sizes = SIZES) -> list[int]:
    cuts = borders(sizes, strengths, wanted)
    return [sum(sizes[start:stop]) for start, stop in pairwise((0, *cuts, len(sizes)))]


@given(lengths, st.data())
def test_pieces_smaller_than_the_play_make_runs_between_the_sizes(sizes: list[int], data: st.DataObject) -> None:
    strengths = data.draw(st.lists(st.integers(1, 9), min_size=len(sizes), max_size=len(sizes)))
    made = runs(sizes, strengths)
    assert sum(made) == sum(sizes)
    assert all(SIZES.least <= run <= SIZES.most for run in made) or sum(sizes) < SIZES.least


@given(st.lists(st.integers(0, 400), max_size=40), st.data())
def test_no_run_of_several_pieces_is_too_long_whatever_the_pieces_are(sizes: list[int], data: st.DataObject) -> None:
    strengths = data.draw(st.lists(st.integers(0, 2), min_size=len(sizes), max_size=len(sizes)))
    cuts = borders(sizes, strengths, SIZES)
    assert cuts == sorted(set(cuts))
    for start, stop in pairwise((0, *cuts, len(sizes))):
        assert sum(sizes[start:stop]) <= SIZES.most or stop - start == 1


def test_a_run_is_cut_at_the_border_of_the_highest_rank_that_leaves_enough_on_either_side() -> None:
    texts = [str(number) for number in range(10)]
    strengths = [strength(9 if number in (1, 6) else 1, text) for number, text in enumerate(texts)]
    assert borders([20] * 10, strengths, SIZES) == [6]


def test_a_border_that_must_not_be_cut_is_cut_only_where_nothing_else_is_left() -> None:
    spared = [NEVER if number % 2 else strength(1, str(number)) for number in range(20)]
    assert all(cut % 2 == 0 for cut in borders([30] * 20, spared, SIZES))
    assert borders([100, 100], [NEVER, NEVER], SIZES) == [1]


def test_a_hundred_thousand_equal_pieces_are_cut_without_going_round_each_of_them_again() -> None:
    count = 100_000
    made = runs([10] * count, [strength(1, "same")] * count)
    assert min(made) >= SIZES.least
    assert max(made) <= SIZES.most
