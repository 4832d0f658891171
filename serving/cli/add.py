"""`veriloop add` and `veriloop index`: documents and vectors into the library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from ...errors import UsageError
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    PasswordFileOption,
    PasswordOption,
    ProfileOption,
    day,
    names,
    open_library,
    passwords_of,
    refuse_others,
)
from .output import one_line, print_json, say, stderr, tell, tell_waiting
from .parsed_view import pages_with_pictures

if TYPE_CHECKING:
    from ...graphs.adding import AddReport
    from ...knowledge.description import Description

_SOME_FAILED = 4
# More lines than this are of no use on a screen; --json has all of them.
_SHOWN_FAILURES = 20


def add(
    paths: Annotated[list[Path], typer.Argument(help="Files, and folders with everything below them.")],
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    readers: Annotated[
        str | None,
        typer.Option(
            help="Who may see them (names, comma-separated; '' for everyone). Default: as before, or everyone."
        ),
    ] = None,
    doc_type: Annotated[
        str | None, typer.Option("--type", help="Type of these documents (contract, 通知 …). Default: as before.")
    ] = None,
    domain: Annotated[
        str | None, typer.Option(help="Domain of these documents (HR, 财务 …). Default: as before.")
    ] = None,
    authority: Annotated[
        int | None, typer.Option(min=0, max=100, help="Higher wins where texts compete. Default: as before, or 0.")
    ] = None,
    published: Annotated[str | None, typer.Option(help="Day of issue. Default: what the document says.")] = None,
    effective_from: Annotated[str | None, typer.Option(help="First day in force. Default: as it says.")] = None,
    effective_to: Annotated[str | None, typer.Option(help="Last day in force. Default: as it says.")] = None,
    password: PasswordOption = None,
    password_file: PasswordFileOption = None,
    again: Annotated[bool, typer.Option("--again", help="Read unchanged files anew, too.")] = False,
    vector_minutes: Annotated[
        float | None, typer.Option(min=0, help="How long to make vectors; 0 leaves them to `veriloop index`.")
    ] = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Add documents, or bring changed ones up to date. Running it again on unchanged files does no work."""
    from ...graphs.adding import add_files  # noqa: PLC0415 - `--help` should not wait for it

    refuse_others(caller, "add")
    described = _description(doc_type, domain, authority, published, effective_from, effective_to)
    passwords = passwords_of(password, password_file)
    opened = open_library(library, profile, create=True)
    with Bars() as bars:
        report = add_files(
            opened,
            paths,
            readers=None if readers is None else names(readers),
            again=again,
            described=described,
            vector_minutes=vector_minutes,
            passwords=passwords,
            listener=bars.listener(),
        )
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_report(report, library, has_vectors=opened.has_vectors)
    if report.failed or report.vectors_problem:
        raise typer.Exit(_SOME_FAILED)


def _description(
    doc_type: str | None,
    domain: str | None,
    authority: int | None,
    published: str | None,
    effective_from: str | None,
    effective_to: str | None,
) -> Description:
    from ...knowledge.description import Description  # noqa: PLC0415
    from ...knowledge.text.normalise import well_formed  # noqa: PLC0415

    first, last = day(effective_from, "--effective-from"), day(effective_to, "--effective-to")
    if first and last and last < first:
        raise UsageError(f"--effective-to {last} is before --effective-from {first}")
    return Description(
        doc_type=None if doc_type is None else well_formed(doc_type).strip(),
        domain=None if domain is None else well_formed(domain).strip(),
        authority=authority,
        published_at=day(published, "--published"),
        effective_from=first,
        effective_to=last,
    )


def index(
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop after this time. Default: go on to the end.")
    ] = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Make the vectors that are still missing and bring the index files up to date."""
    refuse_others(caller, "index")
    opened = open_library(library, profile)
    with Bars() as bars, opened.writing("index", bars.listener().waiting):
        progress = opened.embed(seconds=None if minutes is None else minutes * 60, progress=bars.listener().vectors)
        opened.refresh()
    if json:
        print_json({"vectors_done": progress.done, "vectors_total": progress.total})
    else:
        say(f"vectors: {progress.done:,} of {progress.total:,} passages")


class Bars:
    """Two progress bars on stderr: files, then vectors."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            console=stderr,
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}
        self._told: dict[str, int] = {}

    def tell_quarter(self, name: str, done: int, total: int) -> None:
        """Where nobody watches bars (a log, a pipe): a line for each quarter."""
        quarter = 4 * done // total if total else 4
        if self._told.get(name) != quarter:
            self._told[name] = quarter
            tell(f"{name.strip()}: {done:,} of {total:,}")

    def __enter__(self) -> Bars:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, name: str, done: int, total: int, note: str = "") -> None:
        """Move a bar; it appears with its first move."""
        if not stderr.is_terminal:
            self.tell_quarter(name, done, total)
        if name not in self._tasks:
            self._tasks[name] = self._progress.add_task(name, total=total, note=note)
        self._progress.update(self._tasks[name], completed=done, total=total, note=note)

    def listener(self) -> AddListener:
        """What `add_files` reports to."""
        return AddListener(self)


class AddListener:
    """Moves the bars; an `AddListener` of `graphs.adding`."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars

    def waiting(self, holder: str) -> None:
        """Another process is writing."""
        tell_waiting(holder)

    def file(self, progress: tuple[int, int, str]) -> None:
        """A file is about to be read."""
        done, total, name = progress
        self._bars.show("files  ", done, total, one_line(name))

    def vectors(self, progress: tuple[int, int]) -> None:
        """A batch of vectors was stored."""
        self._bars.show("vectors", *progress, note="search works already; Ctrl-C is safe")


def work_line(report: AddReport) -> str:
    """What it took, in a line."""
    blocks, seconds = report.blocks, report.seconds
    stages = ", ".join(f"{name} {getattr(seconds, name):.1f}" for name in ("read", "split", "index", "vectors"))
    return (
        f"blocks: {blocks.added:,} added, {blocks.kept:,} kept, {blocks.removed:,} removed; "
        f"vectors made: {report.vectors_made:,}; {seconds.total:.1f} s ({stages})"
    )


def _print_report(report: AddReport, library: Path, *, has_vectors: bool) -> None:
    counts = {name: len(getattr(report, name)) for name in ("added", "updated", "unchanged", "failed")}
    say(", ".join(f"{count} {name}" for name, count in counts.items()))
    if report.added or report.updated:
        say(work_line(report))
    for failed in report.failed[:_SHOWN_FAILURES]:
        tell(f"  failed: {one_line(failed.path)}: {one_line(failed.reason)}")
    if len(report.failed) > _SHOWN_FAILURES:
        tell(f"  … and {len(report.failed) - _SHOWN_FAILURES} more (all of them with --json)")
    for unread in report.unread:
        tell(f"  unread: {one_line(unread.path)}: {pages_with_pictures(unread.pages)}")
    if report.vectors_problem:
        tell(f"  vectors: {report.vectors_problem}")
    if not has_vectors:
        say("no embedding model here: search goes by words alone")
    elif report.vectors_done < report.vectors_total:
        say(
            f"vectors: {report.vectors_done:,} of {report.vectors_total:,}; search works without them, "
            f"finish with: veriloop index --library {library}"
        )
