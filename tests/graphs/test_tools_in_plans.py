"""Questions for other tools than the search, through the whole graph and by rules: chosen, planned, judged, cited."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.tools import tool as langchain_tool
from pydantic import BaseModel, Field
from support.documents import lexical_settings, write
from veriloop import Answer, Caller, Library, add_files, build_agent
from veriloop.decisions import Route
from veriloop.knowledge.documents import BlockKind
from veriloop.state import AnswerStatus
from veriloop.tools.adapters.langchain import from_langchain
from veriloop.tools.calculate import make_calculate
from veriloop.tools.contracts import ArgumentsFound, Category, ErrorCode, Permission, Tool, ToolError, ToolOutput
from veriloop.tools.results import result_hit
from veriloop.tools.search_documents import make_search_documents

CONTRACT = """# 采购合同

## 第三条 价款

本合同总价为人民币1200万元，含税。

## 第四条 付款

合同签订日期为2025年3月3日。买方应当在验收后10个工作日内付款。

## 第五条 水位

港口的水位标准为3.5米。
"""
LEASE = "# Lease\n\nThe monthly rent is 2,500 EUR.\nThe lease began on 3 March 2025.\n"


class Asked(BaseModel):
    """What the test tools take."""

    harbour: str = Field(min_length=1)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("tools")
    with Library.open(folder / "library", lexical_settings()) as opened:
        add_files(opened, [write(folder / "documents", 采购合同=CONTRACT, lease=LEASE)])
        yield opened


def tides(run: Callable[[Any], ToolOutput], **fields: Any) -> Tool:
    """A live source for water levels with a rule of its own."""

    def by_rules(question: str) -> ArgumentsFound | None:
        return ArgumentsFound({"harbour": "Husum"}, 0.7) if "水位" in question or "water" in question else None

    return Tool(
        **{
            "name": "tides",
            "description": "The water level at a harbour.",
            "arguments": Asked,
            "run": run,
            "live": True,
            "category": Category.DATA,
            "subjects": ("water level harbour 港口 水位",),
            "by_rules": by_rules,
            **fields,
        }
    )


def ask(library: Library, question: str, *tools: Tool, **options: Any) -> Answer:
    search = make_search_documents(library, Caller.owner())
    calculate = make_calculate(library.settings.tools.calendar)
    return build_agent(library, caller=Caller.owner(), only_tools=[search, calculate, *tools], **options).ask(question)


def level(text: str = "Husum: 4.2 m") -> Callable[[Any], ToolOutput]:
    return lambda _: ToolOutput(hits=(result_hit("tides", "harbour office", text, section=("level of Husum",)),))


@pytest.mark.parametrize(
    ("question", "result", "quote"),
    [
        ("合同总价的30%是多少？", "360 万元", "1200万元"),
        ("合同签订日期之后30天是哪一天？", "2025-04-02", "2025年3月3日"),
        ("What is 12% of the monthly rent?", "300 EUR", "2,500 EUR"),
    ],
)
def test_a_value_is_found_first_and_then_computed_with_and_both_are_cited(
    library: Library, question: str, result: str, quote: str
) -> None:
    answer = ask(library, question)
    assert answer.status is AnswerStatus.ANSWERED
    assert result in answer.text.splitlines()[0]
    assert any(quote in citation.quote for citation in answer.citations)
    assert {citation.doc_id.startswith("result:") for citation in answer.citations} == {True, False}


def test_a_value_that_is_not_found_is_named_as_missing_and_nothing_is_computed(library: Library) -> None:
    answer = ask(library, "运输保险费的30%是多少？")
    assert answer.status is AnswerStatus.INSUFFICIENT
    assert any("运输保险费" in missing for missing in answer.missing)


def test_each_part_goes_to_its_own_tool(library: Library) -> None:
    answer = ask(library, "合同总价是多少？850万元的5%是多少？")
    assert answer.status is AnswerStatus.ANSWERED
    assert "1200万元" in answer.text and "42.5 万元" in answer.text


def test_a_result_is_cited_with_its_source_and_what_was_asked_of_it(library: Library) -> None:
    answer = ask(library, "港口现在的水位是多少？", tides(level()))
    assert (answer.status, answer.route) == (AnswerStatus.ANSWERED, Route.TWO_STEP)
    (citation,) = answer.citations
    assert (citation.document, citation.section_path, citation.quote) == (
        "harbour office",
        ("level of Husum",),
        "Husum: 4.2 m",
    )


def test_the_rows_of_a_table_are_quoted_with_their_header(library: Library) -> None:
    table = "| harbour | level |\n| --- | --- |\n| Husum | 4.2 |\n| Bremen | 3.1 |"
    hit = result_hit("tides", "harbour office", table, kind=BlockKind.TABLE)
    answer = ask(library, "港口现在的水位是多少？", tides(lambda _: ToolOutput(hits=(hit,))))
    assert "harbour：Husum，level：4.2" in answer.text and "harbour：Bremen，level：3.1" in answer.text
    assert "| harbour | level |" in {citation.quote for citation in answer.citations}


@pytest.mark.parametrize("finds", ["nothing", "fails"])
def test_where_a_reading_tool_brings_nothing_the_documents_are_searched(library: Library, finds: str) -> None:
    def run(_: Any) -> ToolOutput:
        if finds == "fails":
            raise ToolError(ErrorCode.FAILED, "the office is closed")
        return ToolOutput()

    answer = ask(library, "港口现在的水位是多少？", tides(run))
    assert "3.5米" in answer.text
    assert [citation.document for citation in answer.citations] == ["采购合同.md"]
    assert any("tides出了错" in note for note in answer.notes) is (finds == "fails")


def test_a_refused_call_is_not_made_again_nor_in_other_words(library: Library) -> None:
    calls: list[object] = []

    def run(arguments: Any) -> ToolOutput:
        calls.append(arguments)
        raise ToolError(ErrorCode.REFUSED, "not for you")

    answer = ask(library, "港口现在的水位是多少？", tides(run))
    assert len(calls) == 1 and answer.status is AnswerStatus.INSUFFICIENT


def test_what_a_command_lacks_is_said_and_nothing_is_called(library: Library) -> None:
    def by_rules(question: str) -> ArgumentsFound | None:
        return ArgumentsFound({}, 0.9, missing=("港口",)) if "提交" in question else None

    def run(_: Any) -> ToolOutput:
        raise AssertionError("it ran")

    answer = ask(library, "提交水位报告。", tides(run, permission=Permission.WRITE, by_rules=by_rules))
    assert any("港口" in note for note in answer.notes)


def test_a_plain_question_keeps_the_one_search(library: Library) -> None:
    answer = ask(library, "验收后几个工作日付款？", tides(level()))
    assert (answer.status, answer.route) == (AnswerStatus.ANSWERED, Route.LINEAR)
    assert "10个工作日" in answer.text


def test_a_date_in_a_calculation_is_no_filter_of_documents(library: Library) -> None:
    answer = ask(library, "从2024年9月27日起3个工作日后是哪一天？")
    assert "2024-09-27" in answer.text and answer.status is AnswerStatus.ANSWERED


def test_a_run_whose_only_source_is_a_result_leaves_a_trace(library: Library) -> None:
    answer = ask(library, "850万元的5%是多少？")
    found = library.trace(answer.trace_id, Caller.owner())
    assert found is not None and found.doc_ids == frozenset()


def test_a_langchain_tool_answers_through_the_agent(library: Library) -> None:
    @langchain_tool
    def moon_phase(question: str) -> str:
        """The phase of the moon tonight: full moon, half moon, new moon."""
        return "The moon is full."

    made = from_langchain(moon_phase, permission="read", examples=("What is the phase of the moon tonight?",))
    answer = ask(library, "What is the phase of the moon tonight?", made)
    assert answer.text == "The moon is full.[1]"
    assert answer.citations[0].document == "moon_phase"


def test_without_a_rule_for_it_no_argument_is_made_up(library: Library) -> None:
    def run(_: Any) -> ToolOutput:
        raise AssertionError("it was called with the question for a harbour")

    answer = ask(library, "港口现在的水位是多少？", tides(run, by_rules=None))
    assert "3.5米" in answer.text


def test_a_result_and_a_document_that_disagree_are_shown_as_a_conflict(library: Library) -> None:
    question = "港口的水位标准是多少？港口的水位标准值是多少？"

    def by_rules(part: str) -> ArgumentsFound | None:
        return ArgumentsFound({"harbour": "Husum"}, 0.95) if "标准值" in part else None

    answer = ask(library, question, tides(level("港口的水位标准为4.2米。"), live=False, by_rules=by_rules))
    assert answer.status is AnswerStatus.CONFLICT
    assert "3.5米" in answer.text and "4.2米" in answer.text


def test_what_is_so_right_now_contradicts_no_document(library: Library) -> None:
    answer = ask(library, "港口的水位标准是多少？港口现在的水位是多少？", tides(level("港口的水位为4.2米。")))
    assert answer.status is AnswerStatus.ANSWERED
    assert "3.5米" in answer.text and "4.2米" in answer.text
