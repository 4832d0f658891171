"""Which way a question about a relation goes, and what answers it: from the question to the sentences that state it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.documents import write
from support.graph_documents import open_graph_library
from veriloop import Caller, Library, add_files, build_agent

SALE = """# 水泵买卖合同

第二条 交付

2.1 水泵的参数以《水泵参数表》为准，该表为附件一。

第七条 质量保证

7.1 质保期为18个月。

7.2 卖方应当在接到通知后6小时内响应。

第九条 违约责任

9.1 逾期交货的，每日支付违约金500元。

9.4 卖方未在7.2款规定的时间内响应的，每次支付违约金800元。
"""
TABLE = "# 水泵参数表\n\n水泵KP-20的扬程为35米，水泵KP-30的扬程为48米。\n"
PLAN = """# 泵站改造计划

| 角色 | 姓名 | 部门 | 职责 |
| --- | --- | --- | --- |
| 项目经理 | 高志远 | 工程部 | 进度和费用 |
| 采购负责人 | 田雨晴 | 供应部 | 招标、催交 |
"""
SUPPLY = """# Pump Supply Agreement

Section 3 Warranty

3.1 The warranty lasts 18 months.

3.2 The seller responds within 6 hours of a notice.

Section 5 Damages

5.2 The seller that does not respond as Section 3.2 requires pays 800 EUR for each notice.
"""
TEAM = """# Station Plan

| Role | Name | Responsibilities |
| --- | --- | --- |
| Project manager | Ann Reed | schedule and budget |
| Purchasing lead | Tom Hale | tenders, expediting |
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("relations")
    with open_graph_library(folder) as opened:
        written = write(folder / "d", sale=SALE, table=TABLE, plan=PLAN, supply=SUPPLY, team=TEAM)
        assert not add_files(opened, [written]).failed
        yield opened


@pytest.mark.parametrize(
    ("question", "said", "unsaid"),
    [
        ("哪些文件引用了《水泵参数表》？", "2.1 水泵的参数以", "KP-20"),
        ("哪些条款引用了《水泵参数表》？", "2.1 水泵的参数以", "KP-20"),
        ("水泵买卖合同9.4款引用了哪一款？", "7.2 卖方应当", "9.1"),
        ("买卖合同9.4款引用了哪些条款？", "9.4 卖方未在7.2款", "9.1"),
        ("哪些条款引用了第七条？", "9.4 卖方未在7.2款", "7.1"),
        ("哪些条款引用了水泵买卖合同7.2款？", "9.4 卖方未在7.2款", "7.1"),
        ("谁负责采购？", "姓名：田雨晴", "高志远"),
        ("谁负责催交？", "姓名：田雨晴", "高志远"),
        ("费用由谁负责？", "姓名：高志远", "田雨晴"),
        ("采购的负责人是谁？", "姓名：田雨晴", "高志远"),
        ("田雨晴负责什么？", "职责：招标、催交", "高志远"),
        ("Which clauses refer to Section 3 of the Pump Supply Agreement?", "5.2 The seller that does not", "3.1"),
        ("Which clause does Section 5.2 of the Pump Supply Agreement refer to?", "3.2 The seller responds", "3.1"),
        ("Who is in charge of purchasing?", "Name: Tom Hale", "Ann Reed"),
        ("Who is responsible for the budget?", "Name: Ann Reed", "Tom Hale"),
    ],
)  # fmt: skip
def test_a_question_about_a_relation_is_answered_by_the_sentences_that_state_it_in_its_direction(
    library: Library, question: str, said: str, unsaid: str
) -> None:
    answer = build_agent(library, caller=Caller.owner()).ask(question)
    assert answer.status == "answered"
    assert said in answer.text and unsaid not in answer.text
    assert any("—" in note for note in answer.notes)
