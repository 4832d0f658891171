"""Makes a task's call: at once where it only reads, else after policies and people have agreed, and then once."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple

from langgraph.config import get_config
from langgraph.types import interrupt

from ..decisions import SubTask
from ..errors import LibraryBusyError, LibraryError
from ..logs import get_logger
from ..tools.approval.calls import Consent, PlannedCall
from ..tools.approval.derived import derived_arguments, leaves
from ..tools.approval.journal import Journal
from ..tools.approval.judging import judged
from ..tools.approval.models import ApprovalDecision, ApprovalRequest
from ..tools.approval.policies import Ruling, decide
from ..tools.approval.records import CallState, Origin, Outcome, StoredCall
from ..tools.contracts import CALL_KEY, ErrorCode, Permission, ToolFailure, ToolOutput
from .recording import Step

_log = get_logger("approval")
_ID_CHARACTERS = 20
_LONGEST_QUESTION = 2_000
# How LangGraph hands its checkpointer to the graphs inside; without one an interrupt would lose the run.
_CHECKPOINTER = "__pregel_checkpointer"
# On top of the tool's own time limit, for another process that carries out the same call.
_PATIENCE_SECONDS = 5.0
_ANYBODY = "somebody"


class Purpose(NamedTuple):
    """What a call is made for."""

    trace_id: str
    said: str
    """The question as the user put it."""
    grounds: tuple[str, ...] = ()
    """What the arguments rest on, each with its document."""
    tries: int = 1


class Made(NamedTuple):
    """What came of a call."""

    result: ToolOutput | ToolFailure | None
    waiting: ApprovalRequest | None = None
    """The call was not made: it waits for a person."""
    approval_id: str = ""
    """Of a call that needed consent: it is final, and is not made in other words."""


def make_call(task: SubTask, step: Step, purpose: Purpose) -> Made:
    """Make a task's call, or say why not. A person is waited for by an interrupt: the node then runs again."""
    tools = step.given.tools
    call = tools.call(task.tool, task.arguments)
    if isinstance(call, ToolFailure):
        return Made(call)
    derived = derived_arguments(purpose.said, call)
    ruling = decide(step.given.settings.tools.approval.policies, call, derived)
    if ruling.decision == "allow" and call.permission is Permission.READ:
        return Made(tools.run(task.tool, task.arguments, step.budget.seconds_left()))
    try:
        return _Consenting(task, step, purpose).made(call, ruling, derived)
    except LibraryError as error:
        return Made(ToolFailure(ErrorCode.FAILED, f"{task.tool}: not called, it cannot be recorded ({error})"))


