"""Adds files and folders: finds them, runs each through the ingest graph, then brings the indexes up."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

from ..errors import InputFileError
from ..knowledge.library import Library
from ..knowledge.store import VectorProgress
from ..nodes.ingest.state import IngestContext, Outcome, SourceFile
from .ingest import build_ingest

# Written by editors and systems beside the real files: lock files, thumbnails.
_LEFTOVERS = ("~$", ".")
_LEFTOVER_NAMES = frozenset({"Thumbs.db", "desktop.ini"})


class FailedFile(BaseModel):
    """A file that did not go in, and why."""

    model_config = ConfigDict(frozen=True)

    path: str
    reason: str


class UnreadPages(BaseModel):
    """A document that went in, with pages that nothing could be read from."""

    model_config = ConfigDict(frozen=True)

    path: str
    pages: tuple[int, ...]


class AddReport(BaseModel):
    """What became of the files of one call."""

    model_config = ConfigDict(frozen=True)

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    failed: tuple[FailedFile, ...] = ()
    unread: tuple[UnreadPages, ...] = ()
    library_version: int = Field(ge=0)
    vectors_done: int = Field(default=0, description="passages with a vector")
    vectors_total: int = Field(default=0, description="passages in all")


class FileProgress(NamedTuple):
    """How far an addition is."""

    done: int
    total: int
    name: str


class AddListener(Protocol):
    """Told how an addition goes."""

    def waiting(self, holder: str) -> None:
        """Another process is writing."""

    def file(self, progress: FileProgress) -> None:
        """A file is about to be read."""

    def vectors(self, progress: VectorProgress) -> None:
        """A batch of vectors was stored."""


class _Silent:
    """Nobody listens."""

    def waiting(self, holder: str) -> None:
        """Ignored."""

    def file(self, progress: FileProgress) -> None:
        """Ignored."""

    def vectors(self, progress: VectorProgress) -> None:
        """Ignored."""


def add_files(
    library: Library,
    paths: Iterable[str | Path],
    *,
    readers: frozenset[str] | None = None,
    again: bool = False,
    vector_minutes: float | None = None,
    listener: AddListener | None = None,
) -> AddReport:
    """Add files, and folders with everything below them, to a library.

    Each file is one transaction: stopping at any moment leaves whole documents only, and running again continues.

    Args:
        library: where to.
        paths: files and folders.
        readers: who may see them; None keeps what was set before (new documents: everyone).
        again: read files anew although their content is unchanged.
        vector_minutes: how long to make vectors before returning; default: `indexing.vector_minutes`.
        listener: told about progress.

    Raises:
        LibraryBusyError: another process is writing and did not finish in time.
        LibraryError: the library cannot take more (a full disk).
    """
    told = listener or _Silent()
    sources, missing = _collect(paths, readers, again)
    with library.writing("add", told.waiting):
        outcomes = list(_run(library, sources, told))
        library.refresh()
        minutes = library.settings.indexing.vector_minutes if vector_minutes is None else vector_minutes
        progress = library.embed(seconds=minutes * 60, progress=told.vectors)
        library.refresh()
        return _report(library, outcomes, missing, progress)


class _Result(NamedTuple):
    source: SourceFile
    outcome: Outcome
    reason: str
    unread_pages: tuple[int, ...]


def _run(library: Library, sources: Sequence[SourceFile], told: AddListener) -> Iterator[_Result]:
    graph = build_ingest()
    context = IngestContext(library=library)
    for done, source in enumerate(sources):
        told.file(FileProgress(done, len(sources), source.name))
        end = graph.invoke({"source": source}, context=context)
        yield _Result(source, end["outcome"], end.get("reason", ""), end.get("unread_pages", ()))
    told.file(FileProgress(len(sources), len(sources), ""))


def _collect(
    paths: Iterable[str | Path], readers: frozenset[str] | None, again: bool
) -> tuple[list[SourceFile], list[FailedFile]]:
    sources: dict[Path, SourceFile] = {}
    missing = []
    for given in map(Path, paths):
        try:
            found = list(_files_below(given))
        except InputFileError as error:
            missing.append(FailedFile(path=str(given), reason=error.reason))
            continue
        for path, name in found:
            sources.setdefault(path.resolve(), SourceFile(path=path, name=name, readers=readers, again=again))
    return list(sources.values()), missing


def _files_below(given: Path) -> Iterator[tuple[Path, str]]:
    if given.is_file():
        yield given, given.name
    elif given.is_dir():
        # os.walk does not follow symbolic links to folders, so loops end.
        for folder, folders, names in os.walk(given):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if not name.startswith(_LEFTOVERS) and name not in _LEFTOVER_NAMES:
                    path = Path(folder) / name
                    yield path, path.relative_to(given).as_posix()
    elif given.exists():
        raise InputFileError(str(given), "is neither a file nor a folder")
    else:
        raise InputFileError(str(given), "does not exist: check the path")


def _report(
    library: Library, results: Sequence[_Result], missing: Sequence[FailedFile], progress: VectorProgress
) -> AddReport:
    names: dict[Outcome, list[str]] = {outcome: [] for outcome in Outcome}
    for result in results:
        names[result.outcome].append(result.source.name)
    failed = [FailedFile(path=str(r.source.path), reason=r.reason) for r in results if r.outcome is Outcome.FAILED]
    unread = [UnreadPages(path=r.source.name, pages=r.unread_pages) for r in results if r.unread_pages]
    return AddReport(
        added=tuple(names[Outcome.ADDED]),
        updated=tuple(names[Outcome.UPDATED]),
        unchanged=tuple(names[Outcome.UNCHANGED]),
        failed=(*missing, *failed),
        unread=tuple(unread),
        library_version=library.version,
        vectors_done=progress.done,
        vectors_total=progress.total,
    )
