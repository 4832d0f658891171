"""Figures of a database side by side: asked under the same conditions, compared and cited; or not asked at all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from support.databases import sqlite_file
from support.documents import lexical_settings, write
from veriloop import Answer, Library, add_files, build_agent
from veriloop.configs.database_settings import DatabaseSettings
from veriloop.state import AnswerStatus

LAST = date.today().year - 1
ROWS = (
    ("华东", "North", LAST - 1, 100), ("华东", "North", LAST, 300), ("华东", "North", LAST, 200.5),
    ("华南", "South", LAST - 1, 700), ("华南", "South", LAST, 150), ("华东", "North", LAST + 1, 33),
)  # fmt: skip
TABLES = (
    "CREATE TABLE orders (region TEXT, area TEXT, order_date TEXT, channel TEXT, amount REAL, revenue REAL)",
    "INSERT INTO orders VALUES "
    + ", ".join(f"('{zh}', '{en}', '{year}-02-01', '线上', {value}, {value})" for zh, en, year, value in ROWS),
)
MEANINGS = {"orders": "订单", "orders.amount": "营收（万元）", "orders.region": "地区", "orders.channel": "渠道"}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("figures")
    declared = DatabaseSettings(path=sqlite_file(folder, TABLES), tables=("orders",), meanings=MEANINGS)
    settings = lexical_settings()
    settings = settings.model_copy(
        update={"tools": settings.tools.model_copy(update={"databases": {"sales": declared}})}
    )
    with Library.open(folder / "library", settings) as opened:
        add_files(opened, [write(folder / "documents", 办法="# 付款办法\n\n验收后30天内付款。\n")])
        yield opened


def ask(library: Library, question: str) -> Answer:
    return build_agent(library).ask(question)


def statements(answer: Answer) -> list[str]:
    return list(dict.fromkeys("/".join(one.section_path) for one in answer.citations if one.document == "sales"))


@pytest.mark.parametrize(
    ("question", "first", "figures"),
    [
        ("去年华东的营收比华南高多少？", "350.5", ("500.5", "150")),
        ("华东和华南去年的营收相差多少？", "350.5", ("500.5", "150")),
        (f"华东和华南{LAST}年的营收哪个高？", "华东", ("500.5", "150")),
        ("去年华东的营收比今年高多少？", "467.5", ("500.5", "33")),
        ("How much higher was the revenue of North than that of South last year?", "350.5", ("500.5", "150")),
        (f"Which had the higher revenue in {LAST}, North or South?", "North", ("500.5", "150")),
    ],
)
def test_two_figures_are_counted_under_the_same_conditions_and_compared(
    library: Library, question: str, first: str, figures: tuple[str, str]
) -> None:
    answer = ask(library, question)
    assert answer.status is AnswerStatus.ANSWERED
    lines = answer.text.splitlines()
    assert first in lines[0] and "[1][2]" in lines[0]
    assert all(any(figure in line for line in lines[1:]) for figure in figures)
    assert len(statements(answer)) == 2
    assert all("order_date" in one for one in statements(answer))


def test_figures_in_a_list_name_what_each_of_them_is_of(library: Library) -> None:
    answer = ask(library, "去年华东和华南的营收分别是多少？")
    east, south = answer.text.splitlines()
    assert east.startswith("华东") and "500.5" in east
    assert south.startswith("华南") and "150" in south


@pytest.mark.parametrize(
    "question",
    [
        "华东线上渠道的营收比华南高多少？",
        "线上渠道，华东的营收比华南高多少？",
        "金额大于100万元的订单，华东的营收比华南多多少？",
        "华东的营收比去年高多少？",
    ],
)
def test_no_figure_is_shown_where_a_condition_may_have_been_lost(library: Library, question: str) -> None:
    answer = ask(library, question)
    assert answer.status is not AnswerStatus.ANSWERED
    # The sums over all years, all amounts, or all regions.
    assert not any(wrong in answer.text for wrong in ("633.5", "850", "650.5", "533.5"))
