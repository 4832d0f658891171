"""One OpenAI-compatible endpoint: deadlines, retries, the circuit breaker and the mapping of errors."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple, TypeVar

from .breaker import CircuitBreaker
from .failures import UNREADABLE_REPLY, Failure, FailureSorter
from .wire import BoundedHttp, RunawayReplyError

T = TypeVar("T")

NO_KEY = "none"
"""Sent where no key is set: otherwise the library would send `OPENAI_API_KEY`, meant for another server."""
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 8.0


class Timing(NamedTuple):
    """Where time and chance come from; tests pass their own."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    random: Random = Random()


class Attempt(NamedTuple):
    """How one attempt is made and accounted for.

    `call` is given the seconds that it may take. `begin` runs before and may refuse; `end` is told the result,
    or the failure.
    """

    call: Callable[[float], Any]
    begin: Callable[[], None]
    end: Callable[[Any, Failure | None], None]


class Endpoint:
    """Makes calls to one endpoint; safe to share between threads.

    Args:
        sorter: knows the endpoint's name and key.
        retries: further attempts after a transient failure.
        breaker: shared by whoever uses the same endpoint.
        timing: clock, sleep and random generator.
    """

    def __init__(
        self, sorter: FailureSorter, retries: int, breaker: CircuitBreaker, timing: Timing | None = None
    ) -> None:
        self.sorter = sorter
        self.http = BoundedHttp()
        self._retries = retries
        self._breaker = breaker
        self._timing = timing or Timing()

    def run(self, attempt: Attempt, seconds: float, probing: bool = False) -> Any:
        """Makes attempts until one succeeds, the retries are used up or `seconds` are over.

        Raises:
            ModelError: a failure that asking again would not mend.
            ModelUnavailableError: unreachable, overloaded or too slow.
        """
        deadline = self._timing.clock() + seconds
        for number in range(self._retries + 1):
            left = deadline - self._timing.clock()
            result, failure = self._once(attempt, left, probing)
            if failure is None:
                return result
            pause = self._pause(number, failure)
            out_of_time = self._timing.clock() + pause >= deadline
            if not failure.transient or number == self._retries or out_of_time:
                raise failure.error
            self._timing.sleep(pause)
        raise AssertionError("the loop above returns or raises")

    def _once(self, attempt: Attempt, seconds: float, probing: bool) -> tuple[Any, Failure | None]:
        wait = self._breaker.seconds_to_wait()
        if wait:
            raise self.sorter.resting(wait)
        attempt.begin()
        result, failure = self._guarded(attempt.call, max(seconds, 0.001), probing)
        attempt.end(result, failure)
        if failure is not None and failure.unwell:
            self._breaker.failed()
        else:
            self._breaker.succeeded()
        return result, failure

    def _guarded(self, call: Callable[[float], T], seconds: float, probing: bool) -> tuple[T | None, Failure | None]:
        import openai  # noqa: PLC0415 – heavy, and needed only where a model is configured

        try:
            return self.http.run(lambda: call(seconds), seconds), None
        except (TimeoutError, openai.APITimeoutError):
            return None, self.sorter.too_slow(seconds)
        except RunawayReplyError as error:
            return None, self.sorter.runaway(error)
        except openai.APIStatusError as error:
            return None, self._status(error, probing)
        except openai.APIConnectionError as error:
            return None, self.sorter.connection(error)
        except (openai.OpenAIError, *UNREADABLE_REPLY) as error:
            return None, self.sorter.unreadable(error)

    def _status(self, error: Any, probing: bool) -> Failure:
        asked = str(error.response.headers.get("retry-after", ""))
        retry_after = float(asked) if asked.isdecimal() else 0.0
        return self.sorter.status(error.status_code, str(error.message), retry_after, probing)

    def _pause(self, number: int, failure: Failure) -> float:
        growing = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2.0**number)
        return max(failure.retry_after, growing * self._timing.random.uniform(0.5, 1.0))
