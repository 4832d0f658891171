"""Whether a plan can run: known tools, sound arguments, dependencies without a cycle."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from ...decisions import Plan, SubTask
from ...tools.registry import ToolRegistry


def plan_problem(plan: Plan, tools: ToolRegistry) -> str:
    """Why a plan cannot run, in words for whoever repairs it; empty where it can."""
    return "; ".join((*_bad_ids(plan), *_bad_order(plan), *_bad_calls(plan.tasks, tools)))


def _bad_ids(plan: Plan) -> Iterator[str]:
    known = [task.id for task in plan.tasks]
    for task_id in dict.fromkeys(known):
        if known.count(task_id) > 1:
            yield f"{task_id}: this id is used twice"
    for task in plan.tasks:
        for other in task.depends_on:
            if other not in known:
                yield f"{task.id}: depends on {other}, which is not in the plan"


def _bad_order(plan: Plan) -> Iterator[str]:
    try:
        TopologicalSorter({task.id: task.depends_on for task in plan.tasks}).prepare()
    except CycleError as error:
        yield f"the tasks wait for each other: {' -> '.join(error.args[1])}"


def _bad_calls(tasks: tuple[SubTask, ...], tools: ToolRegistry) -> Iterator[str]:
    for task in tasks:
        failure = tools.problem(task.tool, task.arguments)
        if failure is not None:
            yield f"{task.id}: {failure.detail}"
