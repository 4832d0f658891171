"""The formats of a library's file: how a new one is made, and how those of earlier versions are brought up to date."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from ...errors import LibraryFormatError
from . import rows
from .connection import statements

FORMAT_VERSION = 4
_MIGRATIONS = {1: "migrate_1_to_2.sql", 2: "migrate_2_to_3.sql", 3: "migrate_3_to_4.sql"}


def create(cursor: sqlite3.Cursor) -> None:
    """Make the tables of a new library, inside a transaction; nothing where another process was first."""
    if cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return
    for statement in statements("schema.sql"):
        cursor.execute(statement)
    values = [("format_version", str(FORMAT_VERSION)), ("library_version", "0"), ("vector_generation", "0")]
    cursor.executemany("INSERT INTO meta VALUES (?, ?)", values)


def checked_format(stored: str | None, path: Path) -> int:
    """The format that a library says it has.

    Raises:
        LibraryFormatError: it says none, or one of a newer version.
    """
    if stored is None or not stored.isdecimal():
        raise LibraryFormatError(f"{path}: says no format that there is: restore a backup")
    if int(stored) > FORMAT_VERSION:
        raise LibraryFormatError(
            f"{path}: made by a newer version (format {stored[:9]}, this one reads up to {FORMAT_VERSION}): "
            "upgrade veriloop"
        )
    return int(stored)


def needs_migration(version: int) -> bool:
    """Whether a file of this format is to be brought up to date."""
    return version in _MIGRATIONS


def migrate(cursor: sqlite3.Cursor) -> None:
    """Bring a library of an earlier format up to date, step by step, inside one transaction."""
    while (step := _MIGRATIONS.get(_format_of(cursor))) is not None:
        for statement in statements(step):
            cursor.execute(statement)
    rows.raise_version(cursor)


def _format_of(cursor: sqlite3.Cursor) -> int:
    found = cursor.execute("SELECT value FROM meta WHERE key = 'format_version'").fetchone()
    return int(found[0])


def added_code(connection: sqlite3.Connection) -> str | None:
    """A trigger or view in a file, which would change what its tables say; None as in every library."""
    found = connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone()
    return None if found is None else f"it holds the {found[0]} {found[1][:40]!r}"


def lacking(connection: sqlite3.Connection) -> str | None:
    """A table that is not as this format has it; None if all are."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        for statement in statements("schema.sql"):
            fresh.execute(statement)
        wanted = _columns(fresh)
    held = _columns(connection)
    found = next((table for table, columns in wanted.items() if not columns <= held.get(table, frozenset())), None)
    return None if found is None else f"its table {found!r} is not whole"


def _columns(connection: sqlite3.Connection) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    sql = "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
    for table, column in connection.execute(sql):
        found.setdefault(table, set()).add(column)
    return {table: frozenset(columns) for table, columns in found.items()}
