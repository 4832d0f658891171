"""A step's access to models that gives scripted replies and keeps what it was sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel
from veriloop.configs.model_settings import Tier
from veriloop.errors import ModelError
from veriloop.models.messages import Message, Reply
from veriloop.models.structured import read_reply
from veriloop.prompts.loader import Language

SchemaT = TypeVar("SchemaT", bound=BaseModel)


class Sent(NamedTuple):
    """One prompt as it was sent."""

    messages: tuple[Message, ...]
    tier: Tier

    @property
    def case(self) -> str:
        """The last message: what changes from call to call."""
        return self.messages[-1].text


@dataclass
class ScriptedAccess:
    """Replies in order; a reply that is no instance of the schema is an error at once."""

    replies: list[str]
    sent: list[Sent] = field(default_factory=list)

    def complete(
        self, messages: Sequence[Message], *, tier: Tier, max_tokens: int | None = None, reserve: int = 0
    ) -> Reply:
        self.sent.append(Sent(tuple(messages), tier))
        return Reply(self.replies.pop(0))

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
        reply = self.complete(messages, tier=tier)
        try:
            return read_reply(reply, schema)
        except ValueError as error:
            raise ModelError(str(error)) from error

    def window(self, tier: Tier) -> int:
        return 8192


def scripted(*replies: Any) -> ScriptedAccess:
    """Access that replies with these texts, or with these fields as JSON."""
    return ScriptedAccess([r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in replies])
