"""Runs one sub-task; parallel ones run in parallel branches, each with its share of the budget."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import Context, resources
from ..state import TaskInput
from .recording import Step
from .tasks import back_off, observed, run_task


def act(state: TaskInput, runtime: Runtime[Context]) -> dict[str, Any]:
    """Call the task's tool through the registry. The first task of a round takes the round's step."""
    task = state["task"]
    key = f"act/{task.id}/{task.attempt}/{state['tries']}/{state['round']}"
    step = Step("act", key, state["trace_id"], state["limits"], state["spent"], resources(runtime))
    back_off(state["tries"], step)
    if state["number"] == 0:
        step.take()
    result = run_task(task, step, trace_id=state["trace_id"], round_number=state["round"], tries=state["tries"])
    record = step.close(thought=task.question, action=task.tool, arguments=task.arguments, observation=observed(result))
    return {"results": (result,), "steps": (record,)}
