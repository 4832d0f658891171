"""Work stops before the batch that would not be done in time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from veriloop.models.pace import MARGIN, Pace

SIZES = st.lists(st.integers(1, 600), min_size=1, max_size=30)


def pace(seconds_a_unit: float) -> Pace:
    learned = Pace()
    learned.learn([1], seconds_a_unit)
    return learned


@given(SIZES, st.floats(0.0001, 10), st.floats(0, 600))
def test_what_fits_is_the_longest_beginning_that_is_expected_in_time(
    sizes: list[int], unit: float, left: float
) -> None:
    fitting = pace(unit).fitting(sizes, left)
    cost = [count * max(sizes[:count]) * unit * MARGIN for count in range(1, len(sizes) + 1)]
    assert all(seconds <= left for seconds in cost[:fitting])
    assert fitting == len(sizes) or cost[fitting] > left


@given(SIZES, st.floats(0.001, 600))
def test_as_long_as_the_speed_is_not_known_one_is_tried(sizes: list[int], left: float) -> None:
    assert Pace().fitting(sizes, left) == 1
    assert Pace().fitting(sizes, 0) == Pace().fitting([], left) == 0


@given(SIZES, st.floats(0.0001, 10), st.floats(0.01, 600))
def test_a_speed_that_lets_nothing_fit_is_doubted_until_something_does(
    sizes: list[int], unit: float, left: float
) -> None:
    learned = pace(unit)
    tries = 0
    while not learned.fitting(sizes, left):
        learned.doubt()
        tries += 1
    assert tries <= 40


def test_the_newest_measurement_counts_half() -> None:
    learned = pace(1.0)
    learned.learn([10, 5], 60.0)  # 20 units with the padding
    assert learned.fitting([1], 2.0 * MARGIN) == 1
    assert learned.fitting([1], 1.99 * MARGIN) == 0
