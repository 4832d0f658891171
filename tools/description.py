"""What a planner is told about a tool, and about a kind of tools."""

from __future__ import annotations

from typing import Any, NamedTuple

from .contracts import Category, Tool

_LONGEST_DESCRIPTION = 1_500


class ToolDescription(NamedTuple):
    """A tool as it is offered to whoever plans."""

    name: str
    description: str
    """What it is for, and what it is not for."""
    arguments: dict[str, Any]
    """JSON schema of the arguments."""


class CategoryDescription(NamedTuple):
    """A kind of tools, to choose from before the tools themselves (S2 §6.2)."""

    category: Category
    tools: tuple[str, ...]
    """Their names."""
    about: str
    """What they are for, in a line."""


def description_of(tool: Tool) -> ToolDescription:
    """A tool as planners see it; a description of somebody else's is no longer than a prompt can bear."""
    said = f"{tool.description} {tool.not_for}".strip()[:_LONGEST_DESCRIPTION]
    return ToolDescription(tool.name, said, tool.arguments.model_json_schema())
