"""What a library's file says of itself: its format, its version, and what derived files are named by."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from .protocol import StoreState


def read_meta(connection: sqlite3.Connection, key: str) -> str | None:
    """One value; None where there is none, or the file is new."""
    try:
        found = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    except sqlite3.OperationalError as error:
        if "no such table: meta" in str(error):
            return None
        raise
    return None if found is None else str(found[0])


def read_state(query: Callable[[str, Sequence[object]], list[sqlite3.Row]]) -> StoreState:
    """What derived files are named by; read in one statement, so that both parts belong together."""
    names = ("library_version", "vector_generation")
    keys = [key for name in names for key in (name, f"{name}_stamp")]
    stored = query("SELECT key, value FROM meta WHERE key IN (?, ?, ?, ?)", keys)
    found = {row[0]: row[1] for row in stored}
    return StoreState(*(f"{found.get(name, 0)}-{found.get(f'{name}_stamp', 'new')}" for name in names))
