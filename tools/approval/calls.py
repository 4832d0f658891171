"""A call before it is made: what it is, what it may do, and the consent without which it does not run."""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import BaseModel

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
    idempotent: bool
    defaults: frozenset[str]
    """The arguments that were not given: the tool fills them in."""


class Consent(NamedTuple):
    """That a call was allowed by policy or by a person: for these arguments of this tool and for no others."""

    approval_id: str
    digest: str


def planned(tool: Tool, checked: BaseModel) -> PlannedCall:
    """The call that these checked arguments make; raises whatever the tool's own functions raise."""
    arguments = checked.model_dump(mode="json")
    return PlannedCall(
        tool=tool.name,
        operation="" if tool.operation_of is None else tool.operation_of(checked),
        permission=tool.permission if tool.permission_of is None else tool.permission_of(checked),
        arguments=arguments,
        digest=arguments_digest(tool.name, arguments),
        idempotent=tool.idempotent,
        defaults=frozenset(arguments) - checked.model_fields_set,
    )


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
