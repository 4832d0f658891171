"""A call before it is made: what it is, what it may do, and the consent without which it does not run."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic.errors import PydanticUserError

from ..contracts import ErrorCode, Permission, Tool, ToolFailure
from .models import arguments_digest


class PlannedCall(NamedTuple):
    """A call whose arguments are checked."""

    tool: str
    operation: str
    permission: Permission
    arguments: dict[str, Any]
    """Exactly what would run, defaults included; secret values are masked."""
    digest: str
    """Of the arguments, the operation, its permission and target, and the tool's declaration: what consent is for."""
    idempotent: bool
    defaults: frozenset[str]
    """The arguments that were not given: the tool fills them in."""
    target: str = ""
    """Where it goes, if the tool says so."""


class Consent(NamedTuple):
    """That a call was allowed by policy or by a person: for these arguments of this tool and for no others."""

    approval_id: str
    digest: str


def planned(tool: Tool, checked: BaseModel) -> PlannedCall:
    """The call that these checked arguments make; raises whatever the tool's own functions raise."""
    arguments = checked.model_dump(mode="json")
    call = PlannedCall(
        tool=tool.name,
        operation="" if tool.operation_of is None else tool.operation_of(checked),
        permission=tool.permission if tool.permission_of is None else tool.permission_of(checked),
        arguments=arguments,
        digest="",
        idempotent=tool.idempotent if tool.idempotent_of is None else tool.idempotent_of(checked),
        defaults=frozenset(arguments) - checked.model_fields_set,
        target="" if tool.target_of is None else tool.target_of(checked),
    )
    return call._replace(digest=_digest(tool, call))


def _digest(tool: Tool, call: PlannedCall) -> str:
    """SHA-256 over the call and what its tool declares: a tool that has changed is asked about anew."""
    said = [
        arguments_digest(call.tool, call.arguments), call.operation, call.permission.value, call.idempotent,
        call.target, tool.schema_version, tool.description, _schema(tool.arguments),
    ]  # fmt: skip
    return sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()


def _schema(arguments: type[BaseModel]) -> Any:
    try:
        return arguments.model_json_schema()
    except PydanticUserError:  # a type that JSON Schema has no words for
        return sorted(f"{name}: {field}" for name, field in arguments.model_fields.items())


def unconsented(call: PlannedCall, consent: Consent | None) -> ToolFailure | None:
    """Why a call must not run: it does more than read, and nobody has agreed to just this; None: it may."""
    if call.permission is Permission.READ and consent is None:
        return None
    if consent is None:
        detail = f"{call.tool}: does more than read, and nobody has agreed to this call"
        return ToolFailure(ErrorCode.REFUSED, detail)
    if consent.digest != call.digest:
        return ToolFailure(ErrorCode.REFUSED, f"{call.tool}: other arguments were agreed to than those of this call")
    return None
