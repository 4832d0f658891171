"""`veriloop eval`: how well a library is searched on questions whose answers are known, and why a search misses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar

from ...errors import UsageError
from .evaluation_tables import print_minimums, print_report
from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, caller_of, open_library
from .output import print_json, stderr, tell

if TYPE_CHECKING:
    from ...evaluation.minimums import CheckedMinimum, Minimum
    from ...evaluation.reports import RetrievalReport
    from ...evaluation.retrieval import Progress

_BELOW_MINIMUM = 4
_DEEPEST = 100

app = typer.Typer(no_args_is_help=True, help="Measure how well the library is searched, on questions of your own.")


@app.callback()
def _commands() -> None:
    """Keeps `retrieval` a command of its own while it is the only one."""


@app.command("retrieval")
def retrieval(
    cases: Annotated[Path, typer.Argument(metavar="CASES.jsonl", help="Questions with what should be found.")],
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    k: Annotated[str, typer.Option("--k", help="Depths to measure at; without a hit in the largest it is a miss.")] = (
        "1,5,10"
    ),
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Ask a random sample of so many.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the sample and of the intervals.")] = 11,
    misses: Annotated[Path | None, typer.Option("--misses", help="Write every miss to this JSON Lines file.")] = None,
    minimum: Annotated[
        list[str] | None, typer.Option("--min", help="End with exit code 4 below it, such as 'hit@5>=0.9'. Repeatable.")
    ] = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Search for questions whose answers are known; report figures and the cause of each miss."""
    from ...evaluation.cases import read_cases  # noqa: PLC0415 - `--help` should not wait for it
    from ...evaluation.minimums import check_minimum, parse_minimum  # noqa: PLC0415
    from ...evaluation.retrieval import RetrievalOptions, evaluate_retrieval, sample_cases  # noqa: PLC0415

    depths = depths_of(k)
    wanted: list[Minimum] = [parse_minimum(text, depths) for text in minimum or ()]
    chosen = sample_cases(read_cases(cases), limit, seed)
    opened = open_library(library, profile)
    _refuse_unwritable(misses)
    options = RetrievalOptions(depths=depths, seed=seed)
    with _progress(len(chosen)) as progress:
        report = evaluate_retrieval(opened, chosen, caller=caller_of(caller), options=options, progress=progress)
    checked = [check_minimum(one, report) for one in wanted]
    _write_misses(misses, report)
    _publish(report, checked, as_json=json)
    if not all(one.met for one in checked):
        raise typer.Exit(_BELOW_MINIMUM)


def depths_of(text: str) -> tuple[int, ...]:
    """The depths in a comma-separated list, each once, in ascending order.

    Raises:
        UsageError: one of them is no whole number from 1 to 100, or there is none.
    """
    parts = [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and len(part) <= 3 and 1 <= int(part) <= _DEEPEST for part in parts):
        raise UsageError(f"--k {text!r}: give whole numbers from 1 to {_DEEPEST}, such as 1,5,10")
    return tuple(sorted({int(part) for part in parts}))


def _publish(report: RetrievalReport, checked: list[CheckedMinimum], *, as_json: bool) -> None:
    if as_json:
        minimums = [one.model_dump(mode="json") for one in checked]
        print_json({**report.model_dump(mode="json"), "minimums": minimums})
        return
    print_report(report)
    print_minimums(checked)


def _refuse_unwritable(file: Path | None) -> None:
    """Say so before the work, not after it."""
    if file is None:
        return
    try:
        file.open("a", encoding="utf-8").close()
    except OSError as error:
        raise UsageError(f"{file}: cannot be written ({error.strerror or error})") from error


def _write_misses(file: Path | None, report: RetrievalReport) -> None:
    if file is None:
        return
    lines = "".join(f"{miss.model_dump_json()}\n" for miss in report.misses)
    file.write_text(lines, encoding="utf-8")


@contextmanager
def _progress(total: int) -> Iterator[Progress]:
    """A bar on stderr; where nobody watches one (a log, a pipe), a line for each quarter."""
    bar = ProgressBar(
        TextColumn("questions"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=stderr,
        transient=True,
    )
    task = bar.add_task("questions", total=total)

    def show(done: int, of: int) -> None:
        bar.update(task, completed=done)
        if not stderr.is_terminal and 4 * done // of > 4 * (done - 1) // of:
            tell(f"questions: {done:,} of {of:,}")

    with bar:
        yield show
