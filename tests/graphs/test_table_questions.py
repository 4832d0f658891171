"""A question over a table is answered from its rows, which are cited with their document and sheet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from openpyxl import Workbook
from support.databases import declared, sqlite_file
from support.documents import lexical_settings
from veriloop import Agent, Answer, Library, add_files, build_agent
from veriloop.configs.tool_settings import ToolSettings

ROWS = (
    ("供应商", "零件", "单价（元）", "交货周期（天）"),
    ("北方机械厂", "轴承", 12.5, 10),
    ("北方机械厂", "齿轮", 99.9, 20),
    ("南方铸造厂", "壳体", 45, 35),
)


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    folder = tmp_path_factory.mktemp("rows")
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "报价"
    for row in ROWS:
        sheet.append(row)
    book.save(folder / "采购报价.xlsx")
    meanings = {
        "orders": "订单",
        "orders.amount": "销售额（元）",
        "orders.customer": "客户",
        "orders.placed": "下单日期",
    }
    databases = {"shop": declared(sqlite_file(folder), meanings=meanings)}
    with Library.open(folder / "library", lexical_settings(tools=ToolSettings(databases=databases))) as library:
        add_files(library, [folder / "采购报价.xlsx"])
        yield build_agent(library)


def quotes(answer: Answer) -> list[str]:
    return [citation.quote for citation in answer.citations]


def test_the_row_with_the_highest_value_is_quoted_from_its_sheet(agent: Agent) -> None:
    answer = agent.ask("哪个供应商的单价最高？")
    assert "北方机械厂" in answer.text and "99.9" in answer.text and "12.5" not in answer.text
    assert any("齿轮" in quote for quote in quotes(answer))
    assert {(one.document, one.section_path) for one in answer.citations} == {("采购报价.xlsx", ("报价",))}


def test_every_row_that_meets_a_condition_is_named(agent: Agent) -> None:
    answer = agent.ask("交货周期不少于20天的零件有哪些？")
    assert "齿轮" in answer.text and "壳体" in answer.text and "轴承" not in answer.text


def test_a_computed_value_cites_its_statement_and_the_rows_behind_it(agent: Agent) -> None:
    answer = agent.ask("北方机械厂的平均单价是多少？")
    assert "56.2" in answer.text
    assert any("AVG" in " ".join(one.section_path) for one in answer.citations)
    assert any("轴承" in quote for quote in quotes(answer)) and any("齿轮" in quote for quote in quotes(answer))


def test_a_database_answers_with_its_name_and_statement(agent: Agent) -> None:
    answer = agent.ask("2025年第四季度的销售额总计是多少？")
    assert "30.1" in answer.text
    (citation, *_) = answer.citations
    assert citation.document == "shop" and "SUM" in " ".join(citation.section_path)
