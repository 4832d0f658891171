"""A PostgreSQL server, asked in a transaction that can only read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from ...errors import MissingExtraError
from ..contracts import ErrorCode, ToolError
from .bounds import bounded
from .declared_source import DeclaredSource
from .describing import SAMPLE_ROWS, TypedName, describe
from .guard import Checked
from .models import Dialect, Rows, Table

if TYPE_CHECKING:
    import psycopg

SCHEMA = "public"
"""Of tables that the list names without one."""
_CONNECT_SECONDS = 10
_MOST_PARALLEL = 0
_COLUMNS = (
    "SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a"
    " JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = %s AND c.relname = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"
)
_BY_CLASS = {
    "08": "the server cannot be reached",
    "22": "a value cannot be converted or computed (a division by zero, a text that is no number)",
    "28": "the server refuses the login; see the setting `url`",
    "42": "a table, column or function does not exist or does not fit",
    "53": "the server is short of memory or connections",
    "57": "the statement took too long: ask for less",
}
"""By the first two characters of SQLSTATE (PostgreSQL manual, appendix A): the server's own words quote values."""
_ASKED_WRONGLY = frozenset({"22", "42"})


class PostgresSource(DeclaredSource["psycopg.Connection[tuple[Any, ...]]", SecretStr]):
    """A declared PostgreSQL database."""

    dialect = Dialect.POSTGRES
    schema = SCHEMA

    def run(self, checked: Checked, most: int) -> Rows:
        """The rows of a checked statement."""
        with self._open() as connection, connection.cursor() as cursor:
            cursor.execute(checked.sql.encode())
            return bounded([column.name for column in cursor.description or ()], cursor, most)

    @contextmanager
    def _open(self) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
        try:
            import psycopg  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise MissingExtraError(f"the database {self.name}", "postgres") from error
        try:
            with psycopg.connect(
                self._place.get_secret_value(),
                options=_options(self._seconds),
                connect_timeout=_CONNECT_SECONDS,
                application_name="veriloop",
            ) as connection:
                connection.read_only = True
                yield connection
                connection.rollback()
        except psycopg.Error as error:
            raise _failure(self.name, error) from None

    def _described(self, connection: psycopg.Connection[tuple[Any, ...]], name: str) -> Table | None:
        from psycopg import sql  # noqa: PLC0415 - an extra

        owner, _, table = name.rpartition(".")
        owner = owner or SCHEMA
        columns = [TypedName(row[0], row[1]) for row in connection.execute(_COLUMNS, (owner, table))]
        if not columns:
            return None
        with connection.cursor() as cursor:
            query = sql.SQL("SELECT * FROM {} LIMIT {}").format(sql.Identifier(owner, table), SAMPLE_ROWS)
            rows = bounded([column.name for column in columns], cursor.execute(query), SAMPLE_ROWS)
        return describe(name, columns[: len(rows.names)], rows.rows, is_whole=len(rows.rows) < SAMPLE_ROWS)


def _options(seconds: float) -> str:
    """Of the session. The search path is empty: a table that is not written with its schema cannot be meant."""
    milliseconds = max(1, round(seconds * 1_000))
    given = {
        "default_transaction_read_only": "on",
        "statement_timeout": milliseconds,
        "lock_timeout": milliseconds,
        "idle_in_transaction_session_timeout": milliseconds + 1_000,
        "search_path": "",
        "max_parallel_workers_per_gather": _MOST_PARALLEL,
        "standard_conforming_strings": "on",
    }
    return " ".join(f"-c {name}={value}" for name, value in given.items())


def _failure(name: str, error: psycopg.Error) -> ToolError:
    """What went wrong, by its class only; nothing of the cause is kept, since it may hold the URL."""
    kind = (error.sqlstate or "08")[:2]
    said = _BY_CLASS.get(kind, "the statement cannot run")
    code = ErrorCode.INVALID_ARGUMENTS if kind in _ASKED_WRONGLY else ErrorCode.FAILED
    return ToolError(ErrorCode.TRANSIENT if kind in ("08", "53") else code, f"{name}: {said}")
