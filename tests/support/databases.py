"""Real databases for tests: files of SQLite and DuckDB, and a PostgreSQL server that the tests start themselves."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest
from veriloop.configs.database_settings import DatabaseSettings

TABLES = (
    "CREATE TABLE orders (id INTEGER, customer VARCHAR(40), amount DECIMAL(12, 2), placed DATE)",
    "INSERT INTO orders VALUES (1, '北方公司', 10.50, '2025-01-15'), (2, '南方公司', 20.25, '2025-05-02'),"
    " (3, '北方公司', 30.00, '2025-11-20'), (4, 'Acme', 0.10, '2025-12-31')",
    "CREATE TABLE secret (word VARCHAR(40))",
    "INSERT INTO secret VALUES ('canary-4711')",
    "CREATE TABLE numbers (n INTEGER)",
    "INSERT INTO numbers VALUES " + ", ".join(f"({number})" for number in range(400)),
)
"""Two tables that may be read and one that may not."""
CANARY = "canary-4711"


def sqlite_file(folder: Path, statements: Sequence[str] = TABLES) -> Path:
    """An SQLite file with the tables."""
    path = folder / "shop.db"
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def duckdb_file(folder: Path, statements: Sequence[str] = TABLES) -> Path:
    """A DuckDB file with the tables; the test is skipped where DuckDB is not installed."""
    duckdb = pytest.importorskip("duckdb", reason="needs the extra `sql`: pip install 'veriloop[sql]'")
    path = folder / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


@contextmanager
def postgres_url(statements: Sequence[str] = TABLES) -> Iterator[str]:
    """The URL of a PostgreSQL server with the tables, on this machine only and as long as the context lasts."""
    psycopg = pytest.importorskip("psycopg", reason="needs the extra `postgres`: pip install 'veriloop[postgres]'")
    if shutil.which("initdb") is None or shutil.which("pg_ctl") is None:
        pytest.skip("needs the programs initdb and pg_ctl of PostgreSQL")
    folder = Path(mkdtemp(prefix="vlpg"))
    prefix = _as_ordinary_user(folder)
    data = folder / "data"
    port = _free_port()
    try:
        _run([*prefix, "initdb", "-D", str(data), "-A", "trust", "-U", "tester", "-N", "-E", "UTF8", "--locale=C"])
        options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off"
        _run([*prefix, "pg_ctl", "-D", str(data), "-w", "-o", options, "-l", str(folder / "log"), "start"])
        url = f"postgresql://tester:hunter2@127.0.0.1:{port}/postgres"
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
        yield url
    finally:
        subprocess.run(
            [*prefix, "pg_ctl", "-D", str(data), "-m", "immediate", "stop"], capture_output=True, check=False
        )
        shutil.rmtree(folder, ignore_errors=True)


def _as_ordinary_user(folder: Path) -> list[str]:
    """What runs a program as somebody else than root, whom PostgreSQL refuses."""
    if os.geteuid() != 0:
        return []
    if shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no runuser")
    try:
        shutil.chown(folder, "postgres")
    except LookupError:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    return ["runuser", "-u", "postgres", "--"]


def _run(command: Sequence[str]) -> None:
    # Its output goes nowhere: the server inherits it, and a pipe would stay open as long as it runs.
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, cwd="/")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def declared(place: Path | str, **fields: object) -> DatabaseSettings:
    """Settings of a database with its tables on the list, but `secret`."""
    where = {"url": place} if isinstance(place, str) else {"path": place}
    return DatabaseSettings.model_validate({**where, "tables": ("orders", "numbers"), "timeout_seconds": 5, **fields})
