"""Asks the person at the terminal about calls that need consent, and shows such calls to those who come later."""

from __future__ import annotations

import getpass
import json
import shlex
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import typer

from ...errors import UsageError
from .explain import RunView
from .output import one_line, say, tell
from .steps import progress_line, shorten

if TYPE_CHECKING:
    from ...graphs.session import Agent, StepEvent
    from ...state import Answer
    from ...tools.approval.models import ApprovalDecision, ApprovalRequest

NEEDS_APPROVAL = 5
"""The exit code of a command whose run waits for a person."""
DIGEST_CHARACTERS = 12
"""Of a digest that are shown, and have to be named at least."""
_QUOTE_CHARACTERS = 200
EditCheck = Callable[["ApprovalRequest", dict[str, Any]], str]
"""Why an edit could not run; empty: it could."""
_CHOICES = {"a": "approve", "e": "edit", "r": "reject", "l": "later"}


class Follower:
    """Follows a run, and tells of its steps as they end."""

    def __init__(self, *, quiet: bool) -> None:
        self.view = RunView()
        self.quiet = quiet

    def follow(self, events: Iterable[StepEvent]) -> Answer | None:
        """Run to the end, or to where somebody has to decide: then there is no answer yet."""
        answer = None
        for event in events:
            answer = event.update.get("answer", answer)
            for line in map(progress_line, self.view.take(event.update)):
                if line and not self.quiet:
                    tell(line, style="dim")
        return answer


def is_interactive(*, as_json: bool) -> bool:
    """Whether somebody can be asked."""
    return not as_json and sys.stdin.isatty() and sys.stderr.isatty()


def settled(agent: Agent, thread_id: str, follow: Callable[[Iterable[StepEvent]], object], *, ask: bool) -> Answer:
    """The answer of a run after everybody here was asked; it may still wait."""
    answer = agent.answer(thread_id)
    while ask and answer.approvals:
        said = {request.approval_id: asked(request, agent.edit_problem) for request in answer.approvals}
        decisions = {name: decision for name, decision in said.items() if decision is not None}
        if not decisions:
            break
        try:
            follow(agent.resume_steps(thread_id, decisions))
        except UsageError as error:
            tell(f"veriloop: {error}", style="red")
        answer = agent.answer(thread_id)
    return answer


def asked(request: ApprovalRequest, problem_of: EditCheck) -> ApprovalDecision | None:
    """What the person at the terminal decides; None: nothing now."""
    while True:
        show_request(request, tell)
        chosen = _choice()
        if chosen == "later":
            return None
        if chosen == "edit":
            edit = _edit(request, problem_of)
            if edit is not None:
                return edit
            continue
        comment = typer.prompt("why?", default="", show_default=False, err=True) if chosen == "reject" else ""
        return decision(request, chosen, comment=comment)


def _choice() -> str:
    """One of the choices, by its letter or its word: what only begins like one (abort) is none."""
    while True:
        said = typer.prompt("approve (a), edit (e), reject (r) or decide later (l)?", err=True).strip().casefold()
        if said in _CHOICES.values():
            return str(said)
        if said in _CHOICES:
            return _CHOICES[said]
        tell("answer with a, e, r or l", style="red")


def _edit(request: ApprovalRequest, problem_of: EditCheck) -> ApprovalDecision | None:
    """An edit that can run; what cannot is said, and asked for again, so that no old arguments run in its place."""
    while True:
        given = typer.prompt("the arguments that change, as JSON ({} for none)", default="{}", err=True)
        try:
            arguments = changed(given)
        except UsageError as error:
            tell(f"veriloop: {error}", style="red")
            continue
        if not arguments:
            return None
        problem = problem_of(request, arguments)
        if not problem:
            return decision(request, "edit", arguments=arguments)
        tell(f"veriloop: {problem}", style="red")


def changed(text: str) -> dict[str, Any]:
    """The arguments that change.

    Raises:
        UsageError: it is no JSON object.
    """
    try:
        found = json.loads(text)
    except ValueError as error:
        raise UsageError(f'the arguments are no JSON ({error}): give an object such as {{"name": "value"}}') from None
    if not isinstance(found, dict):
        raise UsageError('the arguments are no JSON object: give one such as {"name": "value"}')
    return found


def decision(
    request: ApprovalRequest, what: str, *, arguments: dict[str, Any] | None = None, comment: str = ""
) -> ApprovalDecision:
    """A decision about just this request, signed by the user of this machine."""
    from ...tools.approval.models import ApprovalDecision  # noqa: PLC0415 - `--help` should not wait for it

    fields = {"decision": what, "digest": request.digest, "arguments": arguments, "comment": comment}
    return ApprovalDecision.model_validate({**fields, "decided_by": user()})


def user() -> str:
    """Who sits at this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container without names
        return "owner"


def show_request(request: ApprovalRequest, print_line: Callable[[str], None] = say) -> None:
    """A request for people: exactly what would run, and what it rests on."""
    from ...tools.approval.showing import look_alikes, shown_arguments, shown_line  # noqa: PLC0415

    operation = f" › {shown_line(request.operation)}" if request.operation else ""
    print_line(f"{request.approval_id}  {request.tool}{operation}  ({request.permission.value})")
    if request.target:
        print_line(f"    goes to: {shown_line(request.target)}")
    print_line(f"    for: {one_line(shorten(request.question, _QUOTE_CHARACTERS))}")
    print_line(f"    why you are asked: {shown_line(request.reason)}")
    for line in shown_arguments(request.arguments).split("\n"):
        print_line(f"    {line}")
    for line in look_alikes(request):
        print_line(f"    looks like other letters: {line}")
    if request.derived:
        print_line(f"    not in the question: {', '.join(map(shown_line, request.derived))}")
    for quote in request.evidence:
        print_line(f"    found in: {one_line(shorten(quote, _QUOTE_CHARACTERS))}")
    again = "" if request.idempotent else "; it cannot be repeated safely if it is broken off"
    print_line(f"    digest {request.digest[:DIGEST_CHARACTERS]}, until {request.expires_at:%Y-%m-%d %H:%M} UTC{again}")


def tell_how_to_go_on(requests: Iterable[ApprovalRequest], library: str, profile: str | None) -> None:
    """The commands that decide what waits, over the same library with the same settings."""
    where = f"--library {shlex.quote(library)}" + (f" --profile {shlex.quote(profile)}" if profile else "")
    for request in requests:
        digest = request.digest[:DIGEST_CHARACTERS]
        tell(f"to agree: veriloop approvals approve {request.approval_id} --digest {digest} {where}")
        tell(f"to refuse: veriloop approvals reject {request.approval_id} {where}")
