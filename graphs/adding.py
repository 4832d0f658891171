"""Adds files and folders: finds them, runs each through the ingest graph, then brings the indexes up."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from ..errors import LibraryError, ModelError
from ..knowledge.description import Description
from ..knowledge.elements import ParseOptions
from ..knowledge.library import Library
from ..knowledge.repairing import UNPACKED_PREFIX
from ..nodes.ingest.closing import ClosedDocument
from ..nodes.ingest.state import SourceFile
from .add_report import (
    AddListener,
    AddReport,
    FailedFile,
    FileProgress,
    Silent,
    StageSeconds,
    UnreadPages,
    VectorResult,
    make_report,
)
from .collecting import Collected, collect
from .ingesting import ingest

__all__ = ["AddListener", "AddReport", "FailedFile", "FileProgress", "StageSeconds", "UnreadPages", "add_files"]


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
    """Add files, folders with everything below them, and archives with everything inside, to a library.

    Files are read by other processes, side by side and each within the limits of `parsing` in the settings. Each is
    one transaction: stopping at any moment leaves whole documents only, and running again continues.

    Args:
        library: where to.
        paths: files and folders.
        readers: who may see them; None keeps what was set before (new documents: everyone).
        again: read files anew although their content is unchanged.
        described: type, domain, authority and dates of all these files; None keeps what was set before.
        vector_minutes: how long to make vectors before returning; default: `indexing.vector_minutes`.
        passwords: tried on encrypted files, in this order.
        listener: told about progress, by this thread.

    Raises:
        LibraryBusyError: another process is writing and did not finish in time.
        LibraryError: the library cannot take more (a full disk), or the processes that read files do not start.
    """
    told = listener or Silent()
    given = SourceFile(path=Path(), name="", readers=readers, again=again, described=described or Description())
    options = parse_options(library, passwords)
    begun = time.monotonic()
    with library.writing("add", told.waiting), room_to_unpack(library) as unpacked:
        found = collect(library, paths, given, options, unpacked)
        return add_collected(library, found, options, told, vector_minutes, begun)


def add_collected(
    library: Library,
    found: Collected,
    options: ParseOptions,
    told: AddListener,
    vector_minutes: float | None,
    begun: float,
    gone: tuple[ClosedDocument, ...] = (),
) -> AddReport:
    """Add what was found, whose writer we are; `begun` is when the looking for it began, by the monotonic clock.

    `gone` are removed when all files are in: whoever is stopped before that still knows who may read them.
    """
    collected = time.monotonic()
    results = ingest(library, found.sources, options, told, gone)
    for closed in gone:
        library.remove(closed.document.doc_id)
    stored = time.monotonic()
    library.refresh()
    refreshed = time.monotonic()
    minutes = library.settings.indexing.vector_minutes if vector_minutes is None else vector_minutes
    vectors = _embed(library, minutes * 60, told)
    embedded = time.monotonic()
    library.refresh()
    end = time.monotonic()
    seconds = StageSeconds(
        read=collected - begun,
        index=(refreshed - stored) + (end - embedded),
        vectors=embedded - refreshed,
        total=end - begun,
    )
    return make_report(results, found.failed, vectors, library.version, seconds)


def _embed(library: Library, seconds: float, told: AddListener) -> VectorResult:
    """Make vectors; says why the model failed, if it did. The documents are in, and found by words."""
    before, problem = library.vector_progress().done, ""
    try:
        library.embed(seconds=seconds, progress=told.vectors)
    except ModelError as error:
        problem = str(error)
    after = library.vector_progress()
    return VectorResult(max(0, after.done - before), after, problem)


def parse_options(library: Library, passwords: Sequence[str]) -> ParseOptions:
    """How files are read, as the settings of a library say."""
    limits = library.settings.parsing
    return ParseOptions(
        passwords=tuple(SecretStr(password) for password in passwords),
        readers=limits.readers,
        ocr=limits.ocr,
        ocr_seconds=limits.ocr_seconds_of_file,
        most_pages=limits.max_pages,
        most_cells=limits.max_cells,
    )


@contextmanager
def room_to_unpack(library: Library) -> Iterator[Path]:
    """A folder for what archives hold, beside the library; what a killed addition has left there goes first."""
    for left in library.folder.glob(f"{UNPACKED_PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)
    try:
        room = tempfile.TemporaryDirectory(dir=library.folder, prefix=UNPACKED_PREFIX, ignore_cleanup_errors=True)
    except OSError as error:
        raise LibraryError(f"{library.folder}: cannot be written ({error.strerror})") from error
    with room:
        yield Path(room.name)
