"""What the engine needs of a chat model: a live one, one that is recorded, or the replies of an earlier run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from ..configs.model_settings import Tier
from .budget import Budget
from .messages import Message, Reply
from .reply_modes import ReplyModeMemory


class Completes(Protocol):
    """One chat model; see `ChatModel` for what its members promise."""

    @property
    def name(self) -> str:
        """The model and its endpoint, fit to be shown."""

    @property
    def context_window(self) -> int:
        """Tokens in and out."""

    @property
    def reply_modes(self) -> ReplyModeMemory:
        """What is known about the ways in which it gives structured replies."""

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
        """Asks once."""


@runtime_checkable
class ModelSource(Protocol):
    """Where a run finds the model of a tier."""

    def get(self, tier: Tier) -> Completes:
        """The model that serves a tier."""
