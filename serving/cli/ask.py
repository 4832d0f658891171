"""`veriloop ask`: a question in, a cited answer out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from .explain import RunView
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
from .output import print_json, say, tell
from .steps import progress_line, shorten
from .wording import place_in_both

if TYPE_CHECKING:
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
    from ...graphs.session import build_agent  # noqa: PLC0415 - `--help` should not wait for it

    filters = _bounds(domain, in_force_on)
    agent = build_agent(open_library(library, profile), caller=caller_of(caller), filters=filters)
    answer, view = None, RunView()
    for event in agent.steps(question):
        answer = event.update.get("answer", answer)
        lines = [progress_line(record) for record in view.take(event.update)]
        for line in lines if not json else ():
            _tell_progress(line)
    assert answer is not None  # every run ends in `deliver`
    if json:
        print_json({**answer.model_dump(mode="json"), **({"explain": view.document()} if explain else {})})
    else:
        print_answer(answer)
        if explain:
            view.tell()
    if answer.status.value == "insufficient":
        raise typer.Exit(_NOTHING_FOUND)


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


def _tell_progress(line: str) -> None:
    if line:
        tell(line, style="dim")


def print_answer(answer: Answer) -> None:
    """The text with markers, then each source with title, section, page and quote."""
    say(answer.text)
    if answer.citations:
        say("")
    for number in dict.fromkeys(citation.marker for citation in answer.citations):
        _print_source([citation for citation in answer.citations if citation.marker == number])
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
