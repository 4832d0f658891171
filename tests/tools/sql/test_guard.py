"""What the guard lets through reads listed tables only, whatever a statement is put together from."""

from __future__ import annotations

import pickle
import sqlite3
from contextlib import suppress

import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp
from veriloop.tools.sql.guard import Checked, RefusedStatementError, check
from veriloop.tools.sql.models import Dialect

ALLOWED = ("orders", "客户")
SCHEMA = {Dialect.SQLITE: "main", Dialect.DUCKDB: "main", Dialect.POSTGRES: "public"}
_FRAGMENTS = """SELECT|*|id|count(*)|FROM|orders|secret|"secret"|main.secret|客户|AS|a|a.id|,|(|)|WHERE|id = 1|AND|IN
|EXISTS|UNION ALL|WITH|a AS (|JOIN|ON|ORDER BY|LIMIT|1|'x'|;|--|/*|*/|DELETE|DELETE FROM orders|INSERT INTO orders
|VALUES (1)|UPDATE orders|SET id = 2|DROP TABLE orders|PRAGMA user_version = 7|RETURNING *|INTO|VACUUM|::
|load_extension('x')|GROUP BY|CASE WHEN|THEN|END|OVER (|sqlite_master|EXPLAIN|ATTACH ':memory:' AS b|REPLACE"""
_PIECES = st.sampled_from(_FRAGMENTS.replace("\n", "").split("|"))
_STARTS = ("", "SELECT id FROM orders", "SELECT count(*) FROM orders AS a WHERE", "WITH a AS (SELECT 1 FROM orders)")
_STATEMENTS = st.builds(
    lambda start, pieces: " ".join([start, *pieces]),
    st.sampled_from(_STARTS),
    st.lists(_PIECES, max_size=10),
)
_SOURCE_LIST = (
    'orders|客户|secret|main.orders|orders AS a|"ORDERS"|w|(SELECT * FROM orders) AS s|(SELECT * FROM secret) AS s'
)
_SOURCES = st.sampled_from(_SOURCE_LIST.split("|"))


def checked(sql: str, dialect: Dialect = Dialect.SQLITE, most: int = 100) -> Checked:
    return check(sql, dialect, ALLOWED, schema=SCHEMA[dialect], max_rows=most)


def tables_in(sql: str, dialect: Dialect) -> set[tuple[str, str]]:
    """Schema and name of each table in a statement, without the names that WITH gives."""
    tree = sqlglot.parse_one(sql, dialect=dialect.value)
    given_names = {cte.alias for cte in tree.find_all(exp.CTE)}
    found = {(table.db, table.name) for table in tree.find_all(exp.Table)}
    return {(owner, name) for owner, name in found if owner or name not in given_names}


@pytest.fixture(scope="module")
def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE orders (id INTEGER)")
    connection.execute("CREATE TABLE 客户 (id INTEGER)")
    connection.execute("CREATE TABLE secret (word TEXT)")
    connection.commit()
    return connection


@settings(max_examples=120, deadline=None)
@given(_STATEMENTS)
def test_no_statement_of_random_pieces_writes_or_leaves_the_list(database: sqlite3.Connection, sql: str) -> None:
    try:
        found = checked(sql)
    except RefusedStatementError:
        return
    assert tables_in(found.sql, Dialect.SQLITE) <= {("main", name) for name in ALLOWED}
    before = database.total_changes, database.execute("PRAGMA user_version").fetchone()
    with suppress(sqlite3.DatabaseError):  # a column that is not there; nothing was done
        database.execute(found.sql).fetchall()
    assert (database.total_changes, database.execute("PRAGMA user_version").fetchone()) == before
    assert not database.in_transaction


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(list(Dialect)), st.lists(_SOURCES, min_size=1, max_size=3), _SOURCES, st.booleans())
def test_every_table_of_an_accepted_query_is_on_the_list(
    dialect: Dialect, sources: list[str], inner: str, with_name: bool
) -> None:
    prefix = "WITH w AS (SELECT 1 AS id FROM orders) " if with_name else ""
    sql = f"{prefix}SELECT count(*) FROM {', '.join(sources)} WHERE 1 IN (SELECT 1 FROM {inner})"
    names_secret = "secret" in sql
    try:
        found = checked(sql, dialect)
    except RefusedStatementError:
        return
    assert not names_secret
    assert tables_in(found.sql, dialect) <= {(SCHEMA[dialect], name) for name in ALLOWED}


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(Dialect)), st.integers(0, 10**6), st.integers(1, 1_000))
def test_the_limit_is_lowered_and_never_raised(dialect: Dialect, wanted: int, most: int) -> None:
    found = checked(f"SELECT id FROM orders LIMIT {wanted}", dialect, most)
    assert found.limit == min(wanted, most + 1)
    assert found.sql.endswith(f"LIMIT {found.limit}")


@pytest.mark.parametrize("dialect", list(Dialect))
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM orders",
        "SELECT id, sum(id) OVER (PARTITION BY id ORDER BY id) FROM orders",
        "WITH a AS (SELECT id FROM orders), b AS (SELECT id FROM a) SELECT * FROM b UNION SELECT id FROM a",
        "SELECT o.id FROM orders AS o LEFT JOIN 客户 AS c ON c.id = o.id WHERE o.id NOT IN (SELECT id FROM 客户)",
        "SELECT CASE WHEN id > 1 THEN 'a' ELSE 'b' END AS kind, count(*) FROM orders GROUP BY 1 HAVING count(*) > 1",
        "SELECT coalesce(round(avg(id), 2), 0) FROM orders WHERE id BETWEEN 1 AND 2 ORDER BY 1 DESC LIMIT 5 OFFSET 2",
    ],
)
def test_an_accepted_statement_stays_as_it_is_when_it_is_checked_again(sql: str, dialect: Dialect) -> None:
    once = checked(sql, dialect)
    again = checked(once.sql, dialect)
    assert (again.sql, again.tables) == (once.sql, once.tables)


def test_a_name_behind_with_that_differs_in_case_never_means_a_table() -> None:
    found = checked('WITH "Secret" AS (SELECT id FROM orders) SELECT id FROM secret', Dialect.POSTGRES)
    assert 'FROM "Secret"' in found.sql


def test_a_form_that_an_engine_lacks_is_not_written_anew_with_another_meaning() -> None:
    sql = "SELECT DISTINCT ON (region) * FROM orders"
    with pytest.raises(RefusedStatementError, match="DISTINCT ON"):
        check(sql, Dialect.SQLITE, ("orders",))
    assert "DISTINCT ON" in check(sql, Dialect.POSTGRES, ("orders",), schema="public").sql


def test_names_are_matched_in_any_case_and_written_as_listed() -> None:
    found = check('SELECT * FROM sales."ORDERS"', Dialect.POSTGRES, ("Sales.Orders",), schema="public")
    assert '"Sales"."Orders"' in found.sql and found.tables == ("Sales.Orders",)


def test_a_refusal_survives_being_sent_to_another_process() -> None:
    error = RefusedStatementError("no")
    assert str(pickle.loads(pickle.dumps(error))) == "no"
