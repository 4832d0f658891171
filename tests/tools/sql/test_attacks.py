"""No statement changes a database, reads what is not on the list, reaches out of it, or runs on for ever."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from support.databases import CANARY, declared
from support.documents import lexical_settings
from veriloop import Caller, Library
from veriloop.configs.tool_settings import ToolSettings
from veriloop.tools.registry import ErrorCode, ToolFailure, ToolOutput, ToolRegistry
from veriloop.tools.sql.guard import LONGEST_SQL
from veriloop.tools.sql.tool import QUERY_SQL, make_query_sql

from .attack_statements import EVERYWHERE

STATE = "SELECT count(*) AS rows_left, sum(amount) AS amounts FROM orders"


def run(tools: ToolRegistry, sql: str) -> ToolOutput | ToolFailure:
    return tools.run(QUERY_SQL, {"sql": sql})


def state(tools: ToolRegistry) -> str:
    output = run(tools, STATE)
    assert isinstance(output, ToolOutput), output
    return output.hits[0].block.text


def test_the_table_of_attacks_is_a_large_one() -> None:
    assert len(set(EVERYWHERE)) >= 60


def test_no_attack_runs_changes_anything_or_shows_what_is_hidden(shop: ToolRegistry) -> None:
    before = state(shop)
    for sql in EVERYWHERE:
        outcome = run(shop, sql)
        assert isinstance(outcome, ToolFailure), sql
        assert outcome.code is ErrorCode.INVALID_ARGUMENTS, (sql, outcome)
        assert CANARY not in outcome.detail, sql
        assert "hunter2" not in outcome.detail, sql
    assert state(shop) == before


def test_a_refusal_says_what_is_wrong_and_what_is_allowed(shop: ToolRegistry) -> None:
    failures = {
        sql: run(shop, sql) for sql in ("DROP TABLE orders", "SELECT * FROM secret", "SELECT nothing FROM orders")
    }
    details = [failure.detail for failure in failures.values() if isinstance(failure, ToolFailure)]
    assert "DROP" in details[0] and "one SELECT" in details[0]
    assert "there are: orders, numbers" in details[1]
    assert "'nothing'" in details[2] and "customer" in details[2]


def test_a_refusal_is_known_before_anything_runs(shop: ToolRegistry) -> None:
    assert shop.problem(QUERY_SQL, {"sql": STATE}) is None
    problem = shop.problem(QUERY_SQL, {"sql": "DELETE FROM orders"})
    assert problem is not None and problem.code is ErrorCode.INVALID_ARGUMENTS


def test_a_cross_join_is_ended_by_its_time(shop: ToolRegistry) -> None:
    crossed = ", ".join(f"numbers AS {name}" for name in "abcde")
    outcome = run(shop, f"SELECT count(*) FROM {crossed} WHERE a.n + b.n + c.n + d.n + e.n > 5")
    assert isinstance(outcome, ToolFailure)
    assert outcome.code is ErrorCode.FAILED
    assert "too long" in outcome.detail or "longer than 1 seconds" in outcome.detail


def test_rows_are_bounded_and_the_result_says_so(shop: ToolRegistry) -> None:
    for sql in ("SELECT n FROM numbers", "SELECT n FROM numbers LIMIT 200"):
        output = run(shop, sql)
        assert isinstance(output, ToolOutput)
        assert output.hits[0].block.text.count("\n") == 4
        assert "Only the first 3 rows" in output.notes[0]


def test_a_statement_of_too_many_characters_is_refused(shop: ToolRegistry) -> None:
    outcome = run(shop, f"SELECT id FROM orders WHERE customer = '{'x' * LONGEST_SQL}'")
    assert isinstance(outcome, ToolFailure) and outcome.code is ErrorCode.INVALID_ARGUMENTS


def test_comments_do_not_reach_the_database(shop: ToolRegistry) -> None:
    output = run(shop, "SELECT /*+ hint */ sum(amount) AS total /* secret */ FROM orders -- the end")
    assert isinstance(output, ToolOutput)
    assert "secret" not in json.dumps(output.hits[0].block.section_path)


def test_a_sqlite_file_is_not_written_even_by_its_own_process(sqlite_shop: Path, tmp_path: Path) -> None:
    before = sqlite_shop.read_bytes()
    settings = lexical_settings(tools=ToolSettings(databases={"shop": declared(sqlite_shop)}))
    with Library.open(tmp_path / "library", settings) as library:
        tool = make_query_sql(library, Caller())
        assert tool is not None
        for sql in (*EVERYWHERE, STATE):
            run(ToolRegistry([tool]), sql)
    assert sqlite_shop.read_bytes() == before
    assert not list(sqlite_shop.parent.glob("*-wal")) and not list(sqlite_shop.parent.glob("*-journal"))


def test_the_engine_itself_refuses_what_the_parser_would_let_through(sqlite_shop: Path) -> None:
    from veriloop.tools.contracts import ToolError
    from veriloop.tools.sql.guard import check
    from veriloop.tools.sql.models import Dialect
    from veriloop.tools.sql.sqlite_source import SqliteSource

    source = SqliteSource("shop", sqlite_shop, ("orders",), 5)
    checked = check("SELECT id FROM orders", Dialect.SQLITE, ("orders",), schema="main")
    forged = (
        "SELECT word FROM secret",
        "DELETE FROM orders",
        "SELECT randomblob(9) FROM orders",
        "PRAGMA user_version=1",
    )
    for sql in (*forged, "ATTACH ':memory:' AS evil", "SELECT name FROM sqlite_master"):
        with pytest.raises(ToolError):
            source.run(checked._replace(sql=sql), 10)
    with sqlite3.connect(sqlite_shop) as connection:
        assert connection.execute("SELECT count(*) FROM orders").fetchone() == (4,)
