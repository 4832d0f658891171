"""What is offered in a run, and what is not and why."""

from __future__ import annotations

from typing import NamedTuple

from .contracts import Tool


class NotOffered(NamedTuple):
    """A tool, or what would bring tools, that is not there, and why."""

    name: str
    reason: str


class Offers(NamedTuple):
    """The tools of a run."""

    tools: tuple[Tool, ...]
    missing: tuple[NotOffered, ...]
