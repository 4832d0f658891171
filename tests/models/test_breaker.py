"""The circuit breaker leaves a failing endpoint alone, and tries again."""

from __future__ import annotations

from veriloop.models.breaker import CircuitBreaker


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker(threshold=2, cool_down=10, clock=clock)
    breaker.failed()
    breaker.failed()
    return breaker


def test_single_failures_do_not_open_the_circuit() -> None:
    breaker = CircuitBreaker(threshold=2, cool_down=10, clock=Clock())
    for _ in range(5):
        breaker.failed()
        assert breaker.seconds_to_wait() == 0
        breaker.succeeded()


def test_repeated_failures_open_it_for_the_cool_down() -> None:
    clock = Clock()
    breaker = opened(clock)
    assert breaker.seconds_to_wait() == 10
    clock.now = 9
    assert breaker.seconds_to_wait() == 1


def test_after_the_cool_down_one_trial_at_a_time_is_let_through() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now = 10
    assert breaker.seconds_to_wait() == 0
    assert breaker.seconds_to_wait() == 10
    breaker.failed()
    assert breaker.seconds_to_wait() == 10


def test_a_trial_that_succeeds_closes_it() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now = 10
    assert breaker.seconds_to_wait() == 0
    breaker.succeeded()
    assert breaker.seconds_to_wait() == 0
