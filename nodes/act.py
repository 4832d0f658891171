"""Runs one sub-task; parallel ones run in parallel branches, each with its share of the budget."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import Context, resources
from ..errors import UsageError
from ..state import TaskInput
from .approving import Purpose
from .recording import Step
from .tasks import back_off, observed, run_task


def act(state: TaskInput, runtime: Runtime[Context]) -> dict[str, Any]:
    """Call the task's tool through the registry. The first task of a round takes the round's step.

    A call that needs a person's consent interrupts the run; the step begins anew when there is a decision.

    Raises:
        UsageError: the run began on behalf of another caller, or over another library.
    """
    task, given = state["task"], resources(runtime)
    if state["asked_by"] != given.identity:
        raise UsageError("this run belongs to another caller or library: resume it with those that it began with")
    key = f"act/{task.id}/{task.attempt}/{state['tries']}/{state['round']}"
    step = Step("act", key, state["trace_id"], state["limits"], state["spent"], given)
    back_off(state["tries"], step)
    if state["number"] == 0:
        step.take()
    purpose = Purpose(state["trace_id"], state["asked"], state["grounds"], state["tries"])
    result = run_task(task, step, purpose, state["round"])
    record = step.close(thought=task.question, action=task.tool, arguments=task.arguments, observation=observed(result))
    return {"results": (result,), "steps": (record,)}
