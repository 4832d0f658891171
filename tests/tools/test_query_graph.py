# ruff: noqa: E501 - texts and cases are read in one piece
"""The tool over entities and relations: when it is offered, what it brings back, which questions are for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.graph_documents import graph_library, open_graph_library
from veriloop import Caller, Library
from veriloop.knowledge.query.models import SearchFilter
from veriloop.tools.assembly import ToolNeeds, make_tools
from veriloop.tools.contracts import Tool, ToolFailure, ToolOutput
from veriloop.tools.query_graph import make_query_graph
from veriloop.tools.registry import ToolRegistry

ANYBODY = Caller()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with graph_library(tmp_path_factory.mktemp("graph")) as opened:
        yield opened


@pytest.fixture(scope="module")
def tool(library: Library) -> Tool:
    made = make_query_graph(library, ANYBODY)
    assert made is not None
    return made


def run(tool: Tool, **arguments: object) -> ToolOutput:
    output = ToolRegistry([tool]).run("query_graph", arguments)
    assert isinstance(output, ToolOutput)
    return output


def test_it_is_offered_only_where_the_graph_is_enabled_and_holds_something_for_the_caller(
    library: Library, tmp_path: Path
) -> None:
    assert "query_graph" in {tool.name for tool in make_tools(ToolNeeds(library, ANYBODY))}
    with open_graph_library(tmp_path) as empty:
        assert make_query_graph(empty, ANYBODY) is None
    with open_graph_library(tmp_path / "off", enabled=False) as off:
        assert make_query_graph(off, Caller.owner()) is None


def test_it_brings_the_blocks_that_say_so_with_the_stretches_in_focus(tool: Tool) -> None:
    output = run(tool, entity="晨曦制造有限公司", relation="供应商")
    assert output.short_answer == "启明仪器有限公司"
    (hit,) = output.hits
    assert "启明仪器有限公司" in hit.block.text[hit.focus[0].start : hit.focus[0].end]
    assert output.notes[0] == "晨曦制造有限公司 —供应商→ 启明仪器有限公司（purchase.md）"


def test_references_come_with_the_clause_that_they_lead_to(tool: Tool) -> None:
    output = run(tool, entity="《设备采购合同》第二条", relation="引用")
    assert "《设备采购合同》第三条" in output.short_answer
    focused = "\n".join(hit.block.text[span.start : span.end] for hit in output.hits for span in hit.focus)
    assert "应当自收到货物之日起10日内组织验收" in focused


def test_it_stays_within_the_documents_that_a_run_is_bounded_to(library: Library) -> None:
    bounded = make_query_graph(library, ANYBODY, SearchFilter(doc_types=frozenset({"contract"})))
    assert bounded is not None
    output = run(bounded, entity="启明仪器有限公司")
    names = {hit.document.name for hit in output.hits}
    assert "dated.md" not in names


def test_an_unknown_name_and_a_relation_that_nobody_states_are_said(tool: Tool) -> None:
    assert run(tool, entity="不存在的公司").notes == ("资料的实体关系里没有“不存在的公司”。",)
    assert run(tool, entity="Brightline Instruments Ltd", relation="owner").notes == (
        "No such relation of “Brightline Instruments Ltd” was found.",
    )


def test_arguments_out_of_bounds_are_refused(tool: Tool) -> None:
    for arguments in (
        {"entity": " "},
        {"entity": "x" * 201},
        {"entity": "甲", "hops": 3},
        {"entity": "甲", "caller": "boss"},
    ):
        assert isinstance(ToolRegistry([tool]).run("query_graph", arguments), ToolFailure)


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("晨曦制造有限公司和启明仪器有限公司是什么关系？", {"entity": "晨曦制造有限公司", "other": "启明仪器有限公司", "hops": 2}),
        ("哪些条款引用了《设备采购合同》第二条？", {"entity": "《设备采购合同》第二条", "relation": "引用", "direction": "in"}),
        ("设备采购合同中哪些条款引用了第二条？", {"entity": "设备采购合同第二条", "relation": "引用", "direction": "in"}),
        ("晨曦制造有限公司的供应商是谁？", {"entity": "晨曦制造有限公司", "relation": "供应商"}),
        ("设备采购合同的乙方是谁", {"entity": "设备采购合同", "relation": "乙方"}),
        ("设备部负责哪些工作？", {"entity": "设备部", "relation": "负责", "direction": "out"}),
        ("哪个文件废止了《仪器管理暂行办法》？", {"entity": "《仪器管理暂行办法》", "relation": "取代", "direction": "in"}),
        ("哪些文件提到了HK-20？", {"entity": "HK-20", "relation": "提到"}),
        ("Who supplies Northwind Traders Ltd?", {"entity": "Northwind Traders Ltd", "relation": "supplier"}),
        ("Who is the supplier of Northwind Traders Ltd?", {"entity": "Northwind Traders Ltd", "relation": "supplier"}),
        ("Which documents mention Brightline Instruments Ltd?", {"entity": "Brightline Instruments Ltd", "relation": "mentions"}),
        ("What does the Inspection Policy replace?", {"entity": "Inspection Policy", "relation": "replaces", "direction": "out"}),
        (
            "What is the relationship between Northwind Traders Ltd and Brightline Instruments Ltd?",
            {"entity": "Northwind Traders Ltd", "other": "Brightline Instruments Ltd", "hops": 2},
        ),
        ("What is the Quality Department responsible for?", {"entity": "Quality Department", "relation": "responsible for", "direction": "out"}),
    ],
)  # fmt: skip
def test_questions_about_relations_are_recognised_and_answered(
    tool: Tool, question: str, arguments: dict[str, object]
) -> None:
    assert tool.by_rules is not None
    found = tool.by_rules(question)
    assert found is not None
    assert found.arguments == arguments
    assert run(tool, **found.arguments).hits


@pytest.mark.parametrize(
    "question",
    [
        "HK-20的精度是多少？", "去年第四季度的营收是多少", "验收应当在几日内组织？", "不存在公司的供应商是谁？", "你好",
        "金丝雀有限公司和晨曦制造有限公司是什么关系？", "Who supplies Acme Ltd?", "What is the travel limit?", "", "\ud800",
    ],
)  # fmt: skip
def test_other_questions_and_unknown_entities_are_left_to_other_tools(tool: Tool, question: str) -> None:
    assert tool.by_rules is not None
    assert tool.by_rules(question) is None
