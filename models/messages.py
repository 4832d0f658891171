"""What goes to a chat model and what comes back."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Message(NamedTuple):
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


class CallUsage(NamedTuple):
    """Tokens of one call as the endpoint reported them."""

    tokens_in: int
    tokens_out: int


class Reply(NamedTuple):
    """A model's reply.

    `usage` is None where none was reported; `finish_reason` is `length` where the output limit cut it.
    `tool_arguments` holds the raw JSON of the first tool call, for a reply that is one.
    """

    text: str
    usage: CallUsage | None = None
    finish_reason: str = "stop"
    tool_arguments: str | None = None
