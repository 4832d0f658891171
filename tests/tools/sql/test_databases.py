"""What a declared database answers, to whom, and what is said where it cannot."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from pydantic import ValidationError
from support.databases import declared
from support.documents import lexical_settings
from veriloop import Caller, Library
from veriloop.configs.database_settings import DatabaseSettings
from veriloop.configs.tool_settings import ToolSettings
from veriloop.tools.assembly import ToolNeeds, make_tools
from veriloop.tools.contracts import Tool
from veriloop.tools.registry import ErrorCode, ToolFailure, ToolOutput, ToolRegistry
from veriloop.tools.results import is_result
from veriloop.tools.sql.tool import QUERY_SQL, make_query_sql


def output(tools: ToolRegistry, sql: str) -> ToolOutput:
    outcome = tools.run(QUERY_SQL, {"sql": sql})
    assert isinstance(outcome, ToolOutput), outcome
    return outcome


def tool_over(folder: Path, caller: Caller | None = None, **databases: DatabaseSettings) -> Tool | None:
    library = Library.open(folder / "library", lexical_settings(tools=ToolSettings(databases=databases)))
    return make_query_sql(library, caller or Caller())


def test_a_total_is_exact_and_cited_with_its_statement(shop: ToolRegistry) -> None:
    found = output(shop, "SELECT sum(amount) AS total FROM orders WHERE placed >= '2025-05-01'")
    (hit,) = found.hits
    assert found.short_answer == "50.35"
    assert is_result(hit.document) and "50.35" in hit.block.text
    assert "placed >= '2025-05-01'" in hit.block.section_path[0]


def test_rows_come_as_a_table_with_days_and_texts(shop: ToolRegistry) -> None:
    (hit,) = output(shop, "SELECT customer, amount, placed FROM orders WHERE id = 4").hits
    assert hit.block.text == "| customer | amount | placed |\n| --- | --- | --- |\n| Acme | 0.1 | 2025-12-31 |"
    assert hit.focus[0].end == len(hit.block.text)


def test_a_result_without_rows_is_told_and_gives_no_source(shop: ToolRegistry) -> None:
    for sql in ("SELECT id FROM orders WHERE id > 90", "SELECT max(id) AS m FROM orders WHERE id > 90"):
        found = output(shop, sql)
        assert (found.hits, found.short_answer, found.notes) == ((), "", ("No row meets the conditions.",))


def test_the_description_names_tables_and_columns_and_nothing_hidden(shop: ToolRegistry) -> None:
    (described,) = shop.describe()
    assert "orders(id, customer, amount, placed)" in described.description
    assert (
        "secret" not in described.description
        and "hunter2" not in described.description
        and "北方公司" not in described.description
    )


def test_a_division_by_zero_or_a_wrong_cast_is_a_failure_in_words(shop: ToolRegistry) -> None:
    outcome = shop.run(QUERY_SQL, {"sql": "SELECT CAST(customer AS INT) / 0 AS x FROM orders WHERE id = 1"})
    if isinstance(outcome, ToolFailure):  # SQLite divides by zero and casts anything
        assert "北方公司" not in outcome.detail and "Traceback" not in outcome.detail


def test_a_database_of_others_does_not_exist(sqlite_shop: Path, tmp_path: Path) -> None:
    settings = declared(sqlite_shop, readers=frozenset({"finance"}))
    assert tool_over(tmp_path, Caller(readers=frozenset({"sales"})), shop=settings) is None
    assert tool_over(tmp_path, Caller(readers=frozenset({"finance"})), shop=settings) is not None
    assert tool_over(tmp_path, Caller.owner(), shop=settings) is not None
    tool = tool_over(tmp_path, open=declared(sqlite_shop), closed=settings)
    assert tool is not None and "closed" not in tool.description
    outcome = ToolRegistry([tool]).run(QUERY_SQL, {"sql": "SELECT id FROM orders", "source": "closed"})
    assert isinstance(outcome, ToolFailure) and "there are: open" in outcome.detail and "closed" not in outcome.detail


def test_without_a_source_the_one_that_has_the_table_is_asked(sqlite_shop: Path, tmp_path: Path) -> None:
    tool = tool_over(
        tmp_path, numbers=declared(sqlite_shop, tables=("numbers",)), orders=declared(sqlite_shop, tables=("orders",))
    )
    assert tool is not None
    assert output(ToolRegistry([tool]), "SELECT count(*) AS n FROM orders").short_answer == "4"
    assert output(ToolRegistry([tool]), "SELECT count(*) AS n FROM numbers").short_answer == "400"


def test_a_table_that_is_listed_and_not_there_is_no_way_to_learn_of_others(sqlite_shop: Path, tmp_path: Path) -> None:
    tool = tool_over(tmp_path, shop=declared(sqlite_shop, tables=("order", "secre")))
    assert tool is not None
    outcome = ToolRegistry([tool]).run(QUERY_SQL, {"sql": "SELECT * FROM secre"})
    assert isinstance(outcome, ToolFailure) and "secret" not in outcome.detail


@pytest.mark.parametrize("name", ["gone.db", "broken.db", "folder"])
def test_a_file_that_cannot_be_read_is_said_without_its_place(tmp_path: Path, name: str) -> None:
    (tmp_path / "broken.db").write_bytes(b"no database at all, but long enough to be looked at" * 20)
    (tmp_path / "folder").mkdir()
    tool = tool_over(tmp_path, shop=declared(tmp_path / name))
    assert tool is not None
    outcome = ToolRegistry([tool]).run(QUERY_SQL, {"sql": "SELECT id FROM orders"})
    assert isinstance(outcome, ToolFailure) and outcome.code is ErrorCode.FAILED
    assert str(tmp_path) not in outcome.detail and "shop" in outcome.detail


@pytest.mark.extras
def test_a_server_that_is_away_is_tried_again_later_and_its_password_shows_nowhere(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="needs the extra `postgres`: pip install 'veriloop[postgres]'")
    tool = tool_over(tmp_path, shop=declared("postgresql://tester:hunter2@127.0.0.1:9/none"))
    assert tool is not None
    outcome = ToolRegistry([tool]).run(QUERY_SQL, {"sql": "SELECT id FROM orders"})
    assert isinstance(outcome, ToolFailure) and outcome.code is ErrorCode.TRANSIENT
    assert "hunter2" not in f"{outcome.detail}{tool.description}{tool!r}"


def test_a_database_is_declared_by_one_place() -> None:
    assert "hunter2" not in repr(DatabaseSettings.model_validate({"url": "postgresql://u:hunter2@h/d"}))
    for wrong in (
        {},
        {"path": "x.db", "url": "postgresql://h/d"},
        {"url": "mysql://h/d"},
        {"path": "x.db", "extra": 1},
    ):
        with pytest.raises(ValidationError):
            DatabaseSettings.model_validate(wrong)
    assert DatabaseSettings.model_validate({"path": "x.DuckDB"}).is_duckdb


def test_declared_meanings_let_questions_use_their_own_words(sqlite_shop: Path, tmp_path: Path) -> None:
    meanings = {
        "orders": "销售订单",
        "orders.amount": "营收（万元）",
        "orders.customer": "客户",
        "orders.placed": "下单日期",
    }
    tool = tool_over(tmp_path, shop=declared(sqlite_shop, meanings=meanings))
    assert tool is not None and tool.by_rules is not None
    found = tool.by_rules("2025年第四季度营收总额是多少？")
    assert found is not None and found.confidence >= 0.6
    answer = output(ToolRegistry([tool]), found.arguments["sql"])
    assert answer.short_answer == "30.1万元"
    largest = tool.by_rules("哪个客户的营收最高？")
    assert largest is not None
    assert output(ToolRegistry([tool]), largest.arguments["sql"]).short_answer == "北方公司"


def test_a_run_offers_the_tool_only_where_there_is_something_to_ask(sqlite_shop: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "empty", lexical_settings()) as library:
        assert QUERY_SQL not in {tool.name for tool in make_tools(ToolNeeds(library, Caller()))}
    settings = lexical_settings(tools=ToolSettings(databases={"shop": declared(sqlite_shop)}))
    with Library.open(tmp_path / "shop", settings) as library:
        assert QUERY_SQL in {tool.name for tool in make_tools(ToolNeeds(library, Caller()))}


def test_a_failure_can_be_sent_to_another_process() -> None:
    from veriloop.tools.sql.guard import RefusedStatementError

    assert pickle.loads(pickle.dumps(RefusedStatementError("no"))).code is ErrorCode.INVALID_ARGUMENTS
