"""`veriloop trace`: earlier runs, listed, shown step by step, and run again on the replies of then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from ...errors import UsageError
from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, caller_of, open_library
from .output import print_json, say, stdout, visible
from .steps import print_record, shorten

if TYPE_CHECKING:
    from ...graphs.replaying import ReplayReport
    from ...knowledge.library import Library
    from ...knowledge.store import StoredTrace, TraceSummary

_OTHER_PATH = 4
_WIDE = 1_000
# Enough of an id to name a run among thousands.
_ID_CHARACTERS = 12
_QUESTION_CHARACTERS = 60

app = typer.Typer(no_args_is_help=True, help="Look at earlier questions: every step of the run behind an answer.")
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="A trace's id or its first characters (at least 6).")]


@app.command("list")
def list_traces(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100_000, help="How many at most.")] = 20,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """List the latest runs, newest first."""
    found = open_library(library, profile).traces(caller_of(caller), limit)
    if json:
        print_json([summary.model_dump(mode="json") for summary in found])
    else:
        _print_table(found)


@app.command("show")
def show_trace(
    trace_id: IdArgument,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Show a run step by step, and the answer."""
    from ...graphs.replaying import answer_of, records_of  # noqa: PLC0415 - `--help` should not wait for it
    from .ask import print_answer  # noqa: PLC0415

    trace = _find(open_library(library, profile), trace_id, caller)
    if json:
        print_json(trace_document(trace))
        return
    records, answer = records_of(trace), answer_of(trace)
    _print_head(trace)
    for number, record in enumerate(records, start=1):
        print_record(number, record)
    say("")
    print_answer(answer)


@app.command("replay")
def replay_trace(
    trace_id: IdArgument,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Run a question again on the recorded replies of models; exit code 4 if it takes another path."""
    from ...graphs.replaying import replay  # noqa: PLC0415 - `--help` should not wait for it

    opened = open_library(library, profile)
    report = replay(opened, _find(opened, trace_id, caller))
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_report(report)
    if not report.same_path:
        raise typer.Exit(_OTHER_PATH)


def _find(library: Library, trace_id: str, caller: str | None) -> StoredTrace:
    found = library.trace(trace_id, caller_of(caller))
    if found is None:
        raise UsageError(f"no trace {trace_id!r} here: `veriloop trace list` lists them")
    return found


def trace_document(trace: StoredTrace) -> dict[str, Any]:
    """The documented JSON shape of a trace."""
    from ...graphs.replaying import answer_of, records_of  # noqa: PLC0415

    summary = trace.model_dump(mode="json", exclude={"answer", "steps", "caller", "doc_ids", "routes", "filters"})
    return {
        **summary,
        "readers": None if trace.caller.is_owner else sorted(trace.caller.readers),
        "routes": sorted(trace.routes),
        **({} if trace.filters is None else {"filters": trace.filters.model_dump(mode="json", exclude_defaults=True)}),
        "doc_ids": sorted(trace.doc_ids),
        "steps": [record.model_dump(mode="json", exclude={"trace_id"}) for record in records_of(trace)],
        "answer": answer_of(trace).model_dump(mode="json"),
    }


def _print_table(found: list[TraceSummary]) -> None:
    table = Table("id", "started", "status", "route", "rule", "seconds", "tokens", "question", box=None)
    if not stdout.is_terminal:
        stdout.width = _WIDE
    for summary in found:
        table.add_row(
            summary.trace_id[:_ID_CHARACTERS],
            f"{summary.started_at:%Y-%m-%d %H:%M:%S}",
            summary.status,
            summary.route,
            summary.stop_rule,
            f"{summary.seconds:.2f}",
            f"{summary.tokens:,}",
            escape(visible(shorten(summary.question, _QUESTION_CHARACTERS))),
        )
    stdout.print(table)


def _print_head(trace: StoredTrace) -> None:
    asked_by = "the owner" if trace.caller.is_owner else ", ".join(sorted(trace.caller.readers)) or "the public"
    say(f"{trace.trace_id}  {trace.started_at:%Y-%m-%d %H:%M:%S} UTC  asked by {asked_by}", style="bold")
    say(f"{trace.question}")
    if trace.filters is not None:
        say(f"bounded to: {trace.filters.describe('en')}")
    say(
        f"{trace.status}, {trace.route}, {trace.stop_rule}; library version {trace.library_version}, "
        f"{trace.seconds:.2f} s, {trace.model_calls} model calls, {trace.tokens:,} tokens\n"
    )


def _print_report(report: ReplayReport) -> None:
    path = "the same path" if report.same_path else "another path"
    answer = "the same answer" if report.same_answer else "another answer"
    say(f"{report.trace_id}: {path}, {answer}", style="bold")
    for difference in report.differences:
        place = f"step {difference.step}" if difference.step else difference.what
        say(f"{place}\n    recorded: {difference.recorded or '–'}\n    now:      {difference.now or '–'}")
    if report.differences:
        say(_reason(report))


def _reason(report: ReplayReport) -> str:
    if report.library_changed:
        return "the library has changed since: other documents are found"
    return "the library is as it was: a tool failed then or now, or settings, tools or this program are others"
