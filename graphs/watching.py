"""Keeps a library equal to a folder: after each change of the folder, and making vectors in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from ..errors import VeriloopError
from ..knowledge.library import Library
from .add_report import AddListener, Silent
from .syncing import SyncReport, sync_folder

_SETTLED_MILLISECONDS = 500
"""A change is looked at when this long nothing else has changed."""
_LONGEST_MILLISECONDS = 10_000
"""Where changes never end, they are looked at after this time."""
_IDLE_MILLISECONDS = 1_000
_RETRY_SECONDS = 15.0
_EMBED_SECONDS = 5.0

_Marks = tuple[int, int]


class WatchListener(Protocol):
    """Told what a watch does."""

    def synced(self, report: SyncReport) -> None:
        """The folder was looked at, and something had changed or failed, or it was the first time."""

    def failed(self, error: VeriloopError) -> None:
        """The library could not be brought up now; it is tried again."""


def watch_folder(
    library: Library,
    folder: Path,
    told: WatchListener,
    *,
    passwords: Sequence[str] = (),
    listener: AddListener | None = None,
    changes: Callable[[Path, Path], Iterator[bool]] | None = None,
) -> None:
    """Sync a folder now and after each of its changes, until interrupted.

    A file that cannot be read is tried in each round, and told of again only when it or the reason has changed.
    Errors end it only the first time: later ones are told, and it is tried again, also where the folder has gone for a
    while. Its documents stay then.

    Args:
        library: which.
        folder: with everything below it.
        told: about each round.
        passwords: tried on encrypted files.
        listener: told about progress.
        changes: yields True for a change and False about every second without one; default: what the system reports.

    Raises:
        VeriloopError: the first round failed, see `sync_folder`.
    """
    seen, known = (changes or _changes)(folder, library.folder), KnownFailures(folder)
    told.synced(known.without(_round(library, folder, passwords, listener)))
    due: float | None = None
    embedded = False
    for has_changed in seen:
        if has_changed or (due is not None and time.monotonic() >= due):
            due, embedded = _attempt(library, folder, told, known, passwords, listener), False
        elif due is None and not embedded:
            embedded = _embed(library, told, listener or Silent())


def _round(library: Library, folder: Path, passwords: Sequence[str], listener: AddListener | None) -> SyncReport:
    return sync_folder(library, folder, vector_minutes=0, passwords=passwords, listener=listener)


def _attempt(
    library: Library,
    folder: Path,
    told: WatchListener,
    known: KnownFailures,
    passwords: Sequence[str],
    listener: AddListener | None,
) -> float | None:
    """A round; returns when to try again, None where it went well."""
    try:
        report = known.without(_round(library, folder, passwords, listener))
    except VeriloopError as error:
        told.failed(error)
        return time.monotonic() + _RETRY_SECONDS
    if not report.is_quiet:
        told.synced(report)
    return None


class KnownFailures:
    """Which files failed in the round before: they are tried in each round, and told of when something is new of them.

    Args:
        folder: that is watched.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told: dict[str, tuple[str, _Marks | None]] = {}

    def without(self, report: SyncReport) -> SyncReport:
        """A report without the failures of files that have not changed since, for the same reason."""
        found = {one.path: (one.reason, _marks(self._folder / one.path)) for one in report.failed}
        new = tuple(one for one in report.failed if self._told.get(one.path) != found[one.path])
        self._told = found
        return report.model_copy(update={"failed": new})


def _marks(path: Path) -> _Marks | None:
    """Size and time of the last change, of the archive for a file inside one; None where nothing can be looked at."""
    for place in (path, *path.parents):
        try:
            found = place.stat()
        except NotADirectoryError:
            continue  # inside an archive
        except (OSError, ValueError):
            return None
        return found.st_size, found.st_mtime_ns
    return None


def _embed(library: Library, told: WatchListener, listener: AddListener) -> bool:
    """Make vectors for some seconds; True when there is nothing more to make, or it cannot be made."""
    try:
        with library.writing("sync", listener.waiting):
            progress = library.embed(seconds=_EMBED_SECONDS, progress=listener.vectors)
            library.refresh()
    except VeriloopError as error:
        told.failed(error)
        return True
    return progress.done >= progress.total or not library.has_vectors


def _changes(folder: Path, own: Path) -> Iterator[bool]:
    """What the system reports of a folder, for ever: a folder that has gone is waited for."""
    from watchfiles import Change, watch  # noqa: PLC0415 - only who watches needs it

    inner = str(own.resolve())

    def counts(_change: Change, path: str) -> bool:
        return path != inner and not path.startswith((f"{inner}/", f"{inner}\\"))

    polls: bool | None = None
    while True:
        is_first = True
        try:
            for changes in watch(
                folder.resolve(),
                watch_filter=counts,
                debounce=_LONGEST_MILLISECONDS,
                step=_SETTLED_MILLISECONDS,
                rust_timeout=_IDLE_MILLISECONDS,
                yield_on_timeout=True,
                force_polling=polls,
            ):
                # What has changed before the watching began is not reported.
                yield is_first or bool(changes)
                is_first = False
                if not folder.is_dir():
                    break
        except (OSError, RuntimeError):
            # It has gone meanwhile, or the system can watch no more folders; looking every now and then always works.
            polls = True
            time.sleep(_IDLE_MILLISECONDS / 1_000)
        yield True
        while not folder.is_dir():
            time.sleep(_IDLE_MILLISECONDS / 1_000)
            yield False
