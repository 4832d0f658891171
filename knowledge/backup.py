"""A library in one file, taken while others write; and the way back, which changes nothing unless the file is sound.

What is in `index` is derived from the store and made anew where it is missing: the store is all there is to keep. Runs
that wait for consent, and the log of it, are left out: restored, they would make calls a second time.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

from ..errors import LibraryError, LibraryFormatError, UsageError
from .backup_file import BACKUP_FORMAT, Manifest, Progress, pack, pour, read_manifest, unpack, verify
from .kept_runs import LIBRARY_RESTORED, end_all_runs
from .locking import WriterLock
from .store import SqliteStore
from .store.connection import connect, library_errors
from .store.formats import added_code, lacking
from .upkeep import STORE_FILE

__all__ = ["Manifest", "read_manifest", "restore_backup", "write_backup"]

LEFTOVER_PREFIX = ".veriloop-part-"
"""How the names of files begin that are being written by a backup or a restore."""

_PAGES_AT_ONCE = 4_096
_BUSY_MILLISECONDS = 30_000


def write_backup(folder: Path, target: Path, *, replace: bool = False, progress: Progress | None = None) -> Manifest:
    """Write a backup of a library as it is now. Others may read and write it meanwhile; none waits.

    Args:
        folder: the library.
        target: the file to make; it appears only when it is complete.
        replace: whether a file of that name may be replaced.
        progress: told how far it is.

    Raises:
        UsageError: there is no library, or the target is there already.
        LibraryError: the target cannot be written (a full disk).
        LibraryFormatError: the library is damaged; nothing was written.
    """
    store = folder / STORE_FILE
    if not store.is_file():
        raise UsageError(f"{folder}: no library here, so there is nothing to back up")
    if target.is_dir() or (target.exists() and not replace):
        raise UsageError(f"{target}: is there already: give another name, or --replace to overwrite it")
    tell = progress or _ignore
    with _written(target) as (copy, packed):
        _copy_store(store, copy, tell)
        manifest = _manifest_of(copy)
        pack(copy, packed, manifest, tell)
        if packed.stat().st_size and read_manifest(packed) != manifest:
            raise LibraryError(f"{target}: came out wrong: check the disk")
        _replace(packed, target)
    return manifest


def restore_backup(
    file: Path,
    folder: Path,
    *,
    replace: bool = False,
    wait_seconds: float = 60.0,
    on_wait: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Make a folder the library that a backup holds. A backup that is not sound changes nothing.

    Processes that have the old library open go on with it until they open it anew.

    Args:
        file: the backup.
        folder: the library; made where it is missing.
        replace: whether a library with documents may be replaced.
        wait_seconds: how long to wait for another writer.
        on_wait: told whom we wait for.
        progress: told how far it is.

    Raises:
        UsageError: there is no such file, or a library with documents and `replace` is False.
        LibraryFormatError: the backup is damaged or was made by a newer version.
        LibraryError: the folder cannot be written, or the library is in use.
    """
    manifest = read_manifest(file)
    verify(file, manifest)
    if not replace and holds_documents(folder):
        raise UsageError(f"{folder}: holds documents already: restore into another folder, or give --replace")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LibraryError(f"{folder}: cannot be used as a library folder ({error.strerror})") from error
    with WriterLock(folder, wait_seconds).held("restore", on_wait), _written(folder / STORE_FILE) as (copy, _):
        unpack(file, manifest, copy, progress or _ignore)
        _check_store(file, copy, manifest)
        if not replace and holds_documents(folder):
            raise UsageError(f"{folder}: holds documents by now: restore into another folder, or give --replace")
        _swap(copy, folder / STORE_FILE)
        shutil.rmtree(folder / "index", ignore_errors=True)
        # What waits has read the library that was here before, and consent is never given twice.
        end_all_runs(folder, LIBRARY_RESTORED)
    return manifest


def holds_documents(folder: Path) -> bool:
    """Whether a folder holds a library with documents, or one that cannot be read."""
    store = folder / STORE_FILE
    if not store.is_file() or not store.stat().st_size:
        return False
    try:
        with library_errors(store), closing(connect(store, _BUSY_MILLISECONDS, must_exist=True)) as connection:
            return connection.execute("SELECT 1 FROM documents LIMIT 1").fetchone() is not None
    except LibraryError:
        return True


