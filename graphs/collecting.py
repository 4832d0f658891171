"""Finds the files to add: those named, those below folders, those inside archives."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ..errors import InputFileError
from ..knowledge.elements import ParseOptions
from ..knowledge.library import STORE_FILE, Library
from ..knowledge.metadata import is_metadata_file
from ..knowledge.parsing import containers
from ..knowledge.repairing import UNPACKED_PREFIX
from ..nodes.ingest.state import SourceFile
from ..tools.approval.journal import JOURNAL_FILE, LOCK_FOLDER
from .add_report import FailedFile
from .checkpoints import THREADS_FILE

# Written by editors and systems beside the real files: lock files, thumbnails.
_LEFTOVERS = ("~$", ".")
_LEFTOVER_NAMES = frozenset({"Thumbs.db", "desktop.ini"})
# What a library keeps in its folder beside the store.
_INDEX, _LOCKS = "index", frozenset({"write.lock", "writer.json"})
# Kept runs and the journal of calls that need consent, with what SQLite puts beside them, and the locks of calls.
_OF_RUNS = (THREADS_FILE, JOURNAL_FILE, LOCK_FOLDER)
_OUTSIDE = "is a link to a file outside this folder, which is not followed: add that file by its own path"
_NO_FILE = "is neither a file nor a folder: a pipe or a device is not read"


class Found(NamedTuple):
    """A file to add, with its name for people."""

    path: Path
    name: str
    uri: str | None = None


class Collected(NamedTuple):
    """All that was found, in the order of finding and each file once, and what cannot be read."""

    sources: list[SourceFile]
    failed: list[FailedFile]


def collect(
    library: Library, paths: Iterable[str | Path], given: SourceFile, options: ParseOptions, unpacked: Path
) -> Collected:
    """Find the files.

    Args:
        library: its own folder is left out, should it lie below one of `paths`.
        paths: files and folders.
        given: what is to hold for every file.
        options: its passwords open archives.
        unpacked: an existing empty folder for what archives hold.
    """
    sources: dict[str, SourceFile] = {}
    failed = []
    for path in paths:
        for found in (one for outer in _found(path, library) for one in _opened(outer, options, unpacked)):
            if isinstance(found, FailedFile):
                failed.append(found)
            else:
                source = given.model_copy(update=found._asdict())
                sources.setdefault(source.source_uri, source)
    return Collected(list(sources.values()), failed)


def _opened(found: Found | FailedFile, options: ParseOptions, unpacked: Path) -> Iterator[Found | FailedFile]:
    """The file, or what it holds if it is an archive."""
    if isinstance(found, FailedFile) or not containers.is_container(found.path):
        yield found
        return
    uri = found.path.resolve().as_uri()
    try:
        for member in _members(found, Path(tempfile.mkdtemp(dir=unpacked)), options):
            if isinstance(member, containers.RefusedMember):
                yield FailedFile(path=member.name, reason=member.reason)
            else:
                yield Found(member.path, member.name, uri + member.uri_suffix)
    except InputFileError as error:
        yield FailedFile(path=found.name, reason=error.reason)


def _members(archive: Found, into: Path, options: ParseOptions) -> list[containers.Member | containers.RefusedMember]:
    """What an archive holds.

    Raises:
        InputFileError: it cannot be read, or says in itself who may read what it holds: nobody could change that.
    """
    members = list(containers.members(archive.path, archive.name, into, options))
    for member in members:
        if is_metadata_file(into / member.name):
            inner = PurePosixPath(member.name).name
            reason = f"holds {inner}, which describes documents: describe the archive beside it, or unpack it"
            raise InputFileError(archive.name, reason)
    return members


def _found(given: str | Path, library: Library) -> Iterator[Found | FailedFile]:
    if not str(given):
        yield FailedFile(path="", reason="is empty: name a file or a folder ('.' for the present one)")
        return
    path = Path(given)
    try:
        kind = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = "does not exist: check the path" if isinstance(error, FileNotFoundError) else _why(error)
        yield FailedFile(path=printable(given), reason=reason)
        return
    if stat.S_ISDIR(kind):
        yield from _below(path, library)
    elif stat.S_ISREG(kind):
        yield Found(path, printable(path.name))
    else:
        yield FailedFile(path=printable(given), reason=_NO_FILE)


def _below(folder: Path, library: Library) -> Iterator[Found | FailedFile]:
    """Everything to read below a folder; the library itself is left out, should it lie there."""
    own, root = library.folder.resolve(), folder.resolve()
    unread: list[FailedFile] = []

    def refuse(error: OSError) -> None:
        place = Path(error.filename or folder)
        name = place if place == folder else place.relative_to(folder).as_posix()
        unread.append(FailedFile(path=printable(name), reason=_why(error)))

    # os.walk does not follow symbolic links to folders, so loops end.
    for place, folders, names in os.walk(folder, onerror=refuse):
        here = Path(place)
        is_own = here.resolve() == own
        folders[:] = sorted(n for n in folders if _is_folder_of_documents(here / n, own, is_beside=is_own))
        for name in sorted(names):
            if _is_wanted(here / name) and not (is_own and _is_store(name)):
                yield _checked(here / name, printable((here / name).relative_to(folder).as_posix()), root)
    yield from unread


def _is_folder_of_documents(path: Path, own: Path, *, is_beside: bool) -> bool:
    """Whether to look into a folder: not the library's own, nor, where documents lie beside its files, those of it."""
    if path.name.startswith(".") or path.resolve() == own:
        return False
    return not (is_beside and (path.name in (_INDEX, LOCK_FOLDER) or path.name.startswith(UNPACKED_PREFIX)))


def _is_wanted(path: Path) -> bool:
    return not (path.name.startswith(_LEFTOVERS) or path.name in _LEFTOVER_NAMES or is_metadata_file(path))


def _is_store(name: str) -> bool:
    return name.startswith((STORE_FILE, *_OF_RUNS)) or name in _LOCKS


def _checked(path: Path, name: str, root: Path) -> Found | FailedFile:
    """A regular file, or why not.

    Pipes and devices would never end. A link may lead nowhere, to itself, or to what whoever can write into a shared
    folder wants to be read.
    """
    try:
        kind = path.stat().st_mode
        target = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        return FailedFile(path=name, reason=_why(error))
    if not stat.S_ISREG(kind):
        return FailedFile(path=name, reason=_NO_FILE)
    return Found(path, name) if target.is_relative_to(root) else FailedFile(path=name, reason=_OUTSIDE)


def _why(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return f"cannot be read ({reason}): check the name, the link and its permissions"


def printable(name: str | Path) -> str:
    """A file name as text: bytes that are no UTF-8 become question marks."""
    return os.fsencode(name).decode("utf-8", "replace")
