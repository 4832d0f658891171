"""An SQLite file, read and never written: by its mode, by an authorizer, and within a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from urllib.parse import quote

from ..contracts import ErrorCode, ToolError
from .allowed_nodes import SQLITE_FUNCTIONS
from .bounds import MOST_COLUMNS, bounded
from .declared_source import DeclaredSource
from .describing import SAMPLE_ROWS, TypedName, describe
from .guard import Checked
from .models import Dialect, Rows, Table

SCHEMA = "main"
"""That tables of an SQLite file are in."""
_OPCODES_BETWEEN_LOOKS = 1_000
_LONGEST_VALUE = 1_000_000
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}


class SqliteSource(DeclaredSource[sqlite3.Connection, Path]):
    """A declared SQLite file."""

    dialect = Dialect.SQLITE
    schema = SCHEMA

    def run(self, checked: Checked, most: int) -> Rows:
        """The rows of a checked statement."""
        with self._open() as connection:
            return run_bounded(connection, checked, most, self._seconds)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        if not self._place.is_file():
            raise ToolError(ErrorCode.FAILED, f"{self.name}: the database file is not there; see its setting `path`")
        address = f"file:{quote(str(self._place.resolve()))}?mode=ro"
        try:
            with closing(
                sqlite3.connect(address, uri=True, check_same_thread=False, cached_statements=0)
            ) as connection:
                harden(connection)
                end = monotonic() + self._seconds
                connection.set_progress_handler(lambda: int(monotonic() > end), _OPCODES_BETWEEN_LOOKS)
                yield connection
        except sqlite3.DatabaseError as error:
            raise ToolError(ErrorCode.FAILED, f"{self.name}: {_said(error)}") from error

    def _described(self, connection: sqlite3.Connection, name: str) -> Table | None:
        quoted = name.replace('"', '""')
        columns = [TypedName(row[1], row[2]) for row in connection.execute(f'PRAGMA table_info("{quoted}")')]
        if not columns:
            return None
        sample = f'SELECT * FROM "main"."{quoted}" LIMIT {SAMPLE_ROWS}'
        cursor = connection.execute(sample)
        rows = bounded([column.name for column in columns], cursor, SAMPLE_ROWS)
        return describe(name, columns[: len(rows.names)], rows.rows, is_whole=len(rows.rows) < SAMPLE_ROWS)


def harden(connection: sqlite3.Connection) -> None:
    """Let a connection read only, and hold only so much at once."""
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    for pragma in ("query_only=ON", "trusted_schema=OFF", "mmap_size=0"):
        connection.execute(f"PRAGMA {pragma}")


def run_bounded(
    connection: sqlite3.Connection, checked: Checked, most: int, seconds: float, columns: int = MOST_COLUMNS
) -> Rows:
    """The rows of a statement over the tables that it was checked for, within a time.

    Raises:
        ToolError: it fails or takes too long.
    """
    end = monotonic() + seconds
    hidden = _objects(connection) - {name.rpartition(".")[2].casefold() for name in checked.tables}
    hidden -= {name.casefold() for name in checked.tables}
    views = {name.casefold() for name in checked.tables}
    connection.set_authorizer(_authorizer(frozenset(hidden), frozenset(views)))
    connection.set_progress_handler(lambda: int(monotonic() > end), _OPCODES_BETWEEN_LOOKS)
    try:
        cursor = connection.execute(checked.sql)
        return bounded([column[0] for column in cursor.description], cursor, most, columns)
    except sqlite3.DatabaseError as error:
        if monotonic() > end:
            raise ToolError(
                ErrorCode.FAILED, f"the statement took longer than {seconds:g} seconds: ask for less"
            ) from error
        raise ToolError(ErrorCode.INVALID_ARGUMENTS, _said(error)) from error
    finally:
        connection.set_progress_handler(None, 0)
        connection.set_authorizer(None)


def _objects(connection: sqlite3.Connection) -> set[str]:
    return {row[0].casefold() for row in connection.execute("SELECT name FROM sqlite_master")}


def _authorizer(
    hidden: frozenset[str], views: frozenset[str]
) -> Callable[[int, str | None, str | None, str | None, str | None], int]:
    """Decides what the statement may touch while the engine prepares it: the second lock behind the parser."""

    def allows(action: int, first: str | None, second: str | None, database: str | None, within: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION and (second or "").casefold() in SQLITE_FUNCTIONS:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ:
            table = (first or "").casefold()
            is_hidden = table in hidden or table.startswith(("sqlite_", "pragma_"))
            return sqlite3.SQLITE_DENY if is_hidden and (within or "").casefold() not in views else sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    return allows


def _said(error: sqlite3.Error) -> str:
    """What went wrong, without anything that stands in the file."""
    text = str(error)
    known = ("no such column", "ambiguous column", "misuse of", "no such function", "wrong number", "syntax error")
    if any(text.startswith(start) or start in text for start in known):
        return f"the statement cannot run: {text[:120]}"
    return "the statement cannot run" if isinstance(error, sqlite3.OperationalError) else "the file cannot be read"
