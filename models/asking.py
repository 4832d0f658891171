"""How a step asks models: what the decisions that models make need to know of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from pydantic import BaseModel

from ..configs.model_settings import Tier
from ..prompts.loader import Language
from .messages import Message, Reply

SchemaT = TypeVar("SchemaT", bound=BaseModel)


class ModelAccess(Protocol):
    """The chat models of one run: metered on its budget, recorded, chosen by tier.

    Both ways of asking raise:
        ModelError: no usable reply; the rules should decide.
        ModelUnavailableError: the endpoint is unreachable, overloaded or too slow.
        BudgetExceededError: the call does not fit in what is left; nothing was sent.
    """

    def complete(
        self, messages: Sequence[Message], *, tier: Tier, max_tokens: int | None = None, reserve: int = 0
    ) -> Reply:
        """Asks once for text; `reserve` tokens of the budget stay untouched."""

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
        """Asks for an instance of `schema`; a reply that is none is sent back once with the error named."""

    def window(self, tier: Tier) -> int:
        """The context window of a tier's model, in tokens, in and out."""
