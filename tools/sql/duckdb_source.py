"""A DuckDB file, attached read-only to an engine that reaches nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

from ...errors import MissingExtraError
from ..contracts import ErrorCode, ToolError
from .bounds import bounded
from .declared_source import DeclaredSource
from .describing import SAMPLE_ROWS, TypedName, describe
from .guard import Checked
from .models import Dialect, Rows, Table

if TYPE_CHECKING:
    import duckdb

CATALOG = "declared"
"""The name that a file is attached under. What is not written with it can only mean the empty memory beside it."""
SCHEMA = "main"
_SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "python_enable_replacements": "false",
    "memory_limit": "512MB",
    "max_temp_directory_size": "0KB",
    "threads": "1",
}
_COLUMNS = (
    "SELECT column_name, data_type FROM duckdb_columns()"
    " WHERE database_name = ? AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?) ORDER BY column_index"
)


class DuckdbSource(DeclaredSource["duckdb.DuckDBPyConnection", Path]):
    """A declared DuckDB file."""

    dialect = Dialect.DUCKDB
    schema = SCHEMA
    catalog = CATALOG

    def run(self, checked: Checked, most: int) -> Rows:
        """The rows of a checked statement."""
        with self._open() as connection:
            result = connection.execute(checked.sql)
            return bounded([column[0] for column in result.description], _fetched(result), most)

    @contextmanager
    def _open(self) -> Iterator[duckdb.DuckDBPyConnection]:
        try:
            import duckdb  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise MissingExtraError(f"the database {self.name}", "sql") from error
        if not self._place.is_file():
            raise ToolError(ErrorCode.FAILED, f"{self.name}: the database file is not there; see its setting `path`")
        try:
            with closing(duckdb.connect(":memory:", config=dict(_SETTINGS))) as connection:
                _attach(connection, self._place)
                timer = Timer(self._seconds, connection.interrupt)
                timer.daemon = True
                timer.start()
                try:
                    yield connection
                finally:
                    timer.cancel()
        except duckdb.InterruptException as error:
            detail = f"the statement took longer than {self._seconds:g} seconds: ask for less"
            raise ToolError(ErrorCode.FAILED, detail) from error
        except duckdb.Error as error:
            raise _failure(self.name, error) from error

    def _described(self, connection: duckdb.DuckDBPyConnection, name: str) -> Table | None:
        owner, _, table = name.rpartition(".")
        owner = owner or SCHEMA
        found = connection.execute(_COLUMNS, [CATALOG, owner, table]).fetchall()
        if not found:
            return None
        columns = [TypedName(str(row[0]), str(row[1])) for row in found]
        place = ".".join('"' + part.replace('"', '""') + '"' for part in (CATALOG, owner, table))
        result = connection.execute(f"SELECT * FROM {place} LIMIT {SAMPLE_ROWS}")
        rows = bounded([column.name for column in columns], _fetched(result), SAMPLE_ROWS)
        return describe(name, columns[: len(rows.names)], rows.rows, is_whole=len(rows.rows) < SAMPLE_ROWS)


def _attach(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    quoted = str(path.resolve()).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS {CATALOG} (READ_ONLY)")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _fetched(result: duckdb.DuckDBPyConnection) -> Iterator[tuple[object, ...]]:
    while rows := result.fetchmany(100):
        yield from rows


def _failure(name: str, error: duckdb.Error) -> ToolError:
    """What went wrong by its kind: the engine's own words propose tables that may not be read, and quote values."""
    kind = type(error).__name__.removesuffix("Exception")
    said = {
        "Binder": "a column or function does not exist or does not fit",
        "Catalog": "a listed table or a function is not there",
        "Conversion": "a value cannot be converted; use TRY_CAST",
        "Parser": "the statement is not understood",
        "OutOfMemory": "it takes too much memory: ask for less",
        "IO": "the file cannot be read: another process may be writing it",
    }
    if kind not in said:
        return ToolError(ErrorCode.FAILED, f"{name}: the statement cannot run ({kind})")
    code = ErrorCode.FAILED if kind in ("OutOfMemory", "IO") else ErrorCode.INVALID_ARGUMENTS
    return ToolError(code, f"{name}: the statement cannot run: {said[kind]}")