class _Consenting:
    """One call that needs consent, on its way through the journal."""

    def __init__(self, task: SubTask, step: Step, purpose: Purpose) -> None:
        self._task, self._step, self._purpose = task, step, purpose
        self._journal = Journal(step.given.library.folder)

    def made(self, call: PlannedCall, ruling: Ruling, derived: tuple[str, ...]) -> Made:
        """Rule on the call, have it decided, carry it out."""
        replay = self._step.given.replay
        if replay is not None:
            recorded = next((record.trace_id for record in replay.records.values()), "")
            return _settled(self._journal.same_call(recorded, call.tool, call.digest))
        stored = self._journal.same_call(self._purpose.trace_id, call.tool, call.digest)
        if stored is None or stored.state in (CallState.WAITING, CallState.APPROVED):
            request = self._request(call, ruling, derived)
            if ruling.decision == "refuse":
                self._journal.note(request, "refuse", ruling.reason)
                return Made(ToolFailure(ErrorCode.REFUSED, f"{call.tool}: {ruling.reason}"), approval_id="policy")
            if ruling.decision == "ask" and not _can_pause():
                self._journal.note(request, "draft", "the run cannot be resumed: nothing is kept")
                return Made(None, waiting=request)
            stored = stored or self._journal.put(request, self._origin(), ruling.decision, ruling.reason)
            stored = self._decided(stored)
        return self._carried_out(stored)

    def _request(self, call: PlannedCall, ruling: Ruling, derived: tuple[str, ...]) -> ApprovalRequest:
        purpose, task = self._purpose, self._task
        # The task and its attempt tell two equal calls of one round apart.
        names = f"{purpose.trace_id}|{task.id}|{task.attempt}|{call.digest}"
        minutes = self._step.given.settings.tools.approval.expire_minutes
        return ApprovalRequest(
            approval_id=sha256(names.encode()).hexdigest()[:_ID_CHARACTERS],
            trace_id=purpose.trace_id,
            tool=call.tool,
            operation=call.operation,
            permission=call.permission,
            arguments=call.arguments,
            digest=call.digest,
            question=purpose.said[:_LONGEST_QUESTION],
            reason=ruling.reason,
            evidence=purpose.grounds,
            derived=derived,
            idempotent=call.idempotent,
            expires_at=datetime.now(UTC) + timedelta(minutes=minutes),
        )

    def _origin(self) -> Origin:
        given = self._step.given
        thread_id = str(_configurable().get("thread_id", "")) if _can_pause() else ""
        return Origin(thread_id=thread_id, caller=given.caller, filters=given.filters)

    def _decided(self, stored: StoredCall) -> StoredCall:
        """The call when it waits no longer.

        The node runs again from its start after each interrupt, and hears everything that was said before once more.
        """
        problem = ""
        for number in count():
            if stored.state is not CallState.WAITING:
                break
            request = stored.request
            shown = request if not problem else request.model_copy(update={"reason": f"{problem}; {request.reason}"})
            said = interrupt(shown.model_dump(mode="json"))
            key = _key(request.approval_id, number, said)
            if self._journal.has_heard(key):
                stored, problem = self._journal.get(request.approval_id), ""
            else:
                stored, problem = self._answered(request, said, key)
        return stored

    def _answered(self, request: ApprovalRequest, said: Any, key: str) -> tuple[StoredCall, str]:
        """The call after what was said to it, and what was wrong with that."""
        decision = judged(request, said, datetime.now(UTC))
        problem = ""
        if isinstance(decision, str):
            problem = decision
        elif decision.decision == "edit":
            edited = self._edited(request, decision.arguments or {})
            if isinstance(edited, ApprovalRequest):
                return self._journal.edit(request, edited, _signed(decision), key), ""
            problem = edited
        else:
            return self._journal.decide(request, _signed(decision)), ""
        self._journal.note(request, "invalid", problem, _ANYBODY, key)
        return self._journal.get(request.approval_id), problem

    def _edited(self, request: ApprovalRequest, arguments: dict[str, Any]) -> ApprovalRequest | str:
        """The request with other arguments, which are checked like any; or what is wrong with them."""
        call = self._step.given.tools.call(request.tool, arguments)
        if isinstance(call, ToolFailure):
            return f"the last edit cannot run ({call.detail})"
        ruling = decide(self._step.given.settings.tools.approval.policies, call)
        if ruling.decision == "refuse":
            return f"the last edit is refused ({ruling.reason})"
        before = dict(leaves(request.arguments))
        unchanged = {path for path, value in leaves(call.arguments) if path in before and before[path] == value}
        return request.model_copy(
            update={
                "operation": call.operation,
                "permission": call.permission,
                "arguments": call.arguments,
                "digest": call.digest,
                # What a person has put in is no longer derived.
                "derived": tuple(path for path in request.derived if path in unchanged),
            }
        )

    def _carried_out(self, stored: StoredCall) -> Made:
        """The call's outcome; it is begun by whoever finds it approved, and by nobody else."""
        if stored.state not in (CallState.APPROVED, CallState.STARTED):
            return _settled(stored)
        approval_id = stored.request.approval_id
        tool = self._step.given.tools.get(stored.request.tool)
        patience = (tool.timeout_seconds if tool is not None else 0.0) + _PATIENCE_SECONDS
        try:
            with self._journal.held(approval_id, patience):
                begun = self._journal.begin(approval_id)
                if begun.before not in (CallState.APPROVED, CallState.STARTED):
                    return _settled(begun.call)
                if begun.before is CallState.STARTED and not begun.call.request.idempotent:
                    return self._ended(begun.call, ToolFailure(ErrorCode.UNCERTAIN, _broken_off(begun.call)))
                return self._ended(begun.call, self._run(begun.call))
        except LibraryBusyError as error:
            return Made(ToolFailure(ErrorCode.UNCERTAIN, f"{stored.request.tool}: {error}"), approval_id=approval_id)

    def _run(self, stored: StoredCall) -> ToolOutput | ToolFailure:
        request = stored.request
        # Secret values are masked in the request; what was planned has them, what a person wrote stands there.
        arguments = self._task.arguments if request.digest == stored.proposed else request.arguments
        # A person's consent is worth the tool's whole time: a call that is cut off is a call of unknown outcome.
        seconds = self._step.budget.seconds_left() if stored.decided_by == "policy" else None
        token = CALL_KEY.set(request.approval_id)
        try:
            consent = Consent(request.approval_id, request.digest)
            return self._step.given.tools.run(request.tool, arguments, seconds, consent=consent)
        finally:
            CALL_KEY.reset(token)

    def _ended(self, stored: StoredCall, result: ToolOutput | ToolFailure) -> Made:
        """Record what came of the call. If that fails the call stays begun, and is treated so by whoever comes next."""
        approval_id = stored.request.approval_id
        try:
            if isinstance(result, ToolFailure) and result.code is ErrorCode.TRANSIENT:
                if self._purpose.tries == 1:
                    self._journal.release(approval_id)
                    return Made(result)
                result = result._replace(code=_lasting(stored))
            self._journal.end(approval_id, _state_of(result), Outcome.of(result))
        except LibraryError as error:
            _log.warning("call_not_recorded", approval_id=approval_id, reason=str(error))
        return Made(result, approval_id=approval_id)


