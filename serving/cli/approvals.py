"""`veriloop approvals`: calls that wait for a person, the decisions about them, and the log of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ...errors import UsageError
from .ask import print_answer
from .consent import (
    DIGEST_CHARACTERS,
    NEEDS_APPROVAL,
    Follower,
    changed,
    decision,
    is_interactive,
    settled,
    show_request,
    tell_how_to_go_on,
)
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    ProfileOption,
    open_library,
    refuse_others,
)
from .output import one_line, print_json, say, tell

if TYPE_CHECKING:
    from pathlib import Path

    from ...knowledge.library import Library
    from ...tools.approval.models import ApprovalDecision
    from ...tools.approval.records import LogEntry, StoredCall

_CALL_FAILED = 4
OUTCOME_UNKNOWN = 6
"""The exit code where a call was begun and nobody knows whether it was carried out."""
NOTHING_TO_DECIDE = 7
"""The exit code where the call does not wait any more: what was decided before holds."""

_OVER = ("rejected", "expired", "done", "failed", "uncertain")

app = typer.Typer(no_args_is_help=True, help="Decide about calls that need consent, and see what was decided.")
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="A call's id or its first characters (at least 6).")]
DigestOption = Annotated[
    str | None,
    typer.Option("--digest", help=f"Of the arguments that you agree to (at least {DIGEST_CHARACTERS} characters)."),
]
CommentOption = Annotated[str, typer.Option("--comment", help="Kept in the log.")]
LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, max=100_000, help="How many at most.")]


@app.command("list")
def list_calls(
    everything: Annotated[bool, typer.Option("--all", help="Also those that wait no longer.")] = False,
    limit: LimitOption = 50,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """List the calls that wait for a person, newest first."""
    from ...graphs.waiting import drop_expired  # noqa: PLC0415 - `--help` should not wait for it

    refuse_others(caller, "approvals")
    opened = open_library(library, profile)
    drop_expired(opened)
    found = _journal(opened).calls(waiting=not everything, limit=limit)
    if json:
        print_json([call_document(call) for call in found])
        return
    for call in found:
        say(f"{call.state.value}  {call.created_at:%Y-%m-%d %H:%M} UTC", style="bold")
        show_request(call.request)
    if not found:
        tell("no call waits for a person" if not everything else "no call has needed consent")


@app.command("show")
def show_call(
    approval_id: IdArgument,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Show a call with its arguments, what it rests on, and what came of it."""
    refuse_others(caller, "approvals")
    call = _find(open_library(library, profile), approval_id)
    if json:
        print_json(call_document(call))
        return
    say(f"{call.state.value}  {call.created_at:%Y-%m-%d %H:%M} UTC", style="bold")
    show_request(call.request)
    if call.decided_by:
        say(f"    decided by {one_line(call.decided_by)}{': ' + one_line(call.comment) if call.comment else ''}")
    if call.outcome is not None:
        hits = call.outcome.output.hits if call.outcome.output is not None else ()
        say(f"    {call.outcome.detail or ' '.join(hit.block.text for hit in hits)}")


