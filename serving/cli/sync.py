"""`veriloop sync`: the library made equal to a folder, once or as long as it runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from .add import Bars, work_line
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    PasswordFileOption,
    PasswordOption,
    ProfileOption,
    open_library,
    passwords_of,
    refuse_others,
)
from .output import json_text, one_line, print_error, print_json, say, tell

if TYPE_CHECKING:
    from ...errors import VeriloopError
    from ...graphs.syncing import SyncReport
    from ...knowledge.library import Library

_SOME_FAILED = 4
# More lines of a kind are of no use on a screen; --json has all of them.
_SHOWN = 20
_KINDS = ("added", "updated", "moved", "removed", "unchanged", "failed")
# Whether a new file can be read is known when it is read.
_FORESEEN = {
    "added": "would be read",
    "updated": "would be read again",
    "moved": "would be followed",
    "removed": "would be removed",
}


def sync(
    folder: Annotated[Path, typer.Argument(help="The folder whose documents the library is to hold.")],
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    watch: Annotated[bool, typer.Option("--watch", help="Go on, and follow each change until Ctrl-C.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Remove all its documents where the folder is empty or gone.")
    ] = False,
    vector_minutes: Annotated[
        float | None, typer.Option(min=0, help="How long to make vectors; 0 leaves them to `veriloop index`.")
    ] = None,
    password: PasswordOption = None,
    password_file: PasswordFileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Make the library equal to a folder: added, changed, moved and removed files. Other documents are left alone."""
    from ...graphs.syncing import sync_folder  # noqa: PLC0415 - `--help` should not wait for it
    from ...graphs.watching import watch_folder  # noqa: PLC0415

    if watch and (dry_run or allow_empty):
        raise UsageError("--watch goes with neither --dry-run nor --allow-empty")
    refuse_others(caller, "sync")
    passwords = passwords_of(password, password_file)
    if watch:
        opened = open_library(library, profile, create=True)
        tell(f"watching {one_line(str(folder))}; Ctrl-C ends it")
        watch_folder(opened, folder, _Watched(as_json=json), passwords=passwords, listener=_QuietBars().listener())
        return
    with _to_sync(library, profile, dry_run=dry_run) as opened, Bars() as bars:
        report = sync_folder(
            opened,
            folder,
            dry_run=dry_run,
            allow_empty=allow_empty,
            vector_minutes=vector_minutes,
            passwords=passwords,
            listener=bars.listener(),
        )
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_report(report)
        if report.added or report.updated:
            say(work_line(report))
        _print_vectors(report, library, has_vectors=opened.has_vectors)
    if report.failed or report.vectors_problem:
        raise typer.Exit(_SOME_FAILED)


@contextmanager
def _to_sync(folder: Path, profile: str | None, *, dry_run: bool) -> Iterator[Library]:
    """The library; where there is none and nothing is to change, an empty one that is gone afterwards."""
    from ...knowledge.library import STORE_FILE  # noqa: PLC0415

    if dry_run and not (folder / STORE_FILE).is_file():
        with (
            TemporaryDirectory(ignore_cleanup_errors=True) as room,
            open_library(Path(room), profile, create=True) as empty,
        ):
            yield empty
        return
    with open_library(folder, profile, create=not dry_run) as opened:
        yield opened


class _QuietBars(Bars):
    """Progress of a watch: bars would come and go for ever."""

    def show(self, name: str, done: int, total: int, note: str = "") -> None:
        """Ignored."""


class _Watched:
    """Prints each round: a line for people, or a JSON document a line."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._told = ""

    def synced(self, report: SyncReport) -> None:
        """The folder was looked at."""
        self._told = ""
        if self._as_json:
            sys.stdout.write(json_text(report.model_dump(mode="json"), indent=None) + "\n")
        else:
            _print_report(report)
        sys.stdout.flush()

    def failed(self, error: VeriloopError) -> None:
        """It is tried again; the same reason is told once."""
        if self._told != str(error):
            self._told = str(error)
            print_error(f"{error}; trying again", as_json=False)


def _print_report(report: SyncReport) -> None:
    kinds = {kind: (_FORESEEN if report.dry_run else {}).get(kind, kind) for kind in _KINDS}
    counts = ", ".join(f"{len(getattr(report, kind))} {shown}" for kind, shown in kinds.items())
    say(f"{counts}; nothing was changed (--dry-run)" if report.dry_run else counts)
    _list(kinds["added"], report.added)
    _list(kinds["updated"], report.updated)
    _list(kinds["moved"], [f"{move.before} -> {move.now}" for move in report.moved])
    _list(kinds["removed"], report.removed)
    for failed in report.failed[:_SHOWN]:
        tell(f"  failed: {one_line(failed.path)}: {one_line(failed.reason)}")
    if len(report.failed) > _SHOWN:
        tell(f"  … and {len(report.failed) - _SHOWN} more (all of them with --json)")


def _list(kind: str, names: list[str] | tuple[str, ...]) -> None:
    for name in names[:_SHOWN]:
        say(f"  {kind}: {one_line(name)}")
    if len(names) > _SHOWN:
        say(f"  … and {len(names) - _SHOWN} more (all of them with --json)")


def _print_vectors(report: SyncReport, library: Path, *, has_vectors: bool) -> None:
    if report.vectors_problem:
        tell(f"  vectors: {report.vectors_problem}")
    if has_vectors and report.vectors_done < report.vectors_total:
        say(
            f"vectors: {report.vectors_done:,} of {report.vectors_total:,}; search works without them, "
            f"finish with: veriloop index --library {library}"
        )