def _copy_store(store: Path, copy: Path, tell: Progress) -> None:
    """The store at one moment. The open read keeps that moment, so that writers do not make the copy begin anew."""
    with library_errors(store), closing(connect(store, _BUSY_MILLISECONDS, must_exist=True)) as source:
        source.execute("BEGIN")
        found = str(source.execute("PRAGMA quick_check(1)").fetchone()[0])
        if found != "ok":
            raise LibraryFormatError(f"{store}: is damaged ({found[:80]}): there is nothing sound to back up")
        page_bytes = int(source.execute("PRAGMA page_size").fetchone()[0])

        def told(_status: int, remaining: int, total: int) -> None:
            tell((total - remaining) * page_bytes // 2, total * page_bytes)

        with closing(sqlite3.connect(copy)) as target:
            source.backup(target, pages=_PAGES_AT_ONCE, progress=told)
            # One file without a companion, whatever state it is read in.
            target.execute("PRAGMA journal_mode = DELETE")


def _manifest_of(copy: Path) -> Manifest:
    with closing(sqlite3.connect(copy)) as connection:
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        documents = connection.execute("SELECT count(*) FROM documents WHERE status = 'active'").fetchone()[0]
        blocks = connection.execute("SELECT count(*) FROM blocks").fetchone()[0]
    with copy.open("rb") as stream:
        summed = pour(stream, None)
    return Manifest(
        format=BACKUP_FORMAT,
        store_format=int(meta["format_version"]),
        created_at=datetime.now(UTC),
        made_by=f"veriloop {version('veriloop')}",
        library_version=int(meta["library_version"]),
        documents=documents,
        blocks=blocks,
        bytes=summed.size,
        sha256=summed.digest,
    )


def _check_store(file: Path, copy: Path, manifest: Manifest) -> None:
    """A store that would not open as a library, or not as the one that was backed up, must not replace another.

    The digest tells only that it is what the manifest speaks of: whoever makes a backup writes both.
    """
    with library_errors(file), closing(sqlite3.connect(copy)) as connection:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        wrong = added_code(connection) if found == "ok" else found
        version = connection.execute("SELECT value FROM meta WHERE key = 'format_version'").fetchone()
        if wrong is None and (version is None or version[0] != str(manifest.store_format)):
            wrong = "it is of another format than its manifest says"
    if wrong is None:
        with library_errors(file), closing(connect(_brought_up_to_date(copy), _BUSY_MILLISECONDS)) as connection:
            wrong = lacking(connection)
            connection.execute("PRAGMA journal_mode = WAL")
    if wrong is not None:
        raise LibraryFormatError(f"{file}: its store is damaged ({wrong[:80]}): use another backup")


def _brought_up_to_date(store: Path) -> Path:
    SqliteStore(store).close()
    return store


def _swap(copy: Path, store: Path) -> None:
    """Put a store in the place of another whose log must not be applied to it.

    What the log holds is brought into the old store first, so that stopping in between leaves the old one whole.
    """
    if store.is_file():
        with suppress(sqlite3.DatabaseError), closing(connect(store, _BUSY_MILLISECONDS, must_exist=True)) as old:
            busy = old.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if busy:
                raise LibraryError(f"{store}: is being read by another process: try again when that has finished")
    for ending in ("-wal", "-shm"):
        Path(f"{store}{ending}").unlink(missing_ok=True)
        Path(f"{copy}{ending}").unlink(missing_ok=True)
    _replace(copy, store)


@contextmanager
def _written(target: Path) -> Iterator[tuple[Path, Path]]:
    """Two names beside a target for what is being written; whatever is left of them goes in the end."""
    parts = [target.parent / f"{LEFTOVER_PREFIX}{uuid4().hex}" for _ in range(2)]
    try:
        yield parts[0], parts[1]
    except OSError as error:
        raise LibraryError(f"{target}: cannot be written ({error.strerror})") from error
    except sqlite3.DatabaseError as error:
        raise LibraryError(f"{target}: cannot be written ({error})") from error
    finally:
        for part in parts:
            for ending in ("", "-wal", "-shm", "-journal"):
                with suppress(OSError):
                    Path(f"{part}{ending}").unlink(missing_ok=True)


def _replace(part: Path, target: Path) -> None:
    """The rename, and what makes it outlive a loss of power."""
    with part.open("rb") as stream:
        os.fsync(stream.fileno())
    part.replace(target)
    with suppress(OSError):  # not every system can do it for a folder
        place = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)


def _ignore(_done: int, _total: int) -> None:
    """Nobody listens."""
