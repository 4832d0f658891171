"""What a planner is told about a tool."""

from __future__ import annotations

from typing import Any, NamedTuple


class ToolDescription(NamedTuple):
    """A tool as it is offered to whoever plans."""

    name: str
    description: str
    """What it is for, and what it is not for."""
    arguments: dict[str, Any]
    """JSON schema of the arguments."""
