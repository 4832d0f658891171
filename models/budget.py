"""The run's budget: one meter for every model call of a run, parallel branches included (S2 §7.2)."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Lock
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from ..configs.model_settings import Tier
from ..errors import BudgetExceededError
from .messages import CallUsage

QuestionClass = Literal["simple", "medium", "complex"]


class BudgetLimits(BaseModel):
    """What one question may cost.

    `answer_reserve` tokens are kept for the final answer: every other call passes them as `reserve`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens: int = Field(ge=0)
    steps: int = Field(ge=0)
    seconds: float = Field(ge=0)
    answer_reserve: int = Field(default=0, ge=0)

    @classmethod
    def for_class(cls, question_class: QuestionClass) -> BudgetLimits:
        """The preset of a question class (S2 §7.2)."""
        return _PRESETS[question_class]


# The reserve holds an answer prompt with 6 passages of 512 Chinese characters (10 for harder questions) and its
# output; what is left of it serves to rewrite sentences that the check refused.
_PRESETS: dict[QuestionClass, BudgetLimits] = {
    "simple": BudgetLimits(tokens=8_000, steps=3, seconds=20, answer_reserve=4_500),
    "medium": BudgetLimits(tokens=25_000, steps=6, seconds=60, answer_reserve=7_500),
    "complex": BudgetLimits(tokens=50_000, steps=8, seconds=180, answer_reserve=9_000),
}


class TierUsage(BaseModel):
    """What one tier has used."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.tokens_in + self.tokens_out

    def plus(self, usage: CallUsage) -> TierUsage:
        """This usage with one more call."""
        return self.joined(TierUsage(calls=1, tokens_in=usage.tokens_in, tokens_out=usage.tokens_out))

    def joined(self, other: TierUsage) -> TierUsage:
        """The sum of two usages."""
        return TierUsage(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )

    def since(self, before: TierUsage) -> TierUsage:
        """What came on top of an earlier usage of the same tier."""
        return TierUsage(
            calls=self.calls - before.calls,
            tokens_in=self.tokens_in - before.tokens_in,
            tokens_out=self.tokens_out - before.tokens_out,
        )


class BudgetUsage(BaseModel):
    """What a run has used so far; can be stored and handed to a new `Budget` after a restart."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    started_at: datetime
    elapsed_seconds: float = Field(default=0, ge=0)
    steps: int = 0
    light: TierUsage = TierUsage()
    mid: TierUsage = TierUsage()
    strong: TierUsage = TierUsage()

    @property
    def model_calls(self) -> int:
        """Attempts that were sent to a model, failed ones included."""
        return self.light.calls + self.mid.calls + self.strong.calls

    @property
    def tokens(self) -> int:
        """Tokens of all tiers, in and out."""
        return self.light.tokens + self.mid.tokens + self.strong.tokens

    def tier(self, tier: Tier) -> TierUsage:
        """What one tier has used."""
        found: TierUsage = getattr(self, tier.value)
        return found


class Reservation(NamedTuple):
    """Tokens set aside for a call that is under way."""

    tier: Tier
    prompt_tokens: int
    output_limit: int

    @property
    def tokens(self) -> int:
        """What the call may cost at most."""
        return self.prompt_tokens + self.output_limit


class Budget:
    """Thread-safe meter of one run.

    A call is made only between `check_before_call`, which sets its tokens aside, and `settle`, which replaces
    them by what it did cost. Used and set aside together never exceed the limit, as long as endpoints keep to
    the output limit that they are given; a call that cost more is recorded in full and ends the budget.

    Args:
        limits: what the run may cost.
        clock: seconds from any fixed point, never running backwards.
        spent: usage of the same run before a restart.
    """

    def __init__(
        self,
        limits: BudgetLimits,
        clock: Callable[[], float] = time.monotonic,
        spent: BudgetUsage | None = None,
    ) -> None:
        self.limits = limits
        self._clock = clock
        self._spent = spent or BudgetUsage(started_at=datetime.now(UTC))
        self._start = clock() - self._spent.elapsed_seconds
        self._reserved = 0
        self._lock = Lock()

    def check_before_call(
        self, prompt_tokens: int, output_limit: int, reserve: int = 0, tier: Tier = Tier.STRONG
    ) -> Reservation:
        """Sets a call's tokens aside, leaving `reserve` untouched.

        Raises:
            BudgetExceededError: the call does not fit (`tokens`), or the time is over (`seconds`).
        """
        if min(prompt_tokens, output_limit, reserve) < 0:
            raise ValueError("a call cannot cost a negative number of tokens")
        reservation = Reservation(tier, prompt_tokens, output_limit)
        with self._lock:
            self._check_seconds()
            reached = self._spent.tokens + self._reserved + reservation.tokens
            if reached > self.limits.tokens - reserve:
                raise BudgetExceededError("tokens", reached, max(0, self.limits.tokens - reserve))
            self._reserved += reservation.tokens
        return reservation

    def settle(self, reservation: Reservation, reported: CallUsage | None) -> None:
        """Ends a call. Without a reported usage it is charged in full: nobody knows what it did cost."""
        usage = reported or CallUsage(reservation.prompt_tokens, reservation.output_limit)
        usage = CallUsage(max(0, usage.tokens_in), max(0, usage.tokens_out))
        name = reservation.tier.value
        with self._lock:
            self._reserved -= reservation.tokens
            self._spent = self._spent.model_copy(update={name: self._spent.tier(reservation.tier).plus(usage)})

    def book(self, tier: Tier, usage: TierUsage) -> None:
        """Charges what calls of an earlier run of the same steps did cost (a replay)."""
        with self._lock:
            self._spent = self._spent.model_copy(update={tier.value: self._spent.tier(tier).joined(usage)})

    def take_step(self) -> None:
        """Counts one step of the loop.

        Raises:
            BudgetExceededError: all steps are taken, or the time is over.
        """
        with self._lock:
            self._check_seconds()
            if self._spent.steps >= self.limits.steps:
                raise BudgetExceededError("steps", self._spent.steps + 1, self.limits.steps)
            self._spent = self._spent.model_copy(update={"steps": self._spent.steps + 1})

    def seconds_left(self) -> float:
        """Time until the run must have ended, never negative."""
        return max(0.0, self.limits.seconds - self._elapsed())

    def tokens_left(self, reserve: int = 0) -> int:
        """Tokens that a call may still cost while `reserve` stays untouched, never negative."""
        with self._lock:
            return max(0, self.limits.tokens - reserve - self._spent.tokens - self._reserved)

    def usage(self) -> BudgetUsage:
        """What has been used so far; calls under way are not in it."""
        with self._lock:
            return self._spent.model_copy(update={"elapsed_seconds": self._elapsed()})

    def _elapsed(self) -> float:
        return max(0.0, self._clock() - self._start)

    def _check_seconds(self) -> None:
        elapsed = self._elapsed()
        if elapsed >= self.limits.seconds:
            raise BudgetExceededError("seconds", elapsed, self.limits.seconds)
