"""`veriloop sync`: the library made equal to a folder, once or as long as it runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from .add import Bars
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    ProfileOption,
    open_library,
    refuse_others,
)
from .output import json_text, one_line, print_error, print_json, say, tell

if TYPE_CHECKING:
    from ...errors import VeriloopError
    from ...graphs.syncing import SyncReport

_SOME_FAILED = 4
# More lines of a kind are of no use on a screen; --json has all of them.
_SHOWN = 20


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
    password: Annotated[list[str] | None, typer.Option(help="Tried on encrypted files; may be repeated.")] = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Make the library equal to a folder: added, changed, moved and removed files. Other documents are left alone."""
    from ...graphs.syncing import sync_folder  # noqa: PLC0415 - `--help` should not wait for it
    from ...graphs.watching import watch_folder  # noqa: PLC0415

    if watch and (dry_run or allow_empty):
        raise UsageError("--watch goes with neither --dry-run nor --allow-empty")
    refuse_others(caller, "sync")
    opened = open_library(library, profile, create=not dry_run)
    if watch:
        watch_folder(opened, folder, _Watched(as_json=json), passwords=password or (), listener=_QuietBars().listener())
        return
    with Bars() as bars:
        report = sync_folder(
            opened,
            folder,
            dry_run=dry_run,
            allow_empty=allow_empty,
            vector_minutes=vector_minutes,
            passwords=password or (),
            listener=bars.listener(),
        )
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_report(report)
        _print_vectors(report, library, has_vectors=opened.has_vectors)
    if report.failed or report.vectors_problem:
        raise typer.Exit(_SOME_FAILED)


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
    kinds = ("added", "updated", "moved", "removed", "unchanged", "failed")
    counts = ", ".join(f"{len(getattr(report, kind))} {kind}" for kind in kinds)
    say(f"{counts}; nothing was changed (--dry-run)" if report.dry_run else counts)
    _list("added", report.added)
    _list("updated", report.updated)
    _list("moved", [f"{move.before} -> {move.now}" for move in report.moved])
    _list("removed", report.removed)
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
