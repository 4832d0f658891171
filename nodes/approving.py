"""Makes a task's call: at once where it only reads, else after policies and people have agreed, and then once."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple

from langgraph.types import interrupt

from ..decisions import SubTask
from ..errors import LibraryBusyError, LibraryError
from ..logs import get_logger
from ..tools.approval.calls import Consent, PlannedCall
from ..tools.approval.derived import derived_arguments, leaves
from ..tools.approval.editing import edited_call
from ..tools.approval.journal import Journal
from ..tools.approval.judging import judged
from ..tools.approval.models import ApprovalDecision, ApprovalRequest, arguments_digest
from ..tools.approval.policies import Ruling, decide
from ..tools.approval.records import CallState, Origin, Outcome, StoredCall
from ..tools.contracts import CALL_KEY, ErrorCode, Permission, ToolFailure, ToolOutput
from .call_outcomes import Made, broken_off, lasting, refused, settled, state_of, unrecorded
from .pausing import can_pause, configurable
from .recording import Step

_log = get_logger("approval")
_ID_CHARACTERS = 20
_LONGEST_QUESTION = 2_000
# On top of the tool's own time limit, for another process that carries out the same call.
_PATIENCE_SECONDS = 5.0
_ANYBODY = "somebody"
_OPEN = (CallState.WAITING, CallState.APPROVED)
"""Not begun: what has changed meanwhile counts."""


class Purpose(NamedTuple):
    """What a call is made for."""

    trace_id: str
    said: str
    """The question as the user put it."""
    grounds: tuple[str, ...] = ()
    """What the arguments rest on, each with its document."""
    tries: int = 1


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
        return unrecorded(task.tool, error)


class _Consenting:
    """One call that needs consent, on its way through the journal."""

    def __init__(self, task: SubTask, step: Step, purpose: Purpose) -> None:
        self._task, self._step, self._purpose = task, step, purpose
        self._journal = Journal(step.given.library.folder)
        self._settings = step.given.settings.tools.approval

    def made(self, call: PlannedCall, ruling: Ruling, derived: tuple[str, ...]) -> Made:
        """Rule on the call, have it decided, carry it out."""
        replay = self._step.given.replay
        if replay is not None:
            recorded = next((record.trace_id for record in replay.records.values()), "")
            return settled(self._journal.same_call(recorded, call.tool, _proposal(call)))
        stored = self._journal.same_call(self._purpose.trace_id, call.tool, _proposal(call))
        if stored is not None and stored.state in _OPEN:
            stored = self._brought_up_to_date(stored)
            if stored.state not in _OPEN:
                return settled(stored)
        if stored is None or stored.state in _OPEN:
            request = self._request(call, ruling, derived)
            if ruling.decision == "refuse":
                self._journal.note(request, "refuse", ruling.reason)
                return refused(call.tool, ruling.reason)
            if ruling.decision == "ask" and not can_pause():
                self._journal.note(request, "draft", "the run cannot be resumed: nothing is kept")
                return Made(None, waiting=request)
            stored = stored or self._journal.put(request, self._origin(), ruling.decision, ruling.reason)
            stored = self._decided(stored)
        return self._carried_out(stored)

    def _brought_up_to_date(self, stored: StoredCall) -> StoredCall:
        """A call that was not begun, by the tools and policies of now: it may be asked about again, or be refused."""
        request = stored.request
        call, found = self._now(stored)
        if isinstance(call, ToolFailure):
            self._journal.withdraw(request, call.detail)
            return self._journal.get(request.approval_id)
        moment, window = datetime.now(UTC), timedelta(minutes=self._settings.expire_minutes)
        reason = ""
        if call.digest != request.digest:
            reason = "the tool is declared otherwise than when it was asked about"
        elif stored.state is CallState.APPROVED and stored.decided_by == "policy" and found.decision == "ask":
            reason = found.reason
        elif stored.state is CallState.APPROVED and moment >= request.expires_at + window:
            reason = "the consent is too old"
        if not reason:
            return stored
        asked = _described(request, call, reason)
        return self._journal.renew(request, asked.model_copy(update=_times(moment, window)), reason)

    def _now(self, stored: StoredCall) -> tuple[PlannedCall | ToolFailure, Ruling]:
        """A stored call as it would be now, or why it cannot or may not run; and what the policies say."""
        call = self._step.given.tools.call(stored.request.tool, self._arguments(stored))
        if isinstance(call, ToolFailure):
            return call, Ruling("refuse", call.detail)
        ruling = decide(self._settings.policies, call, stored.request.derived)
        if ruling.decision == "refuse":
            return ToolFailure(ErrorCode.REFUSED, ruling.reason), ruling
        return call, ruling

    def _arguments(self, stored: StoredCall) -> dict[str, Any]:
        """What would run. Secret values are masked in a request; what was planned has them."""
        request = stored.request
        is_planned = arguments_digest(request.tool, request.arguments) == stored.proposed
        return self._task.arguments if is_planned else request.arguments

    def _request(self, call: PlannedCall, ruling: Ruling, derived: tuple[str, ...]) -> ApprovalRequest:
        purpose, task = self._purpose, self._task
        # The task and its attempt tell two equal calls of one round apart.
        names = f"{purpose.trace_id}|{task.id}|{task.attempt}|{call.digest}"
        window = timedelta(minutes=self._settings.expire_minutes)
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
            rests_on=self._documents(),
            derived=derived,
            idempotent=call.idempotent,
            target=call.target,
            **_times(datetime.now(UTC), window),
        )

    def _documents(self) -> tuple[str, ...]:
        """The documents that the evidence quotes, so that what the journal holds of them goes with them."""
        lines = self._purpose.grounds
        documents = self._step.given.documents() if lines else ()
        return tuple(one.doc_id for one in documents if any(line.startswith(f"{one.name}: ") for line in lines))

    def _origin(self) -> Origin:
        given = self._step.given
        thread_id = str(configurable().get("thread_id", "")) if can_pause() else ""
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
        problem, signed_by = "", _ANYBODY
        if isinstance(decision, str):
            problem = decision
        elif decision.decision == "edit":
            edited = self._edited(request, decision.arguments or {})
            signed_by = _signed(decision).decided_by
            if isinstance(edited, ApprovalRequest):
                return self._journal.edit(request, edited, _signed(decision), key), ""
            problem = edited
        else:
            return self._journal.decide(request, _signed(decision)), ""
        self._journal.note(request, "invalid", problem, signed_by, key)
        return self._journal.get(request.approval_id), problem

    def _edited(self, request: ApprovalRequest, arguments: dict[str, Any]) -> ApprovalRequest | str:
        """The request with the arguments that change, checked like any; or what is wrong with them."""
        now = self._arguments(self._journal.get(request.approval_id))
        call = edited_call(request.tool, now, arguments, self._step.given.tools, self._settings.policies)
        if isinstance(call, str):
            return call
        before = dict(leaves(request.arguments))
        unchanged = {path for path, value in leaves(call.arguments) if path in before and before[path] == value}
        return _described(request, call, request.reason).model_copy(
            update={
                "arguments": call.arguments,
                # What a person has put in is no longer derived.
                "derived": tuple(path for path in request.derived if path in unchanged),
            }
        )

    def _carried_out(self, stored: StoredCall) -> Made:
        """The call's outcome; it is begun by whoever finds it approved, and by nobody else."""
        if stored.state not in (CallState.APPROVED, CallState.STARTED):
            return settled(stored)
        approval_id = stored.request.approval_id
        tool = self._step.given.tools.get(stored.request.tool)
        patience = (tool.timeout_seconds if tool is not None else 0.0) + _PATIENCE_SECONDS
        try:
            with self._journal.held(approval_id, patience):
                begun = self._journal.begin(approval_id)
                if begun.before not in (CallState.APPROVED, CallState.STARTED):
                    return settled(begun.call)
                if begun.before is CallState.STARTED and not self._may_repeat(begun.call):
                    return self._ended(begun.call, ToolFailure(ErrorCode.UNCERTAIN, broken_off(begun.call)))
                return self._ended(begun.call, self._run(begun.call))
        except LibraryBusyError as error:
            return Made(ToolFailure(ErrorCode.UNCERTAIN, f"{stored.request.tool}: {error}"), approval_id=approval_id)

    def _may_repeat(self, stored: StoredCall) -> bool:
        """Whether a call that was broken off may be made again: under its key, as it is now, by the policies of now."""
        call, _ = self._now(stored)
        is_same = isinstance(call, PlannedCall) and call.digest == stored.request.digest
        return stored.request.idempotent and is_same

    def _run(self, stored: StoredCall) -> ToolOutput | ToolFailure:
        request = stored.request
        # A person's consent is worth the tool's whole time: a call that is cut off is a call of unknown outcome.
        seconds = self._step.budget.seconds_left() if stored.decided_by == "policy" else None
        token = CALL_KEY.set(request.approval_id)
        try:
            consent = Consent(request.approval_id, request.digest)
            return self._step.given.tools.run(request.tool, self._arguments(stored), seconds, consent=consent)
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
                result = result._replace(code=lasting(stored))
            self._journal.end(approval_id, state_of(result), Outcome.of(result))
        except LibraryError as error:
            _log.warning("call_not_recorded", approval_id=approval_id, reason=str(error))
        return Made(result, approval_id=approval_id)


def _proposal(call: PlannedCall) -> str:
    return arguments_digest(call.tool, call.arguments)


def _described(request: ApprovalRequest, call: PlannedCall, reason: str) -> ApprovalRequest:
    """The request about a call as it is now."""
    now = {"operation": call.operation, "permission": call.permission, "target": call.target, "digest": call.digest}
    return request.model_copy(update={**now, "idempotent": call.idempotent, "reason": reason})


def _times(moment: datetime, window: timedelta) -> dict[str, datetime]:
    return {"asked_at": moment, "expires_at": moment + window}


def _key(approval_id: str, number: int, said: Any) -> str:
    text = json.dumps(said, sort_keys=True, default=str)
    return f"{approval_id}/said/{number}/{sha256(text.encode()).hexdigest()}"


def _signed(decision: ApprovalDecision) -> ApprovalDecision:
    return decision if decision.decided_by else decision.model_copy(update={"decided_by": _ANYBODY})
