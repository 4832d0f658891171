"""Which tool a question is for: hard rules, declared sources, a user's own tools, and never a guess."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from veriloop.tools.choosing.labelled import accuracy, measure, read_labelled
from veriloop.tools.choosing.models import ToolChoice
from veriloop.tools.choosing.offered import offered
from veriloop.tools.choosing.rules import choose_by_rules
from veriloop.tools.contracts import ArgumentsFound, Category, Permission, Tool, ToolOutput
from veriloop.tools.registry import MOST_OFFERED, ToolRegistry

EXAMPLES = Path(__file__).parents[3] / "examples" / "tool_choice.jsonl"
SET = read_labelled(EXAMPLES)
DECLARED = {tool.name: tool for tool in SET.tools}


class Question(BaseModel):
    """What the test tools take."""

    question: str


def made(name: str, **fields: object) -> Tool:
    options = {"description": "Does something.", "arguments": Question, "run": lambda _: ToolOutput(), **fields}
    return Tool(name=name, **options)  # type: ignore[arg-type]


def choose(question: str, *tools: Tool) -> ToolChoice:
    offered_tools = tools or SET.tools
    return choose_by_rules(question, offered_tools, ToolRegistry(offered_tools))


def found(confidence: float, *missing: str) -> Callable[[str], ArgumentsFound]:
    return lambda question: ArgumentsFound({"question": question}, confidence, missing)


@pytest.mark.parametrize("held_out", [False, True], ids=["tuned with", "held out"])
def test_rules_choose_the_right_tool_for_nine_in_ten_questions(held_out: bool) -> None:
    cases = [case for case in SET.questions if case.held_out is held_out]
    assert len(cases) == 30
    assert accuracy(measure(cases, choose)).share >= 0.9


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("上季度的营收是多少？", "query_sql"),
        ("最新版的采购制度是哪一版？", "search_documents"),
        ("2025年3月3日起5个工作日后是哪天？", "calculate"),
        ("收到发票后几天内付款？", "search_documents"),
        ("请把附件二的原文完整列出来", "read_section"),
        ("现在2号风机的实时功率是多少？", "call_api"),
        ("2号风机的功率应当是多少？", "search_documents"),
        ("How many days after delivery may goods be returned?", "search_documents"),
        ("Please create a ticket for the broken pump.", "call_api"),
        ("Who may create a ticket?", "search_documents"),
    ],
)
def test_traps_are_told_apart(question: str, tool: str) -> None:
    assert choose(question).tool == tool


@pytest.mark.parametrize("case", SET.questions, ids=lambda case: case.question[:20])
def test_a_question_never_goes_to_a_tool_that_is_not_offered(case: object) -> None:
    search = DECLARED["search_documents"]
    question = case.question  # type: ignore[attr-defined]
    assert choose(question, search).tool == "search_documents"
    for name, tool in DECLARED.items():
        if name != search.name:
            assert choose(question, search, tool).tool in (search.name, name)


def test_without_a_database_that_holds_it_revenue_is_looked_for_in_the_documents() -> None:
    rest = [tool for tool in SET.tools if tool.name != "query_sql"]
    assert choose("去年第四季度的营收是多少？", *rest).tool == "search_documents"
    other = made("query_sql", category=Category.DATA, subjects=("stock: 库存 仓库",))
    assert choose("去年第四季度的营收是多少？", *rest, other).tool == "search_documents"


def test_what_is_so_now_goes_to_a_live_source_only_where_one_knows_of_it() -> None:
    live = made("tides", live=True, subjects=("water level of the harbour 水位 港口",))
    still = made("tides", subjects=("water level of the harbour 水位 港口",))
    assert choose("港口现在的水位是多少？", live).tool == "tides"
    assert choose("现在的停车费是多少？", live).tool == "search_documents"
    assert choose("港口的水位标准是多少？", live).tool == "search_documents"
    assert choose("港口现在的水位是多少？", still).confidence < choose("港口现在的水位是多少？", live).confidence


def test_a_users_own_tool_is_taken_for_questions_like_its_examples_and_not_for_others() -> None:
    tides = made(
        "tide_table",
        description="High and low water at a harbour.",
        not_for="Not for rules about mooring.",
        examples=("明天青岛的高潮是几点？", "When is high water in Husum tomorrow?"),
    )
    among = (*SET.tools, tides)
    assert choose("When is high water in Bremen tomorrow?", *among).tool == "tide_table"
    assert choose("今天上海的高潮是几点？", *among).tool == "tide_table"
    assert choose("When is the office closed?", *among).tool == "search_documents"
    assert choose("What do the rules about mooring say?", *among).tool == "search_documents"


def test_the_tools_own_rule_decides_and_its_arguments_are_kept() -> None:
    sure = made("moon", by_rules=found(0.95))
    choice = choose("phase 7", sure)
    assert (choice.tool, choice.arguments) == ("moon", {"question": "phase 7"})
    assert choose("phase 7", made("moon", by_rules=found(0.3))).tool == "search_documents"
    assert choose("phase 7", made("moon", by_rules=lambda _: None)).tool == "search_documents"


def test_a_tool_whose_rule_fails_is_not_chosen_and_ends_nothing() -> None:
    def fails(_: str) -> ArgumentsFound:
        raise ZeroDivisionError

    assert choose("phase 7", made("moon", by_rules=fails)).tool == "search_documents"


def test_what_a_call_lacks_is_named_and_the_documents_are_searched_instead() -> None:
    choice = choose("提交报销申请", made("claim", permission=Permission.WRITE, by_rules=found(0.9, "金额")))
    assert choice.tool == "search_documents" and choice.missing == ("金额",)


@pytest.mark.parametrize("question", ["报销申请怎么提交？", "谁提交了报销申请？", "提交报销申请的条件是什么？"])
def test_a_call_that_changes_something_is_chosen_only_when_told_to(question: str) -> None:
    write = made("claim", permission=Permission.WRITE, by_rules=found(0.99))
    assert choose(question, write).tool == "search_documents"
    assert choose("给张三提交报销申请。", write).tool == "claim"


@given(st.text(max_size=80))
def test_any_text_has_a_choice_that_is_offered(text: str) -> None:
    choice = choose(text)
    assert choice.tool in DECLARED and 0 <= choice.confidence <= 1


def test_of_many_tools_seven_are_offered_with_the_search_and_those_that_rules_choose() -> None:
    many = [*SET.tools, *(made(f"extra_{number}") for number in range(40))]
    chosen = offered(["1.2万元是多少元？"], many, ToolRegistry(many), tuple(Category))
    assert len(chosen) == MOST_OFFERED
    assert [tool.name for tool in chosen[:2]] == ["search_documents", "calculate"]


def test_of_some_kinds_only_their_tools_are_offered() -> None:
    chosen = offered(["Where is it?"], SET.tools, ToolRegistry(SET.tools), (Category.MEMORY,))
    assert {tool.name for tool in chosen} == {"search_documents", "lookup_memory"}


@pytest.mark.parametrize("piece", ["1", "1,", "1,1", "1和", "1天", "12%", "sum of 1, "])
def test_messages_of_nothing_but_numbers_cost_no_time(piece: str) -> None:
    message = (piece * 4_000)[:4_000]
    began = time.process_time()
    assert choose(message).tool in {tool.name for tool in SET.tools}
    # It took hours: a list of numbers could be read in as many ways as there are ways to cut it.
    assert time.process_time() - began < 20
