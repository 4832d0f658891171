"""`veriloop ask`: a question in, a cited answer out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from .consent import NEEDS_APPROVAL, Follower, is_interactive, settled, show_request, tell_how_to_go_on
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    ProfileOption,
    caller_of,
    day,
    names,
    open_library,
)
from .output import print_json, say
from .steps import shorten
from .wording import place_in_both

if TYPE_CHECKING:
    from ...knowledge.documents import Caller
    from ...knowledge.library import Library
    from ...knowledge.query.models import SearchFilter
    from ...state import Answer, Citation

_NOTHING_FOUND = 3
_QUOTE_CHARACTERS = 200


def ask(
    question: Annotated[str, typer.Argument(help="The question, in Chinese or English.")],
    domain: Annotated[
        str | None, typer.Option(help="Search only these domains (comma-separated), or `all` of them.")
    ] = None,
    in_force_on: Annotated[
        str | None, typer.Option("--in-force-on", help="Search what was in force on this day (2024-03-01, today).")
    ] = None,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why the run went the way it did.")] = False,
    json: JsonOption = False,
) -> None:
    """Answer a question from the documents. Progress goes to stderr, the answer to stdout."""
    _refuse_unusable(question)
    opened = open_library(library, profile)
    follower = Follower(quiet=json)
    answer = _answer(opened, caller_of(caller), _bounds(domain, in_force_on), question, follower)
    view = follower.view
    if json:
        print_json({**answer.model_dump(mode="json"), **({"explain": view.document()} if explain else {})})
    else:
        print_answer(answer)
        if explain:
            view.tell()
    if answer.approvals:
        if not json:
            tell_how_to_go_on(answer.approvals, str(library), profile)
        raise typer.Exit(NEEDS_APPROVAL)
    if answer.status.value == "insufficient":
        raise typer.Exit(_NOTHING_FOUND)


def _answer(
    library: Library, caller: Caller, filters: SearchFilter | None, question: str, follower: Follower
) -> Answer:
    """Run the question; where a call may need consent the run is kept, and whoever sits here is asked."""
    from ...graphs.assembly import build_agent  # noqa: PLC0415
    from ...graphs.checkpoints import kept_threads  # noqa: PLC0415 - `--help` should not wait for it
    from ...graphs.session import new_thread  # noqa: PLC0415
    from ...graphs.waiting import drop_expired  # noqa: PLC0415

    agent = build_agent(library, caller=caller, filters=filters)
    if not agent.may_need_consent:
        answer = follower.follow(agent.steps(question))
        assert answer is not None  # every run that waits for nobody ends in `deliver`
        return answer
    thread_id = new_thread()
    drop_expired(library)
    with kept_threads(library) as saver:
        agent = build_agent(library, caller=caller, filters=filters, checkpointer=saver)
        follower.follow(agent.steps(question, thread_id))
        answer = settled(agent, thread_id, follower.follow, ask=is_interactive(as_json=follower.quiet))
        if not answer.approvals:
            saver.delete_thread(thread_id)
    return answer


def _bounds(domain: str | None, in_force_on: str | None) -> SearchFilter | None:
    """What every search of the run is bounded to; None: nothing.

    Raises:
        UsageError: an option names no day, or no domain.
    """
    from ...knowledge.query.models import SearchFilter  # noqa: PLC0415

    if domain is None and in_force_on is None:
        return None
    return SearchFilter(domains=names(domain or ""), in_force_on=day(in_force_on, "--in-force-on"))


def _refuse_unusable(question: str) -> None:
    from ...knowledge.library import MAX_QUERY_CHARACTERS  # noqa: PLC0415

    if not any(character.isalnum() for character in question):
        raise UsageError("the question is empty: say what you want to know")
    if len(question) > MAX_QUERY_CHARACTERS:
        raise UsageError(
            f"the question has {len(question):,} characters; at most {MAX_QUERY_CHARACTERS:,} are taken: "
            "shorten it or split it up"
        )


def print_answer(answer: Answer) -> None:
    """The text with markers, then each source with title, section, page and quote."""
    say(answer.text)
    if answer.citations:
        say("")
    for number in dict.fromkeys(citation.marker for citation in answer.citations):
        _print_source([citation for citation in answer.citations if citation.marker == number])
    for request in answer.approvals:
        show_request(request)
    for note in answer.notes:
        say(f"! {note}")
    for removed in answer.unsupported:
        say(f"- {removed.text}  ({'; '.join(removed.reasons)})", style="dim")


def _print_source(citations: list[Citation]) -> None:
    first = citations[0]
    place = [first.document, *first.section_path]
    if first.page is not None:
        place.append(place_in_both(first.page, first.media_type))
    say(f"[{first.marker}] {' › '.join(place)}", style="bold")
    for citation in citations:
        say(f"    “{shorten(citation.quote, _QUOTE_CHARACTERS)}”")
