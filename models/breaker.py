"""A circuit breaker: an endpoint that keeps failing is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock


class CircuitBreaker:
    """Counts consecutive failures of one endpoint.

    After `threshold` of them calls are refused for `cool_down` seconds; then one trial call at a time is let
    through, and its success closes the circuit again.
    """

    def __init__(
        self, threshold: int = 4, cool_down: float = 30.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._threshold = threshold
        self._cool_down = cool_down
        self._clock = clock
        self._failures = 0
        self._refused_until = 0.0
        self._lock = Lock()

    def seconds_to_wait(self) -> float:
        """0 where a call may go ahead now (the caller is then expected to make it), else how long to wait."""
        with self._lock:
            if self._failures < self._threshold:
                return 0.0
            wait = self._refused_until - self._clock()
            if wait > 0:
                return wait
            self._refused_until = self._clock() + self._cool_down  # others wait for this trial's outcome
            return 0.0

    def succeeded(self) -> None:
        """The endpoint answered: forget what failed before."""
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        """The endpoint was unreachable, overloaded or too slow."""
        with self._lock:
            self._failures += 1
            self._refused_until = self._clock() + self._cool_down
