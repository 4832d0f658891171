"""One call of a model as a trace records it: enough to run the graph again without the model."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..configs.model_settings import Tier
from ..errors import BudgetExceededError, ModelError, ModelUnavailableError
from .budget import TierUsage
from .failures import RefusedRequestError
from .messages import CallUsage, Message, Reply

FailureKind = Literal["", "refused", "unavailable", "model", "budget"]


class ModelExchange(BaseModel):
    """What was asked (as a digest) and what came back, or why nothing did."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tier: Tier
    model: str = Field(description="the model and its endpoint")
    request: str = Field(description="digest of the prompt and its options")
    text: str = ""
    tool_arguments: str | None = None
    finish_reason: str = "stop"
    tokens_in: int | None = Field(default=None, description="as reported; None where the endpoint did not say")
    tokens_out: int | None = None
    charged_in: int = Field(default=0, ge=0, description="what the budget was charged with")
    charged_out: int = Field(default=0, ge=0)
    charged_calls: int = Field(default=0, ge=0, description="attempts, those before a retry included")
    failure: FailureKind = ""
    reason: str = ""

    def reply(self) -> Reply:
        """The reply once more."""
        known = self.tokens_in is not None and self.tokens_out is not None
        usage = CallUsage(self.tokens_in or 0, self.tokens_out or 0) if known else None
        return Reply(self.text, usage, self.finish_reason, self.tool_arguments)

    def charged(self) -> TierUsage:
        """What the budget was charged with."""
        return TierUsage(calls=self.charged_calls, tokens_in=self.charged_in, tokens_out=self.charged_out)

    def error(self) -> Exception | None:
        """The failure once more, or None."""
        if self.failure == "budget":
            return BudgetExceededError(self.reason, 0, 0)
        kinds = {"refused": RefusedRequestError, "unavailable": ModelUnavailableError, "model": ModelError}
        return kinds[self.failure](self.reason) if self.failure else None


def digest(messages: list[Message], options: Any) -> str:
    """A name for a request: equal for equal prompts and options."""
    return sha256(repr((messages, options)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
