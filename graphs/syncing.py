"""Makes a library equal to a folder: what is new or changed goes in, what has moved is followed, what has gone goes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from ..errors import InputFileError, UsageError
from ..knowledge.documents import Caller, Document
from ..knowledge.file_uris import path_of
from ..knowledge.library import Library
from ..knowledge.metadata import is_metadata_file, said_beside
from ..nodes.ingest.closing import closed_by_hand
from ..nodes.ingest.describing import moved, redescribed, same_description
from ..nodes.ingest.parse import content_version
from ..nodes.ingest.state import Outcome, SourceFile
from .add_report import AddListener, AddReport, FailedFile, Silent
from .adding import add_collected, parse_options, room_to_unpack
from .collecting import Collected, collect
from .sync_plan import Move, SyncPlan, plan_sync

_UNKNOWN_NAME = "\ufffd"


class MovedFile(BaseModel):
    """A document whose file lies elsewhere now."""

    model_config = ConfigDict(frozen=True)

    before: str
    now: str


class SyncReport(AddReport):
    """What became of the documents of a folder."""

    moved: tuple[MovedFile, ...] = ()
    removed: tuple[str, ...] = ()
    dry_run: bool = Field(default=False, description="nothing was changed; files that cannot be read are not known yet")

    @property
    def is_quiet(self) -> bool:
        """Whether nothing has changed and nothing has failed."""
        return not (self.added or self.updated or self.moved or self.removed or self.failed or self.vectors_problem)


def sync_folder(
    library: Library,
    folder: str | Path,
    *,
    dry_run: bool = False,
    allow_empty: bool = False,
    vector_minutes: float | None = None,
    passwords: Sequence[str] = (),
    listener: AddListener | None = None,
) -> SyncReport:
    """Make a library hold what a folder holds. Documents that came from elsewhere are left alone.

    A document that has moved keeps its id, its text, its history and its vectors; what the files beside its new place
    say of it holds at once. Each change is one transaction: stopping at any moment leaves whole documents only, and
    running again continues.

    Args:
        library: which.
        folder: with everything below it.
        dry_run: only say what would be done, without waiting for another writer.
        allow_empty: whether all its documents may go because the folder is empty or is not there.
        vector_minutes: how long to make vectors before returning; default: `indexing.vector_minutes`.
        passwords: tried on encrypted files, in this order.
        listener: told about progress.

    Raises:
        UsageError: the folder is no folder, or is missing or empty although documents have come from it.
        LibraryBusyError: another process is writing and did not finish in time.
        LibraryError: the library cannot take more (a full disk).
    """
    told = listener or Silent()
    begun = time.monotonic()
    place = Path(folder)
    _refuse_file(place)
    given, options = SourceFile(path=Path(), name=""), parse_options(library, passwords)
    if dry_run:
        with TemporaryDirectory(ignore_cleanup_errors=True) as unpacked:
            found = collect(library, [place] if place.exists() else [], given, options, Path(unpacked))
            return _foreseen(library, found, _plan(library, place, found, allow_empty=allow_empty))
    with library.writing("sync", told.waiting), room_to_unpack(library) as unpacked:
        found = collect(library, [place] if place.exists() else [], given, options, unpacked)
        plan = _plan(library, place, found, allow_empty=allow_empty)
        done = [move for move in plan.moves if _follow(library, move, found)]
        closed = closed_by_hand(library, plan.gone)
        later = {one.document.doc_id for one in closed}
        for document in plan.gone:
            if document.doc_id not in later:
                library.remove(document.doc_id)
        report = add_collected(library, found, options, told, vector_minutes, begun, closed)
        return _with_changes(report, done, plan.gone)


def _refuse_file(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is no folder: name the folder whose documents the library is to hold")


def _plan(library: Library, folder: Path, found: Collected, *, allow_empty: bool) -> SyncPlan:
    documents = {s.document.source_uri: s.document for s in library.documents(Caller.owner())}
    prefix = folder.resolve().as_uri().rstrip("/") + "/"
    sources = {source.source_uri: source for source in found.sources}
    known = [document for uri, document in documents.items() if uri.startswith(prefix)]
    if not folder.is_dir() and not (known and allow_empty):
        raise UsageError(f"{folder}: {_is_missing(len(known))}")
    if known and not sources and not found.failed and not allow_empty:
        raise UsageError(
            f"{folder}: is empty, but {len(known)} documents have come from it; if its drive is connected and they are "
            "to go, give --allow-empty"
        )
    kept = _Kept(folder, found.failed)
    missing = [one for one in known if one.source_uri not in sources and not kept.holds(one)]
    return plan_sync(
        missing,
        {uri: source.name for uri, source in sources.items()},
        lambda uri: uri not in documents,
        lambda uri: _version(sources[uri].path),
    )


def _is_missing(known: int) -> str:
    if not known:
        return "is not there: check the path"
    return f"is not there, but {known} documents have come from it; if they are to go, give --allow-empty"


class _Kept:
    """Which documents stay although their files were not found: nobody could look whether they are there."""

    def __init__(self, folder: Path, failed: Sequence[FailedFile]) -> None:
        self._names = frozenset(one.path for one in failed)
        # A path behind `/` is absolute already where a folder could not be listed.
        self._uris = tuple((folder.resolve() / one.path).as_uri() for one in failed if one.path)
        self._all = any(_UNKNOWN_NAME in one.path for one in failed)

    def holds(self, document: Document) -> bool:
        """Whether a document stays."""
        uri = document.source_uri
        below = any(uri == one or uri.startswith((f"{one}/", f"{one}!")) for one in self._uris)
        return self._all or below or document.name in self._names or _is_there(uri)


def _is_there(uri: str) -> bool:
    """Whether the file of a document lies where it came from, though it was not collected (a hidden one)."""
    path = path_of(uri)
    try:
        return path.is_file() and not is_metadata_file(path)
    except OSError:
        return True


def _version(path: Path) -> str | None:
    try:
        return content_version(path)
    except InputFileError:
        return None


def _follow(library: Library, move: Move, found: Collected) -> bool:
    """Note a move; False where what is said at the new place cannot be read, so that nobody knows who may read."""
    source = next(source for source in found.sources if source.source_uri == move.source_uri)
    try:
        beside = said_beside(source.path, source.uri)
    except InputFileError:
        return False  # the file is reported with this reason when its turn comes
    library.redescribe(moved(move.document, move.source_uri, move.name, beside))
    return True


def _with_changes(report: AddReport, moves: Sequence[Move], gone: Sequence[Document]) -> SyncReport:
    names = {move.name for move in moves}
    values = {name: getattr(report, name) for name in AddReport.model_fields}
    values["unchanged"] = tuple(name for name in report.unchanged if name not in names)
    return SyncReport(
        **values,
        moved=tuple(MovedFile(before=move.document.name, now=move.name) for move in moves),
        removed=tuple(document.name for document in gone),
    )


class _Outlook(NamedTuple):
    outcome: Outcome
    reason: str = ""


def _foreseen(library: Library, found: Collected, plan: SyncPlan) -> SyncReport:
    targets = {move.source_uri for move in plan.moves}
    outlooks = [
        (source.name, _look_ahead(library, source)) for source in found.sources if source.source_uri not in targets
    ]

    def names(outcome: Outcome) -> tuple[str, ...]:
        return tuple(name for name, outlook in outlooks if outlook.outcome is outcome)

    failed = [FailedFile(path=name, reason=one.reason) for name, one in outlooks if one.outcome is Outcome.FAILED]
    progress = library.vector_progress()
    report = AddReport(
        added=names(Outcome.ADDED),
        updated=names(Outcome.UPDATED),
        unchanged=names(Outcome.UNCHANGED),
        failed=(*found.failed, *failed),
        library_version=library.version,
        vectors_done=progress.done,
        vectors_total=progress.total,
    )
    return _with_changes(report, plan.moves, plan.gone).model_copy(update={"dry_run": True})


def _look_ahead(library: Library, source: SourceFile) -> _Outlook:
    before = library.document_at(source.source_uri)
    try:
        beside = said_beside(source.path, source.uri)
        if before is None:
            return _Outlook(Outcome.ADDED)
        if before.version != content_version(source.path):
            return _Outlook(Outcome.UPDATED)
    except InputFileError as error:
        return _Outlook(Outcome.FAILED, error.reason)
    known = redescribed(source, before, beside)
    is_same = known is not None and same_description(known, before)
    return _Outlook(Outcome.UNCHANGED if is_same else Outcome.UPDATED)
