"""Time and steps of a node, added to the run's usage."""

from __future__ import annotations

from ..models.budget import Budget, BudgetLimits
from ..state import AgentState


def open_budget(state: AgentState) -> Budget:
    """The run's meter as it stands when a node starts; its time runs until the node reads `usage()`."""
    limits = state.get("limits") or BudgetLimits.for_class("simple")
    return Budget(limits, spent=state.get("usage"))
