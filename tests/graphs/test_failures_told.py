"""What could not be done is told in the language of the question; what cannot be computed is no gap in documents."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from support.documents import lexical_settings, write
from veriloop import Answer, Caller, Library, add_files, build_agent
from veriloop.errors import CalculationError
from veriloop.knowledge.text.normalise import has_chinese
from veriloop.state import AnswerStatus
from veriloop.tools.calculate.faults import Fault, fault
from veriloop.tools.contracts import ArgumentsFound, Category, ErrorCode, Tool, ToolError, ToolOutput
from veriloop.tools.search_documents import make_search_documents

ENGLISH = re.compile(r"\b(?:the|cannot|is|was|are|they|no|search|person|charge)\b")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("failures")
    with Library.open(folder / "library", lexical_settings()) as opened:
        add_files(opened, [write(folder / "documents", 合同="# 合同\n\n合同总价为120万元。\n")])
        yield opened


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("10元加5kW是多少？", "元和kW不能相加"),
        ("1/0等于多少？", "除数不能为 0"),
        ("2025年2月31日之后10天是哪天？", "没有 2025-02-31 这一天"),
        ("100 美元加 5 元是多少？", "汇率"),
        ("What is 10 EUR plus 5 kW?", "EUR and kW cannot be added"),
        ("What is 1/0?", "division by zero"),
        ("What is 10 days after 31 February 2025?", "there is no day 2025-02-31"),
    ],
)
def test_a_calculation_that_has_no_result_ends_in_just_that(library: Library, question: str, said: str) -> None:
    answer = build_agent(library).ask(question)
    assert said in answer.text
    assert len(answer.text.splitlines()) == 1
    assert "资料" not in answer.text and "documents" not in answer.text
    assert not answer.notes
    assert has_chinese(question) or not has_chinese(answer.text)
    assert not (has_chinese(question) and ENGLISH.search(answer.text))


def test_what_was_found_is_shown_beside_what_cannot_be_computed(library: Library) -> None:
    answer = build_agent(library).ask("合同总价加5kW是多少？")
    assert answer.status is AnswerStatus.PARTIAL
    assert "不能相加" in answer.text.splitlines()[0]
    assert "120万元" in answer.text
    assert "没有提到" not in answer.text


@given(st.sampled_from(list(Fault)))
def test_each_reason_has_words_in_both_languages(kind: Fault) -> None:
    error = fault(kind)
    assert has_chinese(error.chinese) and not ENGLISH.search(error.chinese)
    assert str(error) and str(error) != error.chinese
    assert isinstance(error, CalculationError) and error.kind == kind.value


class Asked(BaseModel):
    """What the test tool takes."""

    query: str


def failing(error: Exception) -> Tool:
    def run(_: Asked) -> ToolOutput:
        raise error

    return Tool(
        name="gauge",
        description="The level of a tank.",
        arguments=Asked,
        run=run,
        category=Category.DATA,
        by_rules=lambda question: ArgumentsFound({"query": question}, 0.95),
    )


def ask(library: Library, question: str, error: Exception) -> Answer:
    tools = [make_search_documents(library, Caller.owner()), failing(error)]
    return build_agent(library, caller=Caller.owner(), only_tools=tools).ask(question)


@pytest.mark.parametrize("code", [ErrorCode.FAILED, ErrorCode.TRANSIENT, ErrorCode.REFUSED, ErrorCode.UNCERTAIN])
def test_a_failure_that_is_said_in_english_only_is_told_in_chinese_by_its_kind(
    library: Library, code: ErrorCode
) -> None:
    answer = ask(library, "储罐的液位是多少？", ToolError(code, "the gauge of 储罐 is not there"))
    told = "\n".join((answer.text, *answer.notes))
    assert "the gauge" not in told and not ENGLISH.search(told)
    assert "the gauge" in "\n".join((answer.text, *answer.notes, ask_english(library, code)))


def ask_english(library: Library, code: ErrorCode) -> str:
    answer = ask(library, "What is the level of the tank?", ToolError(code, "the gauge is not there"))
    return "\n".join((answer.text, *answer.notes))


def test_a_failure_that_a_tool_says_in_chinese_is_told_so(library: Library) -> None:
    error = ToolError(ErrorCode.FAILED, "the gauge is not there", chinese="液位计没有接上")
    assert "液位计没有接上" in ask(library, "储罐的液位是多少？", error).text
