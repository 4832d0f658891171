"""A plan by a mid model: sub-tasks, each bound to one tool, with what they depend on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError

from ...configs.model_settings import Tier
from ...decisions import DecidedBy, Plan, SubTask, Understanding
from ...errors import InvalidPlanError
from ...knowledge.questions.models import MOST_PARTS
from ...knowledge.text.normalise import normalise
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence
from ...tools.description import ToolDescription
from .lenient import LenientReply, Text
from .prompting import context_text, nothing, one_line, prompt_for

_ID = re.compile(r"(?:t|q|task|step|任务|步骤|子任务)?[\s_#-]*(\d{1,2})", re.IGNORECASE)
_REFERENCE = re.compile(r"[{｛]\s*(?:t|q|task)?[\s_]*(\d{1,2})\s*[}｝]", re.IGNORECASE)


def _arguments(value: Any) -> Any:
    """Arguments that came as a string of JSON, or not at all."""
    if isinstance(value, str):
        try:
            return json.loads(value) if value.strip() else {}
        except json.JSONDecodeError:
            return value
    return {} if value is None else value


def _ids(value: Any) -> Any:
    if value is None or value == "":
        return []
    return [value] if isinstance(value, str | int) else value


class TaskReply(LenientReply):
    """One call of one tool."""

    # Weak models write a tool's arguments beside its name: they are kept, and taken from there.
    model_config = ConfigDict(extra="allow")

    id: Text = ""
    question: Text
    tool: Text = ""
    arguments: Annotated[dict[str, Any], BeforeValidator(_arguments)] = Field(default_factory=dict)
    depends_on: Annotated[list[Text], BeforeValidator(_ids)] = Field(default_factory=list)


class PlanReply(LenientReply):
    """The sub-tasks of a plan, in order."""

    tasks: list[TaskReply]


def plan_messages(
    understanding: Understanding,
    tools: Sequence[ToolDescription],
    language: Language,
    context: Sequence[Message] | str,
    problem: str | None,
) -> list[Message]:
    """The prompt for a plan: tools, what is known, the question with its parts, what was wrong before."""
    return prompt_for(
        "plan",
        language,
        # What tools say of themselves comes from others as well: declared interfaces, tables, servers of tools.
        tools=fence("\n".join(_described(tool) for tool in tools), "").lstrip(),
        context=context_text(context) or nothing(language),
        question=one_line(understanding.standalone),
        parts="\n".join(_part_lines(understanding)),
        problem=one_line(problem) if problem else nothing(language),
    )


def _described(tool: ToolDescription) -> str:
    arguments = "; ".join(_argument_lines(tool.arguments))
    return f"- {tool.name}: {one_line(tool.description)} ({arguments})"


def _argument_lines(schema: Mapping[str, Any]) -> Iterator[str]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        mark = "" if name in required else "?"
        about = one_line(str(field.get("description", "")))
        yield f"{name}{mark}: {_type_name(field)}{', ' if about else ''}{about}"


def _type_name(field: Mapping[str, Any]) -> str:
    """The JSON type of an argument; of one that may be left empty, the type that it otherwise has."""
    kinds = [one.get("type", "any") for one in field.get("anyOf", (field,))]
    return "/".join(dict.fromkeys(kind for kind in kinds if kind != "null")) or "any"


def _part_lines(understanding: Understanding) -> Iterator[str]:
    for part in understanding.decomposition.parts:
        yield f"t{part.id[1:]}: {one_line(_as_task_references(part.text))}"


def _as_task_references(value: Any) -> Any:
    """A value in which every reference to an earlier result has the form `{t1}`."""
    if isinstance(value, str):
        return _REFERENCE.sub(r"{t\1}", value)
    if isinstance(value, dict):
        return {name: _as_task_references(item) for name, item in value.items()}
    return [_as_task_references(item) for item in value] if isinstance(value, list) else value


def plan_of(reply: PlanReply, understanding: Understanding, tools: Sequence[ToolDescription]) -> Plan:
    """The plan that a reply stands for; whether it can run (tools, arguments, cycles) is checked elsewhere.

    Raises:
        InvalidPlanError: no task, more than six, or an id that is none.
    """
    if not 1 <= len(reply.tasks) <= MOST_PARTS:
        raise InvalidPlanError(f"a plan has 1 to {MOST_PARTS} tasks, this one has {len(reply.tasks)}")
    tasks = tuple(_task(number, task, understanding, tools) for number, task in enumerate(reply.tasks, start=1))
    return Plan(tasks=tasks, combination=understanding.combination, decided_by=DecidedBy.MID)


def _task(number: int, reply: TaskReply, understanding: Understanding, tools: Sequence[ToolDescription]) -> SubTask:
    tool = _tool_name(reply, tools)
    question = _as_task_references(reply.question)
    arguments = _as_task_references(_call_arguments(reply, tool, tools))
    named = [_task_id(other) for other in reply.depends_on]
    referred = [f"t{found}" for found in re.findall(r"\{t(\d{1,2})\}", f"{question}{arguments}")]
    try:
        return SubTask(
            id=_task_id(reply.id) if reply.id else f"t{number}",
            question=question,
            subject=_subject(question, understanding),
            tool=tool,
            arguments=arguments,
            depends_on=tuple(dict.fromkeys([*named, *referred])),
        )
    except ValidationError as error:
        raise InvalidPlanError(f"task {number}: {error.errors()[0]['msg']}") from error


def _task_id(text: str) -> str:
    found = _ID.fullmatch(text.strip())
    if found is None:
        raise InvalidPlanError(f"{one_line(text)[:40]!r} is no id of a task: use t1, t2 and so on")
    return f"t{int(found[1])}"


def _tool_name(reply: TaskReply, tools: Sequence[ToolDescription]) -> str:
    """The tool's name; where only one is offered, nothing needs to be said."""
    return tools[0].name if not reply.tool and len(tools) == 1 else reply.tool


