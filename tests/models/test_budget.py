"""The budget is hard: under any sequence of calls, and under threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.configs.model_settings import Tier
from veriloop.errors import BudgetExceededError
from veriloop.models.budget import Budget, BudgetLimits, BudgetUsage
from veriloop.models.messages import CallUsage

LIMITS = BudgetLimits(tokens=1_000, steps=3, seconds=10, answer_reserve=300)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_presets_are_those_of_the_question_classes() -> None:
    classes = [BudgetLimits.for_class(name) for name in ("simple", "medium", "complex")]
    assert [(one.tokens, one.steps, one.seconds) for one in classes] == [
        (8_000, 3, 20),
        (25_000, 6, 60),
        (50_000, 8, 180),
    ]
    assert all(0 < one.answer_reserve < one.tokens for one in classes)


calls = st.lists(
    st.tuples(
        st.integers(0, 600), st.integers(0, 600), st.integers(0, 400), st.floats(0, 1), st.sampled_from(list(Tier))
    ),
    max_size=30,
)


@given(calls=calls)
def test_no_sequence_of_calls_exceeds_the_limit(calls: list[tuple[int, int, int, float, Tier]]) -> None:
    budget = Budget(LIMITS)
    for prompt, output, reserve, share, tier in calls:
        left = budget.tokens_left(reserve)
        try:
            reservation = budget.check_before_call(prompt, output, reserve, tier)
        except BudgetExceededError as refused:
            assert refused.kind == "tokens"
            assert prompt + output > left
        else:
            assert prompt + output <= left
            budget.settle(reservation, CallUsage(prompt, int(output * share)))
        assert budget.usage().tokens <= LIMITS.tokens


@given(calls=calls)
def test_calls_that_are_under_way_together_fit_together(
    calls: list[tuple[int, int, int, float, Tier]],
) -> None:
    budget, under_way = Budget(LIMITS), []
    for prompt, output, reserve, _, tier in calls:
        try:
            under_way.append(budget.check_before_call(prompt, output, reserve, tier))
        except BudgetExceededError:
            continue
    assert sum(one.tokens for one in under_way) <= LIMITS.tokens
    for one in under_way:
        budget.settle(one, None)
    assert budget.usage().tokens == sum(one.tokens for one in under_way)


def test_parallel_threads_never_exceed_the_limit() -> None:
    budget = Budget(BudgetLimits(tokens=1_000, steps=100, seconds=60))

    def one_call(_: int) -> int:
        try:
            reservation = budget.check_before_call(30, 7)
        except BudgetExceededError:
            return 0
        budget.settle(reservation, None)
        return 37

    with ThreadPoolExecutor(8) as pool:
        spent = sum(pool.map(one_call, range(500)))
    assert budget.usage().tokens == spent == 1_000 // 37 * 37
    assert budget.usage().model_calls == 1_000 // 37


def test_the_reserve_is_kept_for_the_answer() -> None:
    budget = Budget(LIMITS)
    with pytest.raises(BudgetExceededError, match="tokens would reach 800, the limit is 700"):
        budget.check_before_call(500, 300, reserve=LIMITS.answer_reserve)
    assert budget.check_before_call(500, 300).tokens == 800


def test_steps_are_counted_and_end() -> None:
    budget = Budget(LIMITS)
    for _ in range(3):
        budget.take_step()
    with pytest.raises(BudgetExceededError, match="steps would reach 4, the limit is 3"):
        budget.take_step()
    assert budget.usage().steps == 3


def test_when_the_time_is_over_nothing_more_is_begun() -> None:
    clock = Clock()
    budget = Budget(LIMITS, clock)
    clock.now += 9.5
    assert budget.seconds_left() == pytest.approx(0.5)
    clock.now += 1
    assert budget.seconds_left() == 0
    with pytest.raises(BudgetExceededError, match="seconds"):
        budget.check_before_call(1, 1)
    with pytest.raises(BudgetExceededError, match="seconds"):
        budget.take_step()


def test_a_call_without_a_reported_usage_is_charged_in_full() -> None:
    budget = Budget(LIMITS)
    budget.settle(budget.check_before_call(100, 50, tier=Tier.LIGHT), None)
    assert (budget.usage().light.tokens_in, budget.usage().light.tokens_out) == (100, 50)


def test_a_call_that_cost_more_than_allowed_is_recorded_and_ends_the_budget() -> None:
    budget = Budget(LIMITS)
    budget.settle(budget.check_before_call(10, 10), CallUsage(10, 2_000))
    assert budget.usage().tokens == 2_010
    with pytest.raises(BudgetExceededError):
        budget.check_before_call(0, 1)


def test_a_stored_usage_goes_on_after_a_restart() -> None:
    clock = Clock()
    budget = Budget(LIMITS, clock)
    budget.take_step()
    budget.settle(budget.check_before_call(300, 100, tier=Tier.MID), CallUsage(300, 80))
    clock.now += 4
    stored = BudgetUsage.model_validate_json(budget.usage().model_dump_json())
    later = Clock()
    later.now = 7.0
    resumed = Budget(LIMITS, later, stored)
    assert resumed.usage() == stored
    assert resumed.seconds_left() == pytest.approx(6)
    assert resumed.tokens_left() == 620
