"""A step's access to models: booked on the run's budget, and each call kept for the trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from ..configs.model_settings import Tier
from ..errors import BudgetExceededError, ModelError, ModelUnavailableError
from ..prompts.loader import Language
from .budget import Budget
from .completing import Completes, ModelSource
from .exchange import FailureKind, ModelExchange, digest
from .failures import RefusedRequestError
from .messages import Message, Reply
from .reply_modes import ReplyModeMemory
from .structured import structured

SchemaT = TypeVar("SchemaT", bound=BaseModel)


class RecordedModel:
    """A model of which every call is written down."""

    def __init__(self, model: Completes, written: list[ModelExchange]) -> None:
        self._model = model
        self._written = written

    @property
    def name(self) -> str:
        """The model and its endpoint, fit to be shown."""
        return self._model.name

    @property
    def context_window(self) -> int:
        """Tokens in and out."""
        return self._model.context_window

    @property
    def reply_modes(self) -> ReplyModeMemory:
        """What is known about the ways in which it gives structured replies."""
        return self._model.reply_modes

    def complete(
        self,
        messages: Sequence[Message],
        *,
        budget: Budget,
        tier: Tier = Tier.STRONG,
        max_tokens: int | None = None,
        reserve: int = 0,
        extra_body: dict[str, Any] | None = None,
        probing: bool = False,
    ) -> Reply:
        """Asks once; raises what the model raises."""
        before = budget.usage().tier(tier)
        reply, error = Reply(""), None
        try:
            reply = self._model.complete(
                messages,
                budget=budget,
                tier=tier,
                max_tokens=max_tokens,
                reserve=reserve,
                extra_body=extra_body,
                probing=probing,
            )
            return reply
        except (ModelError, BudgetExceededError) as caught:
            error = caught
            raise
        finally:
            charged = budget.usage().tier(tier).since(before)
            self._written.append(
                ModelExchange(
                    tier=tier,
                    model=self.name,
                    request=digest(list(messages), (max_tokens, extra_body)),
                    text=reply.text,
                    tool_arguments=reply.tool_arguments,
                    finish_reason=reply.finish_reason,
                    tokens_in=reply.usage.tokens_in if reply.usage else None,
                    tokens_out=reply.usage.tokens_out if reply.usage else None,
                    charged_in=charged.tokens_in,
                    charged_out=charged.tokens_out,
                    charged_calls=charged.calls,
                    failure=_kind(error),
                    reason="" if error is None else _reason(error),
                )
            )


def _kind(error: Exception | None) -> FailureKind:
    kinds: tuple[tuple[type[Exception], FailureKind], ...] = (
        (BudgetExceededError, "budget"),
        (RefusedRequestError, "refused"),
        (ModelUnavailableError, "unavailable"),
        (ModelError, "model"),
    )
    return next((name for kind, name in kinds if isinstance(error, kind)), "")


def _reason(error: Exception) -> str:
    return error.kind if isinstance(error, BudgetExceededError) else str(error)


class MeteredModels:
    """How one step asks models. Its calls are in `exchanges`, in order.

    Args:
        models: where the models are found.
        budget: the step's meter.
        answer_reserve: tokens that every structured decision leaves for the final answer.
    """

    def __init__(self, models: ModelSource, budget: Budget, answer_reserve: int = 0) -> None:
        self._models = models
        self._budget = budget
        self._reserve = answer_reserve
        self.exchanges: list[ModelExchange] = []

    def complete(
        self, messages: Sequence[Message], *, tier: Tier, max_tokens: int | None = None, reserve: int = 0
    ) -> Reply:
        """Asks the model of a tier once.

        Raises:
            ModelError: no usable reply.
            BudgetExceededError: the call does not fit.
        """
        return self._model(tier).complete(
            messages, budget=self._budget, tier=tier, max_tokens=max_tokens, reserve=reserve
        )

    def structured(
        self,
        messages: Sequence[Message],
        schema: type[SchemaT],
        *,
        tier: Tier,
        max_tokens: int | None = None,
        reserve: int = 0,
        language: Language,
    ) -> SchemaT:
        """An instance of `schema` from the model of a tier; raises like `complete`."""
        return structured(
            self._model(tier),
            messages,
            schema,
            budget=self._budget,
            tier=tier,
            max_tokens=max_tokens,
            reserve=max(reserve, self._reserve),
            language=language,
        )

    def window(self, tier: Tier) -> int:
        """The context window of a tier's model, in tokens."""
        return self._models.get(tier).context_window

    def lent(self, tier: Tier) -> LentModel:
        """The model of a tier for what the step calls; the answer's reserve stays untouched."""
        return LentModel(self._model(tier), self._budget, self._reserve)

    def _model(self, tier: Tier) -> RecordedModel:
        return RecordedModel(self._models.get(tier), self.exchanges)


class LentModel:
    """A step's model as something called by the step may use it: booked on the step's budget and on the user's own."""

    def __init__(self, model: RecordedModel, budget: Budget, reserve: int) -> None:
        self._model = model
        self._budget = budget
        self._reserve = reserve
        self.name = model.name
        self.context_window = model.context_window
        self.reply_modes = model.reply_modes

    def complete(
        self,
        messages: Sequence[Message],
        *,
        budget: Budget,
        tier: Tier = Tier.STRONG,
        max_tokens: int | None = None,
        reserve: int = 0,
        extra_body: dict[str, Any] | None = None,
        probing: bool = False,
    ) -> Reply:
        """Asks once; raises what the model raises."""
        before = self._budget.usage().tier(tier)
        try:
            return self._model.complete(
                messages,
                budget=self._budget,
                tier=tier,
                max_tokens=max_tokens,
                reserve=max(reserve, self._reserve),
                extra_body=extra_body,
                probing=probing,
            )
        finally:
            budget.book(tier, self._budget.usage().tier(tier).since(before))


class LentModels:
    """The models of a step for what it calls."""

    def __init__(self, models: MeteredModels) -> None:
        self._models = models

    def get(self, tier: Tier) -> Completes:
        """The model of a tier."""
        return self._models.lent(tier)


class ReplayedModel:
    """Gives the replies of an earlier run, in order, and charges what they did cost then."""

    def __init__(self, exchanges: Iterator[ModelExchange], name: str, context_window: int) -> None:
        self._exchanges = exchanges
        self.name = name
        self.context_window = context_window
        self.reply_modes = ReplyModeMemory()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        budget: Budget,
        tier: Tier = Tier.STRONG,
        max_tokens: int | None = None,
        reserve: int = 0,
        extra_body: dict[str, Any] | None = None,
        probing: bool = False,
    ) -> Reply:
        """The next reply that was recorded.

        Raises:
            ModelError: what was recorded, or that nothing more is.
        """
        exchange = next(self._exchanges, None)
        if exchange is None:
            raise ModelError("the trace holds no further reply: the run took another way than the recorded one")
        budget.book(exchange.tier, exchange.charged())
        error = exchange.error()
        if error is not None:
            raise error
        return exchange.reply()


class ReplayedModels:
    """The models of one step of a replay."""

    def __init__(self, exchanges: Sequence[ModelExchange], context_window: int) -> None:
        self._model = ReplayedModel(iter(exchanges), exchanges[0].model if exchanges else "none", context_window)

    def get(self, tier: Tier) -> Completes:
        """The one model that gives all recorded replies, whatever the tier."""
        return self._model
