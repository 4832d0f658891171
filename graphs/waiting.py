"""Runs that wait for people: what they wait for, what the user is told meanwhile, and how decisions reach them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, cast

from langgraph.types import Interrupt, StateSnapshot
from pydantic import ValidationError

from ..errors import UsageError
from ..knowledge.documents import Caller, DocumentStatus
from ..knowledge.kept_runs import end_runs_of
from ..knowledge.library import Library
from ..ledger import usage_of
from ..nodes.call_report import waiting_line
from ..nodes.deliver import route_of, usage_shown
from ..state import AgentState, Answer, AnswerStatus, Language, Usage
from ..tools.approval.journal import Journal
from ..tools.approval.judging import judged
from ..tools.approval.models import ApprovalDecision, ApprovalRequest
from ..tools.approval.records import CallState
from .checkpoints import THREADS_FILE, kept_threads

Decisions = Mapping[str, ApprovalDecision | Mapping[str, Any]]
"""What was decided, by approval id."""
# Handed to a call that is decided already: its run was broken off before it could go on.
_GO_ON = {"decision": "go on"}


class Waiting(NamedTuple):
    """A call that a run waits for."""

    interrupt_id: str
    request: ApprovalRequest
    """As it stands now, edits included."""
    is_decided: bool
    """Whether a decision is recorded already, and the run only has to go on."""


def waiting_calls(interrupts: Iterable[Interrupt], journal: Journal) -> tuple[Waiting, ...]:
    """The calls behind the interrupts of a run, in the order of their ids; interrupts of tools are not among them."""
    found = (_waiting(interrupt, journal) for interrupt in interrupts)
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.request.approval_id))


def _waiting(interrupt: Interrupt, journal: Journal) -> Waiting | None:
    try:
        shown = ApprovalRequest.model_validate(interrupt.value)
    except ValidationError:
        return None
    stored = journal.find(shown.approval_id)
    if stored is None:
        return Waiting(interrupt.id, shown, is_decided=False)
    is_same = stored.request.digest == shown.digest
    request = shown if is_same and stored.state is CallState.WAITING else stored.request
    return Waiting(interrupt.id, request, is_decided=stored.state is not CallState.WAITING)


def resume_values(waiting: Iterable[Waiting], decisions: Decisions, now: datetime | None = None) -> dict[str, Any]:
    """What each interrupt is resumed with; what nobody has decided goes on waiting.

    Raises:
        UsageError: a decision is about no call that waits here, or is none: malformed, or for other arguments.
    """
    calls = {one.request.approval_id: one for one in waiting}
    unknown = sorted(decisions.keys() - calls.keys())
    if unknown:
        raise UsageError(f"no call {unknown[0]!r} waits in this run: ask for what is pending")
    moment = now or datetime.now(UTC)
    values: dict[str, Any] = {}
    for approval_id, one in calls.items():
        if one.is_decided:
            values[one.interrupt_id] = _GO_ON
        elif approval_id in decisions or moment >= one.request.expires_at:
            said = decisions.get(approval_id)
            values[one.interrupt_id] = _checked(one.request, said, moment).model_dump(mode="json")
    return values


def without_settled(
    decisions: Decisions, waiting: Iterable[Waiting], trace_id: str, journal: Journal
) -> dict[str, ApprovalDecision | Mapping[str, Any]]:
    """The decisions without those about calls of the same run that wait no longer: they have come before."""
    names = {one.request.approval_id for one in waiting}
    found = {name: journal.find(name) for name in decisions if name not in names}
    earlier = {name for name, call in found.items() if call is not None and call.request.trace_id == trace_id}
    return {name: said for name, said in decisions.items() if name not in earlier}


def _checked(request: ApprovalRequest, said: Any, now: datetime) -> ApprovalDecision:
    found = judged(request, said, now)
    if isinstance(found, str):
        raise UsageError(f"call {request.approval_id}: {found}; nothing was done, look at the request as it stands now")
    return found


def edit_of(said: ApprovalDecision | Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The arguments that an edit changes; None: it is none, or not one that could be read."""
    try:
        decision = ApprovalDecision.model_validate(said)
    except ValidationError:
        return None
    return decision.arguments if decision.decision == "edit" else None


def paused_answer(snapshot: StateSnapshot, waiting: Iterable[Waiting], thread_id: str, library_version: int) -> Answer:
    """What the user is told while the run waits."""
    state = cast(AgentState, _innermost(snapshot).values)
    requests = tuple(one.request for one in waiting if not one.is_decided)
    language = cast(Language, state["analysis"].language)
    spent = usage_of(state.get("steps", ()))
    return Answer(
        question=state["question"],
        language=language,
        text="\n".join(waiting_line(request, language) for request in requests),
        status=AnswerStatus.NEEDS_APPROVAL,
        approvals=requests,
        thread_id=thread_id,
        route=route_of(state),
        stop_rule="consent_needed",
        library_version=state.get("library_version") or library_version,
        usage=usage_shown(spent) if spent is not None else Usage(),
        trace_id=state["trace_id"],
    )


def drop_expired(library: Library) -> None:
    """Turn down the calls that have waited too long, and forget the runs in which nobody decides any more."""
    now = datetime.now(UTC)
    journal = Journal(library.folder)
    journal.expire(now)
    end_orphaned(library)
    if not (library.folder / THREADS_FILE).is_file():
        return
    oldest = now - timedelta(minutes=library.settings.tools.approval.expire_minutes)
    with kept_threads(library) as saver:
        latest: dict[str, datetime] = {}
        for kept in saver.list(None):
            thread_id = kept.config["configurable"]["thread_id"]
            at = datetime.fromisoformat(kept.checkpoint["ts"])
            latest[thread_id] = max(at, latest.get(thread_id, at))
        for thread_id, at in latest.items():
            if at < oldest:
                saver.delete_thread(thread_id)


def end_orphaned(library: Library) -> None:
    """End the runs that were under way while a document was removed that they had read."""
    if (library.folder / THREADS_FILE).is_file():
        every = library.documents(Caller.owner(), with_tombstones=True)
        removed = {one.document.doc_id for one in every if one.document.status is DocumentStatus.TOMBSTONE}
        end_runs_of(library.folder, removed)


def _innermost(snapshot: StateSnapshot) -> StateSnapshot:
    """The state of the graph in which the run waits; those around it know its steps only when it ends."""
    inner = [task.state for task in snapshot.tasks if isinstance(task.state, StateSnapshot)]
    return _innermost(inner[0]) if inner and inner[0].values.get("steps") else snapshot
