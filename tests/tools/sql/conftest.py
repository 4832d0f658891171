"""A library over three real databases, each with tables that may be read and one that may not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.databases import declared, duckdb_file, postgres_url, sqlite_file
from support.documents import lexical_settings
from veriloop import Caller, Library
from veriloop.configs.tool_settings import ToolSettings
from veriloop.tools.registry import ToolRegistry
from veriloop.tools.sql.tool import make_query_sql


@pytest.fixture(scope="session")
def sqlite_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sqlite_file(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture(scope="session")
def duckdb_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return duckdb_file(tmp_path_factory.mktemp("duckdb"))


@pytest.fixture(scope="session")
def postgres_shop() -> Iterator[str]:
    with postgres_url() as url:
        yield url


@pytest.fixture(
    scope="session",
    params=[
        "sqlite",
        pytest.param("duckdb", marks=pytest.mark.extras),
        pytest.param("postgres", marks=pytest.mark.extras),
    ],
)
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolRegistry]:
    """The tool over one database, named by its dialect, for somebody who may read what is open to everyone."""
    place: Path | str = request.getfixturevalue(f"{request.param}_shop")
    settings = lexical_settings(
        tools=ToolSettings(databases={request.param: declared(place, timeout_seconds=1, max_rows=3)})
    )
    with Library.open(tmp_path_factory.mktemp("library"), settings) as library:
        tool = make_query_sql(library, Caller())
        assert tool is not None
        yield ToolRegistry([tool])
