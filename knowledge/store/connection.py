"""How the embedded store opens its file, and what SQLite's errors mean to a user."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from ...errors import LibraryError, LibraryFormatError

# What SQLite says of a damaged file; one of its messages quotes the damaged text itself.
_DAMAGE = ("malformed", "not a database", "no such table", "no such column", "Could not decode")
_LONGEST_REASON = 80
_LOG_MILLISECONDS = 500


def connect(path: Path, busy_milliseconds: int, *, must_exist: bool = False) -> sqlite3.Connection:
    """A connection without implicit transactions.

    Args:
        path: the library's file.
        busy_milliseconds: how long a statement waits for another writer before it fails.
        must_exist: whether a missing file is an error; else it is made.
    """
    # On read-only media no lock and no shared memory can be made: the file is then read as one that never changes.
    fixed = path.is_file() and not os.access(path.parent, os.W_OK)
    mode = "ro&immutable=1" if fixed else "rw" if must_exist else "rwc"
    target = f"{path.resolve().as_uri()}?mode={mode}"
    connection = sqlite3.connect(target, isolation_level=None, check_same_thread=False, uri=True)
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {busy_milliseconds}")
    connection.execute("PRAGMA foreign_keys = ON")
    # What was removed is overwritten, not only forgotten; many builds of SQLite do so by themselves.
    connection.execute("PRAGMA secure_delete = ON")
    return connection


@contextmanager
def library_errors(path: Path) -> Iterator[None]:
    """SQLite's errors as errors of the library, which name the file."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error)
        if any(sign in text for sign in _DAMAGE):
            text = text if len(text) <= _LONGEST_REASON else "damaged data"
            raise LibraryFormatError(
                f"{path}: not a readable library ({text}): restore a backup or add the documents again"
            ) from error
        if "readonly" in text:
            text += "; open it once where it can be written, so that it can be brought up to date"
        raise LibraryError(f"{path}: {text}") from error


def empty_log(connection: sqlite3.Connection, busy_milliseconds: int) -> None:
    """Take into the file what its log holds, and empty the log: pages as they were before stand in it.

    Where a reader is at work for longer than a moment the log stays; it goes when the library is closed.
    """
    connection.execute(f"PRAGMA busy_timeout = {_LOG_MILLISECONDS}")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {busy_milliseconds}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Cursor]:
    """Everything inside or nothing; the writer's place is taken at once."""
    cursor = connection.cursor()
    cursor.execute("BEGIN IMMEDIATE")
    try:
        yield cursor
        cursor.execute("COMMIT")
    finally:
        # Still open only after a failure; a full disk may have rolled back already.
        if connection.in_transaction:
            cursor.execute("ROLLBACK")


def statements(name: str) -> list[str]:
    """The statements of an SQL file of this package."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    sql = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    return [statement for statement in sql.split(";") if statement.strip()]
