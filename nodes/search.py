"""The linear route's only search: the whole question as one task."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import Plan, SubTask
from ..knowledge.evidence.overview import without_asking
from ..state import AgentState
from ..tools.search_documents import SEARCH_DOCUMENTS
from .approving import Purpose
from .recording import open_step
from .tasks import back_off, observed, run_task


def search(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Search once for the question as it stands."""
    step = open_step(state, runtime, "search")
    understanding = state["understanding"]
    question = understanding.standalone
    # The words that ask for a summary are none that the document would hold.
    arguments = {
        "query": without_asking(question) or question,
        "k": step.given.settings.search.keep,
        **understanding.search_arguments,
    }
    task = SubTask(id="t1", question=question, tool=SEARCH_DOCUMENTS, arguments=arguments)
    tries = 1 + sum(record.node == "search" for record in state["steps"])
    back_off(tries, step)
    step.take()
    purpose = Purpose(state["trace_id"], state["question"], tries=tries)
    result = run_task(task, step, purpose, tries)
    record = step.close(action=task.tool, arguments=arguments, observation=observed(result))
    plan = Plan(tasks=(task,), combination=understanding.combination)
    return {"plan": plan, "results": (result,), "steps": (record,)}
