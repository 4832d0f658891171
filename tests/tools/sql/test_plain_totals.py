"""Totals that are not called totals, by group and over all rows, of columns with Chinese, English and no meanings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from support.databases import sqlite_file
from support.documents import lexical_settings
from veriloop import Caller, Library
from veriloop.configs.database_settings import DatabaseSettings
from veriloop.tools.contracts import Tool
from veriloop.tools.registry import ToolOutput, ToolRegistry
from veriloop.tools.sql.column_words import chinese_names
from veriloop.tools.sql.tool import make_query_sql

TODAY = date(2026, 2, 10)
TABLES = (
    "CREATE TABLE orders (id INTEGER, region TEXT, order_date TEXT, revenue REAL, unit_price REAL)",
    "INSERT INTO orders VALUES (1, 'North', '2024-03-01', 100, 5), (2, 'North', '2025-02-01', 300.5, 7),"
    " (3, 'South', '2025-06-01', 150, 6)",
    "CREATE TABLE stock (item TEXT, warehouse TEXT, quantity INTEGER)",
    "INSERT INTO stock VALUES ('轴承', 'Hall A', 40), ('螺栓', 'Hall A', 1200), ('轴承', 'Hall B', 15)",
)
MEANINGS = {
    "orders": "订单",
    "orders.revenue": "营收（万元）",
    "orders.region": "地区",
    "orders.unit_price": "单价（元）",
    "stock": "库存",
    "stock.quantity": "库存数量",
    "stock.warehouse": "仓库",
    "stock.item": "物料",
}


def tool_over(folder: Path, meanings: dict[str, str]) -> Iterator[Tool]:
    declared = DatabaseSettings(path=sqlite_file(folder, TABLES), tables=("orders", "stock"), meanings=meanings)
    settings = lexical_settings()
    tools = settings.tools.model_copy(update={"databases": {"sales": declared}})
    with Library.open(folder / "library", settings.model_copy(update={"tools": tools})) as library:
        made = make_query_sql(library, Caller.owner(), today=lambda: TODAY)
        assert made is not None
        yield made


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tool]:
    """Tables whose columns are declared in Chinese."""
    yield from tool_over(tmp_path_factory.mktemp("named"), MEANINGS)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tool]:
    """The same without any meanings."""
    yield from tool_over(tmp_path_factory.mktemp("bare"), {})


def shown(tool: Tool, question: str) -> str:
    assert tool.by_rules is not None
    found = tool.by_rules(question)
    assert found is not None and not found.missing, question
    output = ToolRegistry([tool]).run(tool.name, found.arguments)
    assert isinstance(output, ToolOutput), output
    return "\n".join(hit.block.text for hit in output.hits)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("各地区的营收分别是多少？", ("North | 400.5", "South | 150")),
        ("去年各地区的营收分别是多少？", ("North | 300.5", "South | 150")),
        ("仓库里还有多少库存？", ("1255",)),
        ("Hall A还剩多少库存？", ("1240",)),
        ("仓库里还有多少轴承？", ("55",)),
        ("每个仓库的库存数量是多少？", ("Hall A | 1240", "Hall B | 15")),
    ],
)
def test_a_plain_total_is_found_by_declared_names(named: Tool, question: str, values: tuple[str, ...]) -> None:
    text = shown(named, question)
    assert all(value in text for value in values), text


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("各地区的营收分别是多少？", ("North | 400.5", "South | 150")),
        ("去年各区域的收入分别是多少？", ("North | 300.5", "South | 150")),
        ("2025年的总营收是多少？", ("450.5",)),
        ("仓库里还有多少库存？", ("1255",)),
        ("What is the revenue by region?", ("North | 400.5", "South | 150")),
        ("What was the revenue of each region last year?", ("North | 300.5",)),
        ("How much stock is left in Hall A?", ("1240",)),
    ],
)
def test_a_plain_total_is_found_by_english_names(bare: Tool, question: str, values: tuple[str, ...]) -> None:
    text = shown(bare, question)
    assert all(value in text for value in values), text


@pytest.mark.parametrize(
    "question",
    [
        "各地区的单价分别是多少？",
        "各地区的利润分别是多少？",
        "各地区的营收和单价分别是多少？",
        "仓库里还有多少空位？",
        "仓库是什么？",
        "What is the unit price by region?",
        "What is the profit by region?",
    ],
)
def test_what_adds_up_to_nothing_or_is_not_clearly_held_is_left_alone(named: Tool, bare: Tool, question: str) -> None:
    for tool in (named, bare):
        assert tool.by_rules is not None
        found = tool.by_rules(question)
        assert found is None or "SUM" not in found.arguments["sql"], found


def test_names_are_put_into_chinese_word_by_word_or_not_at_all() -> None:
    assert chinese_names("order_date") == ("订单日期",)
    assert "营收" in chinese_names("Revenue")
    assert chinese_names("xqz_date") == ()
    assert chinese_names("地区") == ()
