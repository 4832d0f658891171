"""The tool that calls declared operations of interfaces over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model, model_validator
from pydantic_core import PydanticCustomError

from ...configs.api_settings import ApiSettings
from ...errors import SettingsError
from ...knowledge.documents import Caller
from ..contracts import Category, Permission, Tool, ToolOutput
from .calling import call
from .checking import converted, problems
from .choosing import found_call
from .declared import declared_api
from .models import DeclaredApi, Operation

CALL_API = "call_api"
_LONGEST_DESCRIPTION = 4_000
_LONGEST_ENTRY = 300
_MOST_LISTED = 40
_MOST_EXAMPLES = 10
_SPARE_SECONDS = 2.0


class OfferedApi(NamedTuple):
    """An interface that the caller may have called."""

    settings: ApiSettings
    declared: DeclaredApi


class CallApiArguments(BaseModel):
    """Which operation, and its parameters as one object."""

    model_config = ConfigDict(extra="forbid")

    operation: str = Field(max_length=200, description="one of the operations listed, such as orders.get_order")
    parameters: dict[str, Any] = Field(default_factory=dict, description="by name; nothing that is not declared")


class UsableApis(NamedTuple):
    """The interfaces that a caller may have called."""

    offered: dict[str, OfferedApi]
    broken: dict[str, str]
    """Why an interface cannot be used, by its name: the others can."""


def usable_apis(apis: Mapping[str, ApiSettings], caller: Caller) -> UsableApis:
    """The interfaces that the caller may have called: those whose files can be read, and what is wrong with others."""
    offered: dict[str, OfferedApi] = {}
    broken: dict[str, str] = {}
    for name, one in apis.items():
        if not _may(caller, one):
            continue
        try:
            offered[name] = OfferedApi(one, declared_api(name, one))
        except SettingsError as error:
            broken[name] = str(error)
    return UsableApis(offered, broken)


def make_call_api(apis: Mapping[str, ApiSettings], caller: Caller) -> Tool | None:
    """The tool for one run; None where the caller may have no operation called.

    Raises:
        SettingsError: a file of operations cannot be read; `usable_apis` tells those that can.
    """
    allowed = {name: one for name, one in apis.items() if _may(caller, one)}
    offered = {name: OfferedApi(one, declared_api(name, one)) for name, one in allowed.items()}
    operations = tuple(operation for one in offered.values() for operation in one.declared.operations)
    if not operations:
        return None
    by_name = _by_name(operations)
    highest = max((one.permission for one in operations), key=tuple(Permission).index)

    def permission_of(arguments: CallApiArguments) -> Permission:
        return by_name[arguments.operation].permission

    def run(arguments: CallApiArguments) -> ToolOutput:
        operation = by_name[arguments.operation]
        one = offered[operation.api]
        return call(operation, one.declared.base_url, one.settings, arguments.parameters)

    return Tool(
        name=CALL_API,
        description=_description(operations),
        not_for="Not for what the documents say, nor for an operation that is not listed.",
        arguments=_arguments_for(by_name, operations),
        run=run,
        timeout_seconds=max(one.settings.timeout_seconds for one in offered.values()) + _SPARE_SECONDS,
        permission=highest,
        permission_of=None if highest is Permission.READ else permission_of,
        operation_of=lambda arguments: by_name[arguments.operation].name,
        idempotent=all(one.is_repeatable for one in operations),
        idempotent_of=lambda arguments: by_name[arguments.operation].is_repeatable,
        target_of=lambda arguments: _target(by_name[arguments.operation], offered),
        category=Category.ACTIONS,
        examples=tuple(example for one in operations for example in one.examples)[:_MOST_EXAMPLES],
        live=any(one.live for one in operations),
        by_rules=lambda question: found_call(question, operations),
        subjects=tuple(one.summary for one in operations if one.summary),
    )


def _target(operation: Operation, offered: Mapping[str, OfferedApi]) -> str:
    return f"{operation.method} {offered[operation.api].declared.base_url}{operation.path}"


def _may(caller: Caller, settings: ApiSettings) -> bool:
    return caller.is_owner or not settings.readers or bool(settings.readers & caller.readers)


def _by_name(operations: Sequence[Operation]) -> dict[str, Operation]:
    """Operations by full name, and by id where only one interface has it."""
    ids = [one.id for one in operations]
    short = {one.id: one for one in operations if ids.count(one.id) == 1}
    return short | {one.name: one for one in operations}


def _arguments_for(by_name: Mapping[str, Operation], operations: Sequence[Operation]) -> type[BaseModel]:
    """The arguments' model that knows the operations and checks their parameters."""

    class Checked(CallApiArguments):
        @model_validator(mode="after")
        def _fits(self) -> Self:
            operation = by_name.get(self.operation)
            if operation is None:
                known = _names(operations)
                raise PydanticCustomError(
                    "operation", "there is no such operation; there are: {known}", {"known": known}
                )
            self.parameters = converted(self.parameters, operation)
            found = problems(operation, self.parameters)
            if found:
                raise PydanticCustomError("parameters", "{problem}", {"problem": "; ".join(found)})
            return self

    names: list[JsonValue] = [one.name for one in operations]
    extra: dict[str, JsonValue] = {"enum": names} if len(names) <= _MOST_LISTED else {}
    described = Field(max_length=200, description="one of the operations listed", json_schema_extra=extra)
    return create_model("CallApiArguments", __base__=Checked, operation=(str, described))


def _names(operations: Sequence[Operation]) -> str:
    listed = ", ".join(one.name for one in operations[:_MOST_LISTED])
    return f"{listed} and more" if len(operations) > _MOST_LISTED else listed


def _description(operations: Sequence[Operation]) -> str:
    text = "Call one of these declared operations of other systems:"
    for number, one in enumerate(operations):
        line = f"\n{_entry(one)}"
        if len(text) + len(line) > _LONGEST_DESCRIPTION:
            return f"{text}\nand {len(operations) - number} more"
        text += line
    return text


def _entry(one: Operation) -> str:
    """An operation in a line; its words come from a file of others, and may look like nothing else."""
    parameters = ", ".join(f"{p.name}{'' if p.required else '?'}: {_kind(p.schema)}" for p in one.parameters)
    said = " ".join(f"{one.summary} {one.description}".split())
    change = "" if one.permission is Permission.READ else f" [{one.permission.value}]"
    return f"- {one.name}({parameters}){change}: {said}"[:_LONGEST_ENTRY]


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "|".join(str(value) for value in schema["enum"][:8])
    kind = schema.get("format") or schema.get("type") or "any"
    return kind if isinstance(kind, str) else "|".join(map(str, kind))
