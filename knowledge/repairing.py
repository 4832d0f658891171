"""Puts a library in order: derived files are made anew, what belongs to nothing goes, what is lost is named."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ..errors import LibraryFormatError
from .backup import LEFTOVER_PREFIX
from .store import rows
from .store.connection import connect, library_errors, transaction
from .upkeep import STORE_FILE, LibraryUpkeep

UNPACKED_PREFIX = "unpacked-"
"""How the names of folders begin into which additions unpack archives."""

_BUSY_MILLISECONDS = 30_000
# Younger ones may belong to a process that is at work: a backup does not hold the writer's lock.
_ABANDONED_SECONDS = 3_600

_USED = (
    "search_hash NOT IN (SELECT search_hash FROM passages) "
    "AND search_hash NOT IN (SELECT search_hash FROM replaced_passages)"
)
_NOT_ANALYSED = " AND ".join(
    "(search_hash, domain) NOT IN (SELECT s.search_hash, coalesce(d.domain, '') "
    f"FROM {passages} s JOIN documents d ON d.id = s.document)"
    for passages in ("passages", "replaced_passages")
)
_NO_DOCUMENT = "document NOT IN (SELECT id FROM documents)"
_ORPHANS = (
    *((f"{table} of no document", f"DELETE FROM {table} WHERE {_NO_DOCUMENT}")
      for table in ("readers", "placements", "passages", "replaced_passages", "aliases")),
    ("blocks that stand nowhere", "DELETE FROM blocks WHERE block_id NOT IN (SELECT block_id FROM placements)"),
    ("passages of no block", "DELETE FROM passages WHERE NOT EXISTS (SELECT 1 FROM placements p "
     "WHERE p.document = passages.document AND p.block_id = passages.block_id)"),
    ("analyses of no passage", f"DELETE FROM analyses WHERE {_NOT_ANALYSED}"),
    ("vectors of no passage", f"DELETE FROM vectors WHERE {_USED}"),
)  # fmt: skip
# A document whose text is there in part must not answer: it is taken out, and its file is named to be added again.
_INCOMPLETE = (
    "SELECT DISTINCT d.doc_id, d.name FROM documents d WHERE d.status = 'active' AND ("
    "NOT EXISTS (SELECT 1 FROM placements p WHERE p.document = d.id) "
    "OR EXISTS (SELECT 1 FROM placements p WHERE p.document = d.id "
    "AND p.block_id NOT IN (SELECT block_id FROM blocks)) "
    "OR (SELECT count(*) FROM placements p WHERE p.document = d.id) "
    "<> (SELECT 1 + max(p.ordinal) FROM placements p WHERE p.document = d.id) "
    "OR NOT EXISTS (SELECT 1 FROM passages s WHERE s.document = d.id)) ORDER BY d.name"
)


class Repair(NamedTuple):
    """What a repair has done and found."""

    done: tuple[str, ...]
    """one sentence each"""
    lost: tuple[str, ...]
    """names of documents that were incomplete and had to go: add them again"""


def repair(library: LibraryUpkeep, refresh: Callable[[], None], on_wait: Callable[[str], None] | None = None) -> Repair:
    """Check and mend a library whose file can be opened.

    Args:
        library: which; opened for this alone, since an open search goes on with the index files that it has.
        refresh: makes its index files anew.
        on_wait: told whom we wait for.

    Raises:
        LibraryBusyError: another writer did not finish in time.
        LibraryFormatError: the store itself is damaged: only a backup helps.
    """
    store = library.folder / STORE_FILE
    with library.writing("repair", on_wait):
        with library_errors(store), closing(connect(store, _BUSY_MILLISECONDS, must_exist=True)) as connection:
            done = list(_checked(connection, store))
            lost = _incomplete(connection)
            for document in lost:
                library.remove(document.doc_id)
            done += _without_orphans(connection)
        done += _without_leftovers(library.folder)
        shutil.rmtree(library.folder / "index", ignore_errors=True)
        refresh()
    return Repair((*done, "index files were made anew"), tuple(document.name for document in lost))


class _Incomplete(NamedTuple):
    doc_id: str
    name: str


def _checked(connection: sqlite3.Connection, store: Path) -> Iterator[str]:
    """Damaged database indexes can be made anew, damaged data cannot."""
    found = _problem(connection)
    if found is None:
        yield "the store is sound"
        return
    try:
        connection.execute("REINDEX")
        after = _problem(connection)
    except sqlite3.DatabaseError as error:
        after = str(error)
    if after is not None:
        raise LibraryFormatError(f"{store}: is damaged ({after[:80]}): restore a backup or add the documents anew")
    yield f"indexes inside the store were made anew ({found[:80]})"


def _problem(connection: sqlite3.Connection) -> str | None:
    """Thorough, unlike the check of `doctor`: it compares each database index with its table."""
    found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    return None if found == "ok" else found


def _incomplete(connection: sqlite3.Connection) -> list[_Incomplete]:
    return [_Incomplete(*row) for row in connection.execute(_INCOMPLETE).fetchall()]


def _without_orphans(connection: sqlite3.Connection) -> list[str]:
    """Remove rows that belong to nothing; a library that was only ever killed has none."""
    done = []
    # Rows that refer to what is gone are what is looked for here.
    connection.execute("PRAGMA foreign_keys = OFF")
    with transaction(connection) as cursor:
        for what, statement in _ORPHANS:
            count = cursor.execute(statement).rowcount
            if count:
                done.append(f"removed {count:,} {what}")
        if done:
            rows.raise_version(cursor)
    left = connection.execute("PRAGMA foreign_key_check").fetchall()
    return [*done, *([f"{len(left):,} rows still refer to what is not there"] if left else [])]


def _without_leftovers(folder: Path) -> list[str]:
    """What processes that were killed have left behind."""
    done = []
    for path in sorted(folder.glob(f"{LEFTOVER_PREFIX}*")):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                path.unlink()
                done.append(f"removed {path.name}, which a killed backup or restore has left")
        except OSError:
            continue
    for left in sorted(folder.glob(f"{UNPACKED_PREFIX}*")):
        # Whoever unpacks there holds the writer's lock, as we do now.
        shutil.rmtree(left, ignore_errors=True)
        done.append(f"removed {left.name}, which a killed addition has left")
    return done
