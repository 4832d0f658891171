"""Tasks for other tools than the search: which tool each part is for, and what it is called with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...decisions import SubTask
from ...knowledge.evidence.overview import without_asking
from ...knowledge.questions.models import MOST_PARTS
from ...tools.choosing.models import TAKEN, ToolChoice
from ...tools.choosing.rules import CALCULATE, choose_by_rules
from ...tools.contracts import Tool
from ...tools.registry import ToolRegistry
from ...tools.search_documents import SEARCH_DOCUMENTS
from .looked_up_values import looked_up

_TAKES_QUESTIONS = frozenset({"question", "query", "q", "text", "input", "prompt", "search", "__arg1"})
"""Names of arguments that a whole question may stand for; a town or a number it may not."""


class _Calculation(NamedTuple):
    """A calculation over a value that another task finds."""

    lookup: str
    question: str
    arguments: Mapping[str, Any]


def choose(question: str, tools: ToolRegistry) -> ToolChoice:
    """The tool that a question is for; the calculation, too, where a value of it has to be found first."""
    chosen = choose_by_rules(question, tools.tools, tools)
    if chosen.tool == SEARCH_DOCUMENTS and _calculation(question, "t1", tools) is not None:
        return ToolChoice(CALCULATE, "a calculation over a value that has to be found", TAKEN)
    return chosen


def with_tools(
    tasks: Sequence[SubTask], tools: ToolRegistry, chosen_before: Mapping[str, ToolChoice]
) -> tuple[SubTask, ...]:
    """Searches as calls of the tools that their questions are for; a calculation may need a look-up before it.

    What rules cannot find the arguments of stays a search. Tasks keep their ids, as later ones may refer to them; a
    lone one is numbered in the order of its steps.

    Args:
        tasks: searches.
        tools: that are offered.
        chosen_before: the tool of tasks, by their question, where it has been chosen already.
    """
    taken = {task.id for task in tasks}
    spare = [f"t{number}" for number in range(1, MOST_PARTS + 1) if f"t{number}" not in taken]
    found: list[SubTask] = []
    for task in tasks:
        before, after = ("t1", "t2") if len(tasks) == 1 else (next(iter(spare), ""), task.id)
        chosen = chosen_before.get(task.question) or choose(task.question, tools)
        call = call_of(chosen, task.question, tools)
        calculation = _calculation(task.question, before, tools) if call is None and before else None
        if calculation is not None:
            found += (_lookup(task, before, calculation, tools), _computed(task, after, before, calculation))
            spare = spare[1:]
        else:
            found.append(task if call is None else _called(task, chosen.tool, call))
    return tuple(found)


def call_of(chosen: ToolChoice, question: str, tools: ToolRegistry) -> Mapping[str, Any] | None:
    """The sound arguments of the tool that was chosen; None for the search, and where rules cannot find them."""
    tool = tools.get(chosen.tool)
    if tool is None or chosen.tool == SEARCH_DOCUMENTS:
        return None
    arguments = chosen.arguments
    if arguments is None:
        read = tools.read_arguments(tool, question)
        arguments = _only_text(tool, question) if read is None or read.missing else read.arguments
    return None if arguments is None or tools.problem(tool.name, arguments) is not None else arguments


def _only_text(tool: Tool, question: str) -> Mapping[str, Any] | None:
    """The question as the one text that a tool without rules of its own needs, if its name says that it may be one."""
    schema = tool.arguments.model_json_schema()
    required = schema.get("required", [])
    if tool.by_rules is not None or len(required) != 1 or required[0].casefold() not in _TAKES_QUESTIONS:
        return None
    return {required[0]: question} if schema["properties"][required[0]].get("type") == "string" else None


def _called(task: SubTask, tool: str, arguments: Mapping[str, Any]) -> SubTask:
    return task.model_copy(update={"tool": tool, "arguments": dict(arguments)})


def _lookup(task: SubTask, task_id: str, calculation: _Calculation, tools: ToolRegistry) -> SubTask:
    question = calculation.lookup
    arguments = {**task.arguments, "query": without_asking(question) or question}
    lookup = task.model_copy(update={"id": task_id, "question": question, "arguments": arguments})
    chosen = choose_by_rules(question, tools.tools, tools)
    call = call_of(chosen, question, tools)
    return lookup if call is None else _called(lookup, chosen.tool, call)


def _computed(task: SubTask, task_id: str, before: str, calculation: _Calculation) -> SubTask:
    changed = {
        "id": task_id,
        "question": calculation.question,
        "said": task.question,
        "subject": "",
        "depends_on": (*task.depends_on, before),
    }
    return _called(task.model_copy(update=changed), CALCULATE, calculation.arguments)


def _calculation(question: str, before: str, tools: ToolRegistry) -> _Calculation | None:
    """A question as a calculation over what the task `before` finds; None where it is none that can be computed."""
    found, tool = looked_up(question), tools.get(CALCULATE)
    if found is None or tool is None:
        return None
    calculation = found.calculation.replace("{value}", f"{{{before}}}")
    read = tools.read_arguments(tool, calculation)
    if read is None or read.missing or tools.problem(CALCULATE, read.arguments) is not None:
        return None
    return _Calculation(found.lookup, calculation, read.arguments)
