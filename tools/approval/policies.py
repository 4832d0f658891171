"""Which calls may run, which a person decides, which are refused: by the first policy that fits, else refused."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple

from ...configs.approval_settings import ApprovalPolicy
from ..contracts import Permission
from .calls import PlannedCall

Decision = Literal["allow", "ask", "refuse"]


class Ruling(NamedTuple):
    """What the policies say of a call."""

    decision: Decision
    reason: str
    """Shown to whoever is asked or refused."""
    policy: int | None = None
    """The place of the policy in its list, from 0; None: no policy fits."""


_NO_POLICY = "no policy allows it"
_DERIVED = "some of its arguments do not stand in the question"
_REASONS: dict[Decision, str] = {
    "allow": "a policy allows it",
    "ask": "a policy wants a person to decide",
    "refuse": "a policy refuses it",
}


def decide(policies: Sequence[ApprovalPolicy], call: PlannedCall, derived: Sequence[str] = ()) -> Ruling:
    """Rule on a call.

    Args:
        policies: in order; the first that fits decides.
        call: with checked arguments.
        derived: the arguments that the user did not give. A call that writes with such arguments is never allowed
            without asking: a document may have put them there.
    """
    for number, policy in enumerate(policies):
        if not _fits(policy, call):
            continue
        if policy.decision == "allow" and derived and call.permission is Permission.WRITE:
            return Ruling("ask", _DERIVED, number)
        return Ruling(policy.decision, policy.reason or _REASONS[policy.decision], number)
    return Ruling("refuse", _NO_POLICY)


def _fits(policy: ApprovalPolicy, call: PlannedCall) -> bool:
    return (
        fnmatchcase(call.tool, policy.tool)
        and fnmatchcase(call.operation, policy.operation)
        and policy.permission in ("*", call.permission.value)
    )
