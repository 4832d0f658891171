"""Questions that leave rows out, compare totals, or list rows: what is asked is computed, never its opposite."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.databases import sqlite_file
from support.documents import lexical_settings
from veriloop import Caller, Library
from veriloop.configs.database_settings import DatabaseSettings
from veriloop.tools.contracts import Tool
from veriloop.tools.registry import ToolOutput, ToolRegistry
from veriloop.tools.sql.exclusions import Named, exclusions
from veriloop.tools.sql.tool import make_query_sql

TABLES = (
    "CREATE TABLE orders (id INTEGER, customer TEXT, region TEXT, revenue REAL, order_date TEXT)",
    "INSERT INTO orders VALUES (1, '海洋公司', 'North', 120, '2025-03-01'), (2, '大地公司', 'South', 90, '2025-04-01'),"
    " (3, '大地公司', 'South', 70, '2025-06-01'), (4, '天空公司', 'West', 150, '2025-07-01')",
    "CREATE TABLE customers (name TEXT, city TEXT)",
    "INSERT INTO customers VALUES ('海洋公司', '宁波'), ('大地公司', '广州'), ('天空公司', '北京')",
)
MEANINGS = {
    "orders": "订单",
    "orders.id": "订单号",
    "orders.customer": "客户",
    "orders.region": "地区",
    "orders.revenue": "营收（万元）",
    "customers": "客户",
    "customers.name": "客户名称",
    "customers.city": "城市",
}


@pytest.fixture(scope="module", params=["named", "bare"])
def tool(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tool]:
    """The tool over two tables, with and without declared meanings."""
    folder = tmp_path_factory.mktemp(request.param)
    meanings = MEANINGS if request.param == "named" else {}
    declared = DatabaseSettings(path=sqlite_file(folder, TABLES), tables=("orders", "customers"), meanings=meanings)
    settings = lexical_settings()
    tools = settings.tools.model_copy(update={"databases": {"sales": declared}})
    with Library.open(folder / "library", settings.model_copy(update={"tools": tools})) as library:
        made = make_query_sql(library, Caller.owner(), today=lambda: date(2026, 2, 10))
        assert made is not None
        yield made


def found_rows(tool: Tool, question: str) -> list[list[str]]:
    assert tool.by_rules is not None
    found = tool.by_rules(question)
    assert found is not None and not found.missing, question
    output = ToolRegistry([tool]).run(tool.name, found.arguments)
    assert isinstance(output, ToolOutput), output
    lines = output.hits[0].block.text.splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("orders not in region South?", {"1", "4"}),
        ("Which orders are not in South?", {"1", "4"}),
        ("List the orders not placed by 大地公司", {"1", "4"}),
        ("Which orders were placed by customers other than 大地公司?", {"1", "4"}),
        ("List the orders except those in South and West", {"1"}),
        ("不在South的订单有哪些？", {"1", "4"}),
        ("除South和West以外的订单有哪些？", {"1"}),
        ("哪些订单不是大地公司的？", {"1", "4"}),
        ("营收超过100万元的订单有哪些？", {"1", "4"}),
    ],
)
def test_lists_name_the_rows_that_are_asked_for(tool: Tool, question: str, ids: set[str]) -> None:
    if "万元" in question and tool.by_rules is not None and tool.by_rules(question) is None:
        pytest.skip("a bare column has no unit that 万元 could be in")
    rows = found_rows(tool, question)
    assert {row[0] for row in rows} == ids
    assert all(len(row) > 1 for row in rows), "a bare value says nothing of its row"


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("除South以外的营收合计是多少？", ["270"]),
        ("不含大地公司的营收总额是多少？", ["270"]),
        ("What is the total revenue without South?", ["270"]),
        ("除了大地公司，还有几个订单？", ["2"]),
        ("哪个客户的营收最高？", ["大地公司", "160"]),
        ("Which customer has the highest revenue?", ["大地公司", "160"]),
        ("How many orders did 大地公司 place?", ["2"]),
        ("海洋公司在哪个城市？", ["宁波"]),
    ],
)
def test_one_row_answers(tool: Tool, question: str, row: list[str]) -> None:
    assert found_rows(tool, question) == [row]


@pytest.mark.parametrize(
    "question",
    [
        "orders not paid in South?",
        "Which orders are not in 2025?",
        "不在2025年的订单有哪些？",
        "没有South的订单吗？",
        "今年有多少？",
        "哪个客户的货最多？",
    ],
)
def test_what_is_left_out_is_never_guessed(tool: Tool, question: str) -> None:
    assert tool.by_rules is not None and tool.by_rules(question) is None


LEADS = ("除", "除了", "不在", "不含", "except ", "other than ", "not in ", "without ")


@given(st.sampled_from(LEADS), st.text("甲乙丙丁戊", min_size=2, max_size=5), st.sampled_from(("", "的合计", "以外的")))
def test_a_value_behind_words_for_it_is_left_out_and_no_other(lead: str, value: str, behind: str) -> None:
    text = f"其他内容 庚辛，{lead}{value}{behind}"
    start = text.index(value, len("其他内容 庚辛，"))
    named = [Named("a", "庚辛", 5, 7), Named("a", value, start, start + len(value))]
    found = exclusions(text, named, frozenset())
    assert [one.named.value for one in found] == [value]
    assert all(0 <= one.start < one.named.end <= one.end <= len(text) for one in found)
