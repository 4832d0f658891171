"""Runs that go side by side write one at a time, in order where that is quick."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

from hypothesis import given, settings
from hypothesis import strategies as st
from veriloop.graphs.turns import Turns

_LONG = 60.0


@given(st.permutations(range(6)), st.sets(st.integers(0, 5), max_size=5))
@settings(max_examples=30, deadline=None)
def test_whoever_comes_in_whatever_order_writes_in_the_order_of_the_numbers(
    arrival: list[int], failing: set[int]
) -> None:
    turns, written = Turns(patience=_LONG), list[int]()
    for number in range(6):
        turns.begin(number)

    def run(number: int) -> None:
        if number not in failing:
            with turns.turn(number):
                written.append(number)
        turns.end(number)

    with ThreadPoolExecutor(6) as executor:
        for future in [executor.submit(run, number) for number in arrival]:
            future.result(timeout=_LONG)
    assert written == [number for number in range(6) if number not in failing]


def test_never_do_two_write_at_once() -> None:
    turns, writing, together = Turns(patience=0), set[int](), list[int]()
    barrier = Barrier(8)

    def run(number: int) -> None:
        barrier.wait(timeout=_LONG)
        with turns.turn(number):
            writing.add(number)
            together.append(len(writing))
            writing.discard(number)

    with ThreadPoolExecutor(8) as executor:
        list(executor.map(run, range(8)))
    assert together == [1] * 8


def test_nobody_waits_long_for_one_that_does_not_get_ready() -> None:
    turns, written, release = Turns(patience=0.05), list[int](), Event()
    turns.begin(0)
    turns.begin(1)

    def slow() -> None:
        assert release.wait(timeout=_LONG)
        with turns.turn(0):
            written.append(0)

    with ThreadPoolExecutor(1) as executor:
        reading = executor.submit(slow)
        with turns.turn(1):
            written.append(1)
        release.set()
        reading.result(timeout=_LONG)
    assert written == [1, 0]


def test_a_run_that_fails_while_it_writes_lets_the_others_write() -> None:
    turns = Turns(patience=_LONG)
    for number in range(2):
        turns.begin(number)
    try:
        with turns.turn(0):
            raise ZeroDivisionError
    except ZeroDivisionError:
        turns.end(0)
    with turns.turn(1):
        pass
