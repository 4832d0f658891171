"""Chat models by tier, metered and bounded in time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from threading import Lock
from typing import Any

from ..configs.model_settings import ChatModelSettings, Tier, TierSettings
from ..errors import ModelError
from .breaker import CircuitBreaker
from .budget import Budget, Reservation
from .cleaning import well_formed
from .endpoint import NO_KEY, Attempt, Endpoint, Timing
from .failures import Failure, FailureSorter, endpoint_name
from .messages import CallUsage, Message, Reply
from .reply_modes import ReplyModeMemory
from .slots import CallSlots
from .tokens import estimate_prompt


class ChatModel:
    """One chat model; safe to share between threads.

    Args:
        settings: the endpoint and its limits.
        breaker: shared between models of one endpoint.
        timing: clock, sleep and random generator of the retries.
        slots: shared between models of one endpoint, so that it is not asked by too many at once.
    """

    def __init__(
        self,
        settings: ChatModelSettings,
        breaker: CircuitBreaker | None = None,
        timing: Timing | None = None,
        slots: CallSlots | None = None,
    ) -> None:
        self.settings = settings
        self._slots = slots or CallSlots(settings.concurrent_calls)
        self.reply_modes = ReplyModeMemory()
        self._key = settings.api_key.get_secret_value() if settings.api_key else ""
        sorter = FailureSorter(settings.base_url, settings.model, self._key)
        self._endpoint = Endpoint(sorter, settings.retries, breaker or CircuitBreaker(), timing)
        self._client: Any = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The model and its endpoint, fit to be shown."""
        return f"{self.settings.model}@{endpoint_name(self.settings.base_url)}"

    @property
    def context_window(self) -> int:
        """Tokens in and out."""
        return self.settings.context_window

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
        """Asks the model once, within the budget and in bounded time, retries included.

        Args:
            messages: the prompt.
            budget: charged with what the endpoint reports, or with the most it can have been.
            tier: under which tier the budget books the call.
            max_tokens: output limit of this call; the settings' limit is never exceeded.
            reserve: tokens of the budget that this call must leave.
            extra_body: further fields of the request (a response format, tools).
            probing: whether the endpoint may not know these fields, so that an error means that it does not.

        Raises:
            BudgetExceededError: the call does not fit; nothing was sent.
            RefusedRequestError: the endpoint does not take `extra_body` (only when `probing`).
            ModelUnavailableError: unreachable, overloaded or too slow.
            ModelError: the endpoint refused or did not speak the protocol.
        """
        output_limit = min(max_tokens or self.settings.max_output_tokens, self.settings.max_output_tokens)
        prompt_tokens = estimate_prompt(messages, extra_body)
        self._check_window(prompt_tokens + output_limit)
        body = {self.settings.output_limit_field: output_limit, **(extra_body or {})}
        meter = _Meter(budget, prompt_tokens, output_limit, reserve, tier)
        attempt = Attempt(lambda seconds: self._invoke(messages, body, seconds), meter.begin, meter.end)
        seconds = min(self.settings.request_seconds, budget.seconds_left())
        with self._slots.taken(seconds, self.name):
            reply: Reply = self._endpoint.run(attempt, min(seconds, budget.seconds_left()), probing=probing)
        return reply

    def _check_window(self, tokens: int) -> None:
        if tokens > self.settings.context_window:
            raise self._endpoint.sorter.too_long(tokens, self.settings.context_window)

    def _invoke(self, messages: Sequence[Message], body: dict[str, Any], seconds: float) -> Reply:
        from langsmith import tracing_context  # noqa: PLC0415 – comes with the client below

        # Prompts hold documents: no tracing service may see them, whatever the environment says.
        with tracing_context(enabled=False):
            message = self._chat_client().invoke(list(messages), timeout=seconds, extra_body=body)
        return _to_reply(message, int(body[self.settings.output_limit_field]))

    def _chat_client(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = self._make_client()
            return self._client

    def _make_client(self) -> Any:
        from langchain_openai import ChatOpenAI  # noqa: PLC0415 – two seconds, and unused without a model
        from pydantic import SecretStr  # noqa: PLC0415

        return ChatOpenAI(
            base_url=self.settings.base_url,
            model=self.settings.model,
            api_key=SecretStr(self._key or NO_KEY),
            temperature=self.settings.temperature,
            max_retries=0,
            http_client=self._endpoint.http.client,
            use_responses_api=False,
            disable_streaming=True,
            cache=False,
        )


class _Meter:
    """Books each attempt of one call."""

    def __init__(self, budget: Budget, prompt: int, output: int, reserve: int, tier: Tier) -> None:
        self._budget = budget
        self._asked = (prompt, output, reserve, tier)
        self._open: Reservation | None = None

    def begin(self) -> None:
        self._open = self._budget.check_before_call(*self._asked)

    def end(self, reply: Reply | None, failure: Failure | None) -> None:
        if self._open is None:
            return
        if failure is not None and not failure.charged:
            usage: CallUsage | None = CallUsage(0, 0)
        else:
            usage = reply.usage if reply else None
        self._budget.settle(self._open, usage)
        self._open = None


# No tokenizer packs more characters into a token on average; what is longer is no reply within its limit.
_CHARACTERS_A_TOKEN = 12
_MOST_TOKENS = 1_000_000_000


def _to_reply(message: Any, output_limit: int) -> Reply:
    broken = [str(call["args"]) for call in message.invalid_tool_calls]
    valid = [json.dumps(well_formed(call["args"]), ensure_ascii=False) for call in message.tool_calls]
    arguments = next(iter([*valid, *broken]), None)
    text, most = str(message.text), output_limit * _CHARACTERS_A_TOKEN
    is_cut = len(text) > most or len(arguments or "") > most
    finish_reason = "length" if is_cut else str(message.response_metadata.get("finish_reason") or "stop")
    return Reply(
        text=well_formed(text[:most]),
        usage=_usage(message.usage_metadata),
        finish_reason=finish_reason,
        tool_arguments=None if arguments is None else well_formed(arguments[:most]),
    )


def _usage(reported: Any) -> CallUsage | None:
    """What an endpoint reports, if it can be: whole numbers, some tokens in, none negative."""
    if not reported:
        return None
    counts = (reported.get("input_tokens"), reported.get("output_tokens"))
    sound = all(type(count) is int and 0 <= count <= _MOST_TOKENS for count in counts) and counts[0] > 0
    return CallUsage(*counts) if sound else None


class ModelTiers:
    """The chat models of a run by tier; equal settings share one model, one endpoint one circuit breaker."""

    def __init__(self, settings: TierSettings, timing: Timing | None = None) -> None:
        timing = timing or Timing()
        breakers: dict[str, CircuitBreaker] = {}
        slots: dict[str, CallSlots] = {}
        models: dict[ChatModelSettings, ChatModel] = {}
        self._by_tier: dict[Tier, ChatModel] = {}
        for tier in Tier:
            chosen = settings.for_tier(tier)
            if chosen is None:
                continue
            if chosen not in models:
                breaker = breakers.setdefault(chosen.base_url, CircuitBreaker(clock=timing.clock))
                slot = slots.setdefault(chosen.base_url, CallSlots(chosen.concurrent_calls))
                models[chosen] = ChatModel(chosen, breaker, timing, slot)
            self._by_tier[tier] = models[chosen]

    def __bool__(self) -> bool:
        """Whether any model is configured; without one all decisions are made by rules."""
        return bool(self._by_tier)

    def get(self, tier: Tier) -> ChatModel:
        """The model that serves a tier.

        Raises:
            ModelError: no model is configured.
        """
        model = self._by_tier.get(tier)
        if model is None:
            raise ModelError("no model is configured: set `models` in the profile, or let the rules decide")
        return model

    def complete(
        self,
        messages: Sequence[Message],
        *,
        budget: Budget,
        tier: Tier,
        max_tokens: int | None = None,
        reserve: int = 0,
    ) -> Reply:
        """Asks the model of a tier; see `ChatModel.complete`."""
        model = self.get(tier)
        return model.complete(messages, budget=budget, tier=tier, max_tokens=max_tokens, reserve=reserve)
