"""The formats of a library's file: how a new one is made, and how those of earlier versions are brought up to date."""

from __future__ import annotations

import sqlite3

from . import rows
from .connection import statements

FORMAT_VERSION = 3
_MIGRATIONS = {1: "migrate_1_to_2.sql", 2: "migrate_2_to_3.sql"}


def create(cursor: sqlite3.Cursor) -> None:
    """Make the tables of a new library, inside a transaction; nothing where another process was first."""
    if cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return
    for statement in statements("schema.sql"):
        cursor.execute(statement)
    values = [("format_version", str(FORMAT_VERSION)), ("library_version", "0"), ("vector_generation", "0")]
    cursor.executemany("INSERT INTO meta VALUES (?, ?)", values)


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