@app.command("approve")
def approve(
    approval_id: IdArgument,
    digest: DigestOption = None,
    comment: CommentOption = "",
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Agree to a call; its run goes on, and its answer is printed. Without --digest you are shown the call first."""
    refuse_others(caller, "approvals")
    opened = open_library(library, profile)
    call = _find(opened, approval_id)
    _confirm(call, digest, as_json=json)
    _decide(opened, call, decision(call.request, "approve", comment=comment), _Shown(library, profile, json))


@app.command("reject")
def reject(
    approval_id: IdArgument,
    comment: CommentOption = "",
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Refuse a call; its run goes on without it, and its answer is printed."""
    refuse_others(caller, "approvals")
    opened = open_library(library, profile)
    call = _find(opened, approval_id)
    _decide(opened, call, decision(call.request, "reject", comment=comment), _Shown(library, profile, json))


@app.command("edit")
def edit(
    approval_id: IdArgument,
    arguments: Annotated[str, typer.Argument(metavar="JSON", help="The arguments that change, as a JSON object.")],
    comment: CommentOption = "",
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Change a call's arguments. They are checked, and the call goes on waiting: approve what it is then."""
    refuse_others(caller, "approvals")
    opened = open_library(library, profile)
    call = _find(opened, approval_id)
    made = decision(call.request, "edit", comment=comment, arguments=changed(arguments))
    _decide(opened, call, made, _Shown(library, profile, json))


@app.command("log")
def log(
    limit: LimitOption = 200,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Print the audit log: every decision about a call that does more than read, oldest first."""
    refuse_others(caller, "approvals")
    entries = _journal(open_library(library, profile)).log(limit)
    if json:
        print_json([entry.model_dump(mode="json") for entry in entries])
        return
    for entry in entries:
        say(_log_line(entry))


def call_document(call: StoredCall) -> dict[str, Any]:
    """The documented JSON shape of a call."""
    outcome = call.outcome
    return {
        **call.request.model_dump(mode="json"),
        "state": call.state.value,
        "thread_id": call.origin.thread_id,
        "decided_by": call.decided_by,
        "comment": call.comment,
        "created_at": call.created_at.isoformat(),
        "updated_at": call.updated_at.isoformat(),
        "error": None if outcome is None or outcome.code is None else outcome.code.value,
        "detail": "" if outcome is None else outcome.detail,
    }


def _log_line(entry: LogEntry) -> str:
    what = " ".join(filter(None, (entry.tool, entry.operation, f"({entry.permission})")))
    detail = f": {one_line(entry.detail)}" if entry.detail else ""
    digest = entry.digest[:DIGEST_CHARACTERS]
    by = one_line(entry.decided_by) or "nobody"
    return f"{entry.at:%Y-%m-%d %H:%M:%S}  {entry.event:<9}  {entry.approval_id}  {by}  {what}  {digest}{detail}"


def _journal(library: Library) -> Any:
    from ...tools.approval.journal import Journal  # noqa: PLC0415

    return Journal(library.folder)


def _find(library: Library, approval_id: str) -> StoredCall:
    found: StoredCall | None = _journal(library).find(approval_id)
    if found is None:
        raise UsageError(f"no call {approval_id!r} here: `veriloop approvals list --all` lists them")
    return found


def _confirm(call: StoredCall, digest: str | None, *, as_json: bool) -> None:
    """Make sure that the person knows what they agree to.

    Raises:
        UsageError: the digest is another one, or nobody can be asked.
    """
    if digest is not None:
        if len(digest) < DIGEST_CHARACTERS or not call.request.digest.startswith(digest):
            raise UsageError(f"call {call.request.approval_id} has other arguments now: look with `approvals show`")
        return
    if not is_interactive(as_json=as_json):
        raise UsageError("name the arguments that you agree to with --digest: `approvals show` tells it")
    show_request(call.request, tell)
    if not typer.confirm("agree to just this call?", default=False, err=True):
        raise UsageError("nothing was decided")


class _Shown(NamedTuple):
    """How a decision is shown, and the options that a next command needs."""

    folder: Path
    profile: str | None
    as_json: bool


def _decide(library: Library, call: StoredCall, made: ApprovalDecision, shown: _Shown) -> None:
    """Hand a decision to the run that waits for it, and print what the run says then.

    A run that is kept elsewhere, or whose tools only its own program has, finds the decision when it is resumed there.
    """
    from ...graphs.assembly import build_agent  # noqa: PLC0415
    from ...graphs.checkpoints import kept_threads  # noqa: PLC0415

    origin, request = call.origin, call.request
    follower = Follower(quiet=shown.as_json)
    with kept_threads(library) as saver:
        agent = build_agent(library, caller=origin.caller, filters=origin.filters, checkpointer=saver)
        if not agent.can_go_on(origin.thread_id, request.tool):
            _enter(library, call, made, as_json=shown.as_json)
            return
        follower.follow(agent.resume_steps(origin.thread_id, {request.approval_id: made}))
        answer = settled(agent, origin.thread_id, follower.follow, ask=False)
        if not answer.approvals:
            saver.delete_thread(origin.thread_id)
    if shown.as_json:
        print_json(answer.model_dump(mode="json"))
    else:
        print_answer(answer)
    if call.state.value in _OVER:
        raise typer.Exit(NOTHING_TO_DECIDE)
    if answer.approvals:
        if not shown.as_json:
            tell_how_to_go_on(answer.approvals, str(shown.folder), shown.profile)
        raise typer.Exit(NEEDS_APPROVAL)
    _end_by_outcome(_journal(library).get(request.approval_id))


def _end_by_outcome(call: StoredCall) -> None:
    """End with a code of its own where the call failed, or may have been carried out."""
    code = {"failed": _CALL_FAILED, "uncertain": OUTCOME_UNKNOWN}.get(call.state.value)
    if code is not None:
        raise typer.Exit(code)


def _enter(library: Library, call: StoredCall, made: ApprovalDecision, *, as_json: bool) -> None:
    """Record a decision about a call whose run is not here.

    Raises:
        UsageError: an edit, which only the run's own tools could check.
    """
    was = call.state.value
    if made.decision == "edit":
        raise UsageError(f"call {call.request.approval_id} is {was}, and its run is not kept here: edit it where it is")
    decided = _journal(library).decide(call.request, made)
    if as_json:
        print_json(call_document(decided))
    elif was != "waiting":
        say(f"{was} already: there is nothing to decide any more")
    else:
        say(f"{decided.state.value}: its run is kept elsewhere, and goes on when it is resumed there")
    if was != "waiting":
        raise typer.Exit(NOTHING_TO_DECIDE)
