"""Joins nodes and rules: every node's result is judged at once, and the rule that fired stands in its record."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, Protocol, cast

from langgraph.graph import END
from langgraph.runtime import Runtime
from langgraph.types import Send

from ..context import Context
from ..ledger import merged
from ..logs import get_logger
from ..nodes.grounds import grounds_of
from ..nodes.recording import limits_of, spent_of
from ..state import AgentState, TaskInput, TaskResult
from ..tools.registry import ErrorCode
from .reading import read_up
from .rules import first_rule, targets

_log = get_logger("run")
# Where a route ends, whatever stands in the graph around it.
OUTSIDE = ("deliver", "loop", "reading")


class Node(Protocol):
    """One step of a graph."""

    def __call__(self, state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
        """The fields that the step writes, its record last."""


def deciding(graph: str, after: str, node: Node) -> Node:
    """A node that names the rule which fires after it."""

    def run(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
        update = node(state, equipped(runtime))
        *earlier, record = update["steps"]
        after_it = cast(AgentState, {**state, **update, **_ledgers(state, update)})
        rule = first_rule(graph, after, after_it)
        decided = record.model_copy(update={"rule": rule.name, "kind": rule.kind.value, "target": rule.target})
        _log.info("rule_fired", trace_id=record.trace_id, after=after, rule=rule.name, kind=rule.kind.value)
        return {**update, "steps": (*earlier, decided)}

    run.__name__ = after
    run.__doc__ = node.__doc__
    return run


def equipped(runtime: Runtime[Context]) -> Runtime[Context]:
    """The runtime with what `read_section` reads with: no node and no tool could reach a graph by itself."""
    given = runtime.context
    if given is None:
        return runtime.override(context=Context(reader=read_up))
    return runtime.override(context=replace(given, reader=given.reader or read_up))


def _ledgers(state: AgentState, update: dict[str, Any]) -> dict[str, Any]:
    """What the reducers will make of the update: predicates judge the state as it will be."""
    return {
        "steps": merged(state.get("steps"), update.get("steps")),
        "results": merged(state.get("results"), update.get("results")),
    }


def target_of(state: AgentState) -> str:
    """Where the last rule that fired leads."""
    return next(record.target for record in reversed(state["steps"]) if record.target)


def next_steps(state: AgentState) -> str | list[Send]:
    """Where the last rule leads; to `act` once for each task, in parallel."""
    target = target_of(state)
    return parallel_tasks(state) if target == "act" else target


def path_map(graph: str, after: str, inner: bool) -> dict[Hashable, str]:
    """The edges that a node's rules can take; from inside a route, what lies outside it is its end."""
    return {target: END if inner and target in OUTSIDE else target for target in targets(graph, after)}


def parallel_tasks(state: AgentState) -> list[Send]:
    """One message for each task that runs now, each with an equal share of the tokens that are left."""
    again = _failed_in_passing(state) if _last_rule(state) == "transient_tool_error" else ()
    tasks = tuple(result.task for result in again) or state["pending"]
    spent, limits = spent_of(state), limits_of(state)
    share = max(0, limits.tokens - spent.tokens) // max(len(tasks), 1)
    return [
        Send(
            "act",
            TaskInput(
                trace_id=state["trace_id"],
                task=task,
                round=len(state.get("rounds", ())) + 1,
                number=number,
                tries=2 if again else 1,
                limits=limits.model_copy(update={"tokens": spent.tokens + share}),
                spent=spent,
                asked=state["question"],
                asked_by=state["asked_by"],
                grounds=grounds_of(task.arguments, state["question"], state.get("evidence", ())),
            ),
        )
        for number, task in enumerate(tasks)
    ]


def _last_rule(state: AgentState) -> str:
    return next(record.rule for record in reversed(state["steps"]) if record.rule)


def _failed_in_passing(state: AgentState) -> tuple[TaskResult, ...]:
    results = state["results"]
    last = results[-1].round
    return tuple(r for r in results if r.round == last and r.error is ErrorCode.TRANSIENT)
