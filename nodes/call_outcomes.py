"""What came of a call that needed consent, as its task takes it and as the journal keeps it."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import LibraryError
from ..tools.approval.models import ApprovalRequest
from ..tools.approval.records import CallState, StoredCall
from ..tools.contracts import ErrorCode, Permission, ToolFailure, ToolOutput


class Made(NamedTuple):
    """What came of a call."""

    result: ToolOutput | ToolFailure | None
    waiting: ApprovalRequest | None = None
    """The call was not made: it waits for a person."""
    approval_id: str = ""
    """Of a call that needed consent: it is final, and is not made in other words."""


def settled(stored: StoredCall | None) -> Made:
    """What is known of a call that is not made now."""
    if stored is None:
        return Made(ToolFailure(ErrorCode.REFUSED, "a replay makes no call that needs consent"), approval_id="replay")
    request = stored.request
    if stored.outcome is not None:
        return Made(stored.outcome.result, approval_id=request.approval_id)
    said, chinese = _not_made(stored)
    failure = ToolFailure(ErrorCode.REFUSED, f"{request.tool}: {said}", chinese)
    return Made(failure, approval_id=request.approval_id)


def _not_made(stored: StoredCall) -> tuple[str, str]:
    """Why a call was not made, in English and in Chinese; a comment is said as it was written."""
    if stored.state is CallState.REJECTED:
        english, chinese = (f": {stored.comment}", f"：{stored.comment}") if stored.comment else ("", "")
        return f"rejected by {stored.decided_by}{english}", f"{stored.decided_by} 没有同意{chinese}"
    if stored.state is CallState.EXPIRED:
        return "nobody agreed in time", "期限内没有人同意"
    return "was never carried out", "从未执行"


def refused(tool: str, reason: str) -> Made:
    """What the policies do not allow."""
    return Made(ToolFailure(ErrorCode.REFUSED, f"{tool}: {reason}", f"策略不允许：{reason}"), approval_id="policy")


def unrecorded(tool: str, error: LibraryError) -> Made:
    """A call that was not made, as nobody would know of it later."""
    said = f"{tool}: not called, it cannot be recorded ({error})"
    return Made(ToolFailure(ErrorCode.FAILED, said, "没有执行，因为无法记录"))


def broken_off(stored: StoredCall) -> str:
    """Why nobody knows whether a call was carried out."""
    return (
        f"{stored.request.tool}: the program ended in the middle of the call, and whether it was carried out is not "
        "known; it is not repeated"
    )


def lasting(stored: StoredCall) -> ErrorCode:
    """What a second failure in passing amounts to."""
    return ErrorCode.FAILED if stored.request.permission is Permission.READ else ErrorCode.UNCERTAIN


def state_of(result: ToolOutput | ToolFailure) -> CallState:
    """How far a call has come that was made."""
    if isinstance(result, ToolOutput):
        return CallState.DONE
    return CallState.UNCERTAIN if result.code is ErrorCode.UNCERTAIN else CallState.FAILED