def _configurable() -> dict[str, Any]:
    try:
        found: dict[str, Any] = get_config().get("configurable", {})
    except RuntimeError:  # outside of any graph
        return {}
    return found


def _can_pause() -> bool:
    """Whether the run goes on after an interrupt: some graph around this one has a checkpointer."""
    return _configurable().get(_CHECKPOINTER) is not None


def _key(approval_id: str, number: int, said: Any) -> str:
    text = json.dumps(said, sort_keys=True, default=str)
    return f"{approval_id}/said/{number}/{sha256(text.encode()).hexdigest()}"


def _signed(decision: ApprovalDecision) -> ApprovalDecision:
    return decision if decision.decided_by else decision.model_copy(update={"decided_by": _ANYBODY})


def _settled(stored: StoredCall | None) -> Made:
    """What is known of a call that is not made now."""
    if stored is None:
        return Made(ToolFailure(ErrorCode.REFUSED, "a replay makes no call that needs consent"), approval_id="replay")
    request = stored.request
    if stored.outcome is not None:
        return Made(stored.outcome.result, approval_id=request.approval_id)
    said = {
        CallState.REJECTED: f"rejected by {stored.decided_by}" + (f": {stored.comment}" if stored.comment else ""),
        CallState.EXPIRED: "nobody agreed in time",
    }.get(stored.state, "was never carried out")
    return Made(ToolFailure(ErrorCode.REFUSED, f"{request.tool}: {said}"), approval_id=request.approval_id)


def _broken_off(stored: StoredCall) -> str:
    return (
        f"{stored.request.tool}: the program ended in the middle of the call, and whether it was carried out is not "
        "known; it is not repeated"
    )


def _lasting(stored: StoredCall) -> ErrorCode:
    """What a second failure in passing amounts to."""
    return ErrorCode.FAILED if stored.request.permission is Permission.READ else ErrorCode.UNCERTAIN


def _state_of(result: ToolOutput | ToolFailure) -> CallState:
    if isinstance(result, ToolOutput):
        return CallState.DONE
    return CallState.UNCERTAIN if result.code is ErrorCode.UNCERTAIN else CallState.FAILED
