"""Whether a run can wait for a person and be resumed."""

from __future__ import annotations

from typing import Any

from langgraph.config import get_config

# How LangGraph hands its checkpointer to the graphs inside; without one an interrupt would lose the run.
_CHECKPOINTER = "__pregel_checkpointer"


def configurable() -> dict[str, Any]:
    """What the run was configured with; nothing outside of a run."""
    try:
        found: dict[str, Any] = get_config().get("configurable", {})
    except RuntimeError:  # outside of any graph
        return {}
    return found


def can_pause() -> bool:
    """Whether the run goes on after an interrupt: some graph around this one has a checkpointer."""
    return configurable().get(_CHECKPOINTER) is not None
