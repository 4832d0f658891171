"""Chooses the route and the budget of a question. Decided by rules."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import Context, resources
from ..models.budget import BudgetLimits
from ..state import AgentState, GateDecision, Route
from .metering import open_budget


def gate(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Small talk is answered directly, everything else by the linear route within the budget of its class."""
    budget = open_budget(state)
    route = Route.DIRECT if state["analysis"].is_small_talk else Route.LINEAR
    decision = GateDecision(route=route, question_class="simple")
    given = resources(runtime)
    limits = BudgetLimits.for_class(decision.question_class)
    return {
        "gate": decision,
        "limits": limits.model_copy(update={"seconds": limits.seconds * given.settings.budget.time_factor}),
        "has_models": given.models is not None,
        "usage": budget.usage(),
    }
