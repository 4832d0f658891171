"""An edit of a call that waits: the arguments that change, put into those that stand there, and checked like any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ...configs.approval_settings import ApprovalPolicy
from ..contracts import ToolFailure
from .calls import PlannedCall
from .policies import decide

_OF_AN_OPERATION = {"call_api": "parameters"}
"""Tools whose calls name an operation, and the argument that holds what the operation takes."""
_OPERATION = "operation"


class CallPlanner(Protocol):
    """Checks calls without making them; `ToolRegistry` does."""

    def call(self, name: str, arguments: Mapping[str, Any]) -> PlannedCall | ToolFailure:
        """What a call would be and may do, or what is wrong with it."""


def edited_call(
    tool: str,
    now: Mapping[str, Any],
    changes: Mapping[str, Any],
    tools: CallPlanner,
    policies: Sequence[ApprovalPolicy],
) -> PlannedCall | str:
    """The call that an edit makes of one that waits, or why it cannot or may not run.

    Args:
        tool: that is called.
        now: its arguments as they stand.
        changes: see `edited_arguments`.
        tools: that are offered.
        policies: a call that they refuse is not asked about.
    """
    call = tools.call(tool, edited_arguments(tool, now, changes))
    if isinstance(call, ToolFailure):
        return f"the last edit cannot run ({call.detail})"
    ruling = decide(policies, call)
    return f"the last edit is refused ({ruling.reason})" if ruling.decision == "refuse" else call


def edited_arguments(tool: str, now: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments with those that change: objects are merged, and null takes one out (RFC 7396, JSON Merge Patch).

    Of a tool that calls operations a parameter can be named by itself: {"reason": …} is {"parameters": {"reason": …}}.
    Another operation takes none of the parameters of the one before.
    """
    holder = _OF_AN_OPERATION.get(tool)
    if holder is None:
        return _merged(now, changes)
    own = {name: value for name, value in changes.items() if name in (_OPERATION, holder)}
    flat = {name: value for name, value in changes.items() if name not in own}
    if flat:
        held = own.get(holder)
        own[holder] = {**(held if isinstance(held, Mapping) else {}), **flat}
    is_same = own.get(_OPERATION, now.get(_OPERATION)) == now.get(_OPERATION)
    return _merged(now if is_same else {**now, holder: {}}, own)


def _merged(now: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(now)
    for name, value in changes.items():
        before = found.get(name)
        if value is None and before is not None:
            del found[name]
        elif isinstance(value, Mapping):
            found[name] = _merged(before if isinstance(before, Mapping) else {}, value)
        else:
            found[name] = value
    return found
