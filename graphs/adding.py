"""Adds files and folders: finds them, runs each through the ingest graph, then brings the indexes up."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from ..errors import ModelError
from ..knowledge.description import Description
from ..knowledge.elements import ParseOptions
from ..knowledge.library import Library
from ..knowledge.store import VectorProgress
from ..nodes.ingest.state import IngestContext, Outcome, SourceFile
from .ingest import build_ingest

# Written by editors and systems beside the real files: lock files, thumbnails.
_LEFTOVERS = ("~$", ".")
_NO_FILE = "is neither a file nor a folder: a pipe or a device is not read"
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
    vectors_problem: str = Field(default="", description="why the model made no more vectors; empty if it did not fail")


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
    described: Description | None = None,
    vector_minutes: float | None = None,
    passwords: Sequence[str] = (),
    listener: AddListener | None = None,
) -> AddReport:
    """Add files, and folders with everything below them, to a library.

    Each file is one transaction: stopping at any moment leaves whole documents only, and running again continues.

    Args:
        library: where to.
        paths: files and folders.
        readers: who may see them; None keeps what was set before (new documents: everyone).
        again: read files anew although their content is unchanged.
        described: type, domain, authority and dates of all these files; None keeps what was set before.
        vector_minutes: how long to make vectors before returning; default: `indexing.vector_minutes`.
        passwords: tried on encrypted files, in this order.
        listener: told about progress.

    Raises:
        LibraryBusyError: another process is writing and did not finish in time.
        LibraryError: the library cannot take more (a full disk).
    """
    told = listener or _Silent()
    given = SourceFile(path=Path(), name="", readers=readers, again=again, described=described or Description())
    sources, missing = _collect(library, paths, given)
    with library.writing("add", told.waiting):
        outcomes = list(_run(library, sources, told, _options(library, passwords)))
        library.refresh()
        minutes = library.settings.indexing.vector_minutes if vector_minutes is None else vector_minutes
        problem = _embed(library, minutes * 60, told)
        library.refresh()
        return _report(library, outcomes, missing, problem)


def _embed(library: Library, seconds: float, told: AddListener) -> str:
    """Make vectors; returns why the model failed, if it did. The documents are in, and found by words."""
    try:
        library.embed(seconds=seconds, progress=told.vectors)
    except ModelError as error:
        return str(error)
    return ""


class _Result(NamedTuple):
    source: SourceFile
    outcome: Outcome
    reason: str
    unread_pages: tuple[int, ...]


def _options(library: Library, passwords: Sequence[str]) -> ParseOptions:
    limits = library.settings.parsing
    return ParseOptions(
        passwords=tuple(SecretStr(password) for password in passwords),
        readers=limits.readers,
        ocr=limits.ocr,
        most_pages=limits.max_pages,
        most_cells=limits.max_cells,
    )


def _run(
    library: Library, sources: Sequence[SourceFile], told: AddListener, options: ParseOptions
) -> Iterator[_Result]:
    graph = build_ingest()
    context = IngestContext(library=library, options=options)
    for done, source in enumerate(sources):
        told.file(FileProgress(done, len(sources), source.name))
        end = graph.invoke({"source": source}, context=context)
        yield _Result(source, end["outcome"], end.get("reason", ""), end.get("unread_pages", ()))
    told.file(FileProgress(len(sources), len(sources), ""))


def _collect(
    library: Library, paths: Iterable[str | Path], given: SourceFile
) -> tuple[list[SourceFile], list[FailedFile]]:
    sources: dict[Path, SourceFile] = {}
    missing = []
    for path in paths:
        for found in _found(path, library):
            if isinstance(found, FailedFile):
                missing.append(found)
            else:
                source = given.model_copy(update={"path": found.path, "name": found.name})
                sources.setdefault(found.path.resolve(), source)
    return list(sources.values()), missing


class _Found(NamedTuple):
    path: Path
    name: str


def _found(given: str | Path, library: Library) -> Iterator[_Found | FailedFile]:
    if not str(given):
        yield FailedFile(path="", reason="is empty: name a file or a folder ('.' for the present one)")
        return
    path = Path(given)
    try:
        kind = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = "does not exist: check the path" if isinstance(error, FileNotFoundError) else _why(error)
        yield FailedFile(path=_printable(given), reason=reason)
        return
    if stat.S_ISDIR(kind):
        yield from _below(path, library)
    elif stat.S_ISREG(kind):
        yield _Found(path, _printable(path.name))
    else:
        yield FailedFile(path=_printable(given), reason=_NO_FILE)


def _below(folder: Path, library: Library) -> Iterator[_Found | FailedFile]:
    """Everything to read below a folder; the library itself is left out, should it lie there."""
    own = library.folder.resolve()
    # os.walk does not follow symbolic links to folders, so loops end.
    for place, folders, names in os.walk(folder):
        here = Path(place)
        folders[:] = sorted(n for n in folders if not n.startswith(".") and (here / n).resolve() != own)
        for name in sorted(names):
            if not name.startswith(_LEFTOVERS) and name not in _LEFTOVER_NAMES:
                yield _checked(here / name, _printable((here / name).relative_to(folder).as_posix()))


def _checked(path: Path, name: str) -> _Found | FailedFile:
    """A regular file, or why not: pipes and devices would never end, a link may lead nowhere or to itself."""
    try:
        kind = path.stat().st_mode
        path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        return FailedFile(path=name, reason=_why(error))
    return _Found(path, name) if stat.S_ISREG(kind) else FailedFile(path=name, reason=_NO_FILE)


def _why(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return f"cannot be read ({reason}): check the name, the link and its permissions"


def _printable(name: str | Path) -> str:
    """A file name as text: bytes that are no UTF-8 become question marks."""
    return os.fsencode(name).decode("utf-8", "replace")


def _report(library: Library, results: Sequence[_Result], missing: Sequence[FailedFile], problem: str) -> AddReport:
    progress = library.vector_progress()
    names: dict[Outcome, list[str]] = {outcome: [] for outcome in Outcome}
    for result in results:
        names[result.outcome].append(result.source.name)
    failed = [
        FailedFile(path=_printable(r.source.path), reason=r.reason) for r in results if r.outcome is Outcome.FAILED
    ]
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
        vectors_problem=problem,
    )
