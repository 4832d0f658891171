"""Looks back on a round that did not answer: one reason, one strategy, never the same twice (S3 §5.1)."""

from __future__ import annotations

from typing import Any, cast

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import FILTER_ARGUMENTS, DecidedBy, FailureReason, Reflection, Route, Strategy, SubTask, Sufficiency
from ..errors import BudgetExceededError, ModelError
from ..prompts.loader import Language
from ..state import AgentState
from ..tools.contracts import Category, Permission, Tool
from .by_model.reflect import reflect_by_model
from .by_rules.reflect import Failed, Tried, reflect_by_rules
from .context_view import context_of
from .read import as_search
from .recording import Step, open_step
from .tasks import short_answers

_FORCED = {
    "repeated_call": (FailureReason.MISUNDERSTOOD, Strategy.REPLAN),
    "oscillation": (FailureReason.MISUNDERSTOOD, Strategy.REPLAN),
}


def reflect(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Name the reason and the strategy; its tasks are what runs next."""
    step = open_step(state, runtime, "reflect")
    forced = _FORCED.get(state["steps"][-1].rule)
    if forced is not None:
        found = Reflection(reason=forced[0], strategy=forced[1])
    else:
        found = _by_model(state, step) or reflect_by_rules(_tried(state, step))
    record = step.close(
        thought=found.thought or found.reason.value,
        action=found.strategy.value,
        arguments={task.id: task.arguments for task in found.tasks},
        observation=found.reason.value,
        decided_by=found.decided_by,
    )
    return {
        "reflections": (*state.get("reflections", ()), found),
        "pending": found.tasks,
        "steps": (record,),
    }


def open_tasks(state: AgentState) -> tuple[Failed, ...]:
    """The sub-questions that are not answered, with the last task that tried each."""
    last = {result.task.id: result for result in state.get("results", ())}
    return tuple(
        Failed(as_search(last[verdict.task_id].task), verdict, last[verdict.task_id].error)
        for verdict in state.get("verdicts", ())
        if verdict.sufficiency is not Sufficiency.ANSWERED
        and verdict.task_id in last
        # A call that needed consent is not made in other words.
        and not last[verdict.task_id].is_final
    )


def replans(state: AgentState) -> int:
    """How often the run has planned anew."""
    return sum(reflection.strategy is Strategy.REPLAN for reflection in state.get("reflections", ()))


def _tried(state: AgentState, step: Step) -> Tried:
    given = step.given
    return Tried(
        open=open_tasks(state),
        reflections=state.get("reflections", ()),
        documents=given.documents(),
        may_replan=replans(state) == 0 and not _planned_by_rules(state),
        in_documents=frozenset(tool.name for tool in given.tools.tools if _reads(tool)),
        keep=given.settings.search.keep,
    )


def _planned_by_rules(state: AgentState) -> bool:
    """Rules would make the same plan again."""
    plan = state.get("plan")
    return plan is not None and plan.decided_by is DecidedBy.RULES


def _reads(tool: Tool) -> bool:
    """Whether a tool looks something up that documents may say as well; they say nothing of the conversation."""
    return tool.permission is not Permission.WRITE and tool.category is not Category.MEMORY


def _by_model(state: AgentState, step: Step) -> Reflection | None:
    """A model's reflection in the loop; None where there is no model, no sound reply, or only a repetition."""
    failed = open_tasks(state)
    conflicting = any(item.verdict.conflict is not None for item in failed)
    if step.models is None or state["gate"].route is Route.LINEAR or not failed or conflicting:
        return None
    try:
        said = reflect_by_model(
            state["understanding"].standalone,
            failed=[(item.task.id, item.task.question, item.verdict.missing) for item in failed],
            tried=[(r.strategy, tuple(t.arguments.get("query", "") for t in r.tasks)) for r in state["reflections"]],
            known=short_answers(state["verdicts"]),
            context=context_of(state, step),
            language=cast(Language, state["analysis"].language),
            access=step.models,
        )
    except (ModelError, BudgetExceededError):
        return None
    tasks = _tasks(said.queries, failed, step) if said.strategy in _SEARCHES else ()
    found = Reflection(
        reason=said.reason, strategy=said.strategy, tasks=tasks, thought=said.thought, decided_by=DecidedBy.MID
    )
    repeated = found.key in {reflection.key for reflection in state["reflections"]}
    needs_tasks = found.strategy in _SEARCHES and not tasks
    return None if repeated or needs_tasks else found


_SEARCHES = frozenset({Strategy.REWRITE_QUERY, Strategy.SWITCH_SOURCE, Strategy.ADJUST_TIME_RANGE})


def _tasks(queries: dict[str, str], failed: tuple[Failed, ...], step: Step) -> tuple[SubTask, ...]:
    """The failed tasks once more with new queries; the documents that a task was limited to are opened up."""
    again = []
    for item in failed:
        query = queries.get(item.task.id, "").strip()
        filters = {name: item.task.arguments[name] for name in FILTER_ARGUMENTS if name in item.task.arguments}
        arguments = {"query": query, "k": step.given.settings.search.keep, **filters}
        if query and step.given.tools.problem(item.task.tool, arguments) is None:
            again.append(
                item.task.model_copy(
                    update={"arguments": arguments, "attempt": item.task.attempt + 1, "depends_on": ()}
                )
            )
    return tuple(again)