def _call_arguments(reply: TaskReply, tool: str, tools: Sequence[ToolDescription]) -> dict[str, Any]:
    """The arguments of a call, also where they stand beside the tool's name or are left to the question."""
    schema = next((offered.arguments for offered in tools if offered.name == tool), {})
    properties = schema.get("properties", {})
    beside = {name: value for name, value in (reply.model_extra or {}).items() if name in properties}
    given = {name: value for name, value in {**beside, **reply.arguments}.items() if value is not None}
    required = schema.get("required", [])
    if len(required) == 1 and not given.get(required[0]) and properties[required[0]].get("type") == "string":
        given[required[0]] = reply.question
    return given


def _subject(question: str, understanding: Understanding) -> str:
    """The subject of the part that a task is about: the longest that its question names."""
    text = normalise(question)
    subjects = [part.subject for part in understanding.decomposition.parts]
    return max((s for s in subjects if s and normalise(s) in text), key=len, default="")


def plan_by_model(
    understanding: Understanding,
    tools: Sequence[ToolDescription],
    language: Language,
    access: ModelAccess,
    *,
    context: Sequence[Message] | str = "",
    problem: str | None = None,
) -> Plan:
    """A plan for a question.

    Args:
        understanding: the question with its parts.
        tools: what may be called.
        language: of the prompt.
        access: to the models of the run.
        context: what is known so far; text of documents in it must be fenced already.
        problem: what was wrong with the plan before, which this one is to mend.

    Raises:
        InvalidPlanError: the plan has no task, too many, or ids that are none.
        ModelError: no usable reply.
        BudgetExceededError: the call does not fit.
    """
    messages = plan_messages(understanding, tools, language, context, problem)
    reply = access.structured(messages, PlanReply, tier=Tier.MID, language=language)
    return plan_of(reply, understanding, tools)
