"""What a choice of a tool consists of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...decisions import DecidedBy

SURE = 0.9
"""From here on the form of the question leaves no doubt."""
TAKEN = 0.6
"""From here on a tool is taken by rules."""
GREY = 0.3
"""From here on, and below `TAKEN`, a model is asked where there is one."""


class Cue(NamedTuple):
    """What in a question speaks for a tool."""

    confidence: float
    reason: str


class ToolChoice(NamedTuple):
    """The tool that a question is for."""

    tool: str
    reason: str
    """In a few words, for the trace."""
    confidence: float
    """From 0 to 1."""
    decided_by: DecidedBy = DecidedBy.RULES
    arguments: Mapping[str, Any] | None = None
    """Of the call, where rules can tell them."""
    missing: tuple[str, ...] = ()
    """What the tool that fits needs and the question does not say; another one was taken then."""
    runner_up: str = ""
    """The tool that was nearest to being taken instead, where rules were unsure; empty: they were sure."""
