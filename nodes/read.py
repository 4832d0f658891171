"""The reading route's plan: what is to be read up on, part by part, with the tool that reads."""

from __future__ import annotations

from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import FILTER_ARGUMENTS, Plan, SubTask
from ..knowledge.text.counting import counted
from ..state import AgentState
from ..tools.read_section import READ_SECTION
from ..tools.search_documents import SEARCH_DOCUMENTS
from .by_rules.plan import plan_by_rules
from .recording import Step, open_step
from .tasks import ready_tasks

_KEPT = FILTER_ARGUMENTS | {"documents"}


def read(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Plan a reading for each part; of a question that one search left in doubt, one more attempt at it.

    Where no tool reads (a registry of the host's own), the parts are searched for.
    """
    step = open_step(state, runtime, "read")
    before = state.get("plan")
    plan = before if before is not None and state.get("verdicts") else _planned(state, step)
    if READ_SECTION in step.given.tools:
        plan = plan.model_copy(update={"tasks": tuple(as_reading(task) for task in plan.tasks)})
    tried = {verdict.task_id for verdict in state.get("verdicts", ())}
    again = tuple(task.model_copy(update={"attempt": task.attempt + 1}) for task in plan.tasks if task.id in tried)
    record = step.close(
        action="plan", observation=counted(len(plan.tasks), "part to read up on", "parts to read up on")
    )
    return {
        "plan": plan,
        "pending": again or ready_tasks(plan, ()),
        "steps": (record,),
    }


def _planned(state: AgentState, step: Step) -> Plan:
    given = step.given
    query = partial(given.library.read_query, caller=given.caller)
    return plan_by_rules(state["understanding"], given.documents(), given.settings.search.keep, query)


def as_search(task: SubTask) -> SubTask:
    """A reading as a search for the same, to be put differently where reading did not answer."""
    if task.tool != READ_SECTION:
        return task
    kept = {name: value for name, value in task.arguments.items() if name in _KEPT}
    return task.model_copy(update={"tool": SEARCH_DOCUMENTS, "arguments": {"query": task.question, **kept}})


def as_reading(task: SubTask) -> SubTask:
    """A search as a reading of the same documents."""
    kept = {name: value for name, value in task.arguments.items() if name in _KEPT}
    return task.model_copy(update={"tool": READ_SECTION, "arguments": {"question": task.question, **kept}})
