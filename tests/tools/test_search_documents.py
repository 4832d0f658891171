"""What a planner can ask the search for: only some documents, by name, type, domain and day, in any usual spelling."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from support.documents import lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.knowledge.description import Description
from veriloop.tools.assembly import ToolNeeds, make_tools
from veriloop.tools.registry import MOST_NOTES, ErrorCode, Tool, ToolFailure, ToolOutput, ToolRegistry
from veriloop.tools.search_documents import SEARCH_DOCUMENTS, SearchArguments

TEXTS = {
    "春节放假通知": "# 春节放假通知\n\n发布日期：2024年1月20日\n\n春节放假八天，值班表另发。",
    "国庆放假通知": "# 国庆放假通知\n\n发布日期：2025年9月20日\n\n国庆放假七天，值班表另发。",
    "采购合同": "# 采购合同\n\n签订日期：2025年3月1日\n\n放假期间不交货。",
}


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[ToolRegistry]:
    """The tools over three documents, the contract of the domain `purchasing`."""
    folder = write(tmp_path / "documents", **TEXTS)
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        contract = folder / "采购合同.md"
        add_files(library, [path for path in sorted(folder.iterdir()) if path != contract])
        add_files(library, [contract], described=Description(domain="purchasing"))
        yield ToolRegistry(make_tools(ToolNeeds(library, Caller())))


def found(tools: ToolRegistry, query: str = "放假几天？", **arguments: Any) -> ToolOutput:
    output = tools.run(SEARCH_DOCUMENTS, {"query": query, **arguments})
    assert isinstance(output, ToolOutput), output
    return output


def names(output: ToolOutput) -> set[str]:
    return {hit.document.name.removesuffix(".md") for hit in output.hits}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, set(TEXTS)),
        ({"doc_types": ["通知"]}, {"春节放假通知", "国庆放假通知"}),
        ({"doc_types": "contract"}, {"采购合同"}),
        ({"domains": ["Purchasing"]}, {"采购合同"}),
        ({"dated_from": "2025"}, {"国庆放假通知", "采购合同"}),
        ({"dated_to": "2024年"}, {"春节放假通知"}),
        ({"dated_from": "2025-09-01", "dated_to": "2025-09-30"}, {"国庆放假通知"}),
        ({"doc_types": ["notice"], "dated_from": 2025}, {"国庆放假通知"}),
        ({"doc_types": [], "domains": "", "dated_from": "", "dated_to": None}, set(TEXTS)),
        ({"doc_types": ["policy"]}, set()),
    ],
    ids=["none", "type", "type in English", "domain", "since", "until", "between", "two", "empty ones", "nothing left"],
)
def test_a_search_keeps_to_the_documents_that_its_arguments_mean(
    tools: ToolRegistry, arguments: dict[str, Any], expected: set[str]
) -> None:
    assert names(found(tools, **arguments)) == expected


def test_what_the_question_says_of_the_documents_narrows_the_search_and_is_told(tools: ToolRegistry) -> None:
    output = found(tools, "2024年发布的通知里，放假几天？")
    assert names(output) == {"春节放假通知"}
    (note,) = output.notes
    assert "只查找了这样的文档" in note and "2024" in note and "2025" not in note


def test_a_filter_is_told_in_english_where_the_question_is_english(tools: ToolRegistry) -> None:
    (note,) = found(tools, "holiday", dated_from="2025-01-01").notes
    assert note.startswith("Only such documents were searched: ") and "2025-01-01" in note


def test_arguments_take_the_place_of_what_the_question_says(tools: ToolRegistry) -> None:
    assert names(found(tools, "2024年发布的通知里，放假几天？", dated_from="2025-09-01")) == {"国庆放假通知"}


def test_a_search_of_everything_has_nothing_to_tell(tools: ToolRegistry) -> None:
    assert found(tools).notes == ()


@pytest.mark.parametrize(
    "arguments",
    [
        {"dated_from": "2025-02-30"},
        {"dated_from": "soon"},
        {"dated_to": True},
        {"in_force_on": ["2024"]},
        {"dated_from": "2025", "dated_to": "2024"},
        {"doc_types": ["contract"] * 21},
        {"doc_types": ["x" * 201]},
        {"domains": {"hr": 1}},
    ],
    ids=["no such day", "no day", "a truth", "a list", "backwards", "too many", "too long", "an object"],
)
def test_arguments_that_name_no_documents_are_refused_before_anything_runs(
    tools: ToolRegistry, arguments: dict[str, Any]
) -> None:
    failure = tools.run(SEARCH_DOCUMENTS, {"query": "放假几天？", **arguments})
    assert isinstance(failure, ToolFailure)
    assert failure.code is ErrorCode.INVALID_ARGUMENTS


def test_the_day_of_the_run_is_a_day_that_a_planner_can_name() -> None:
    today = date.today()
    assert today <= SearchArguments(query="x", in_force_on="today").in_force_on <= date.today()  # type: ignore[operator]


@given(st.dates(min_value=date(1000, 1, 1)))
def test_a_day_means_itself_and_a_month_and_a_year_begin_and_end_with_their_days(day: date) -> None:
    said = SearchArguments.model_validate({"query": "x", "dated_from": day.isoformat(), "dated_to": day.isoformat()})
    assert (said.dated_from, said.dated_to) == (day, day)
    month = SearchArguments.model_validate({"query": "x", "dated_from": f"{day:%Y-%m}", "dated_to": f"{day:%Y}"})
    assert month.dated_from == day.replace(day=1)
    assert month.dated_to == date(day.year, 12, 31)


@given(
    st.dictionaries(
        st.sampled_from(["doc_types", "domains", "dated_from", "dated_to", "in_force_on"]),
        st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda s: st.lists(s)),
    )
)
def test_whatever_a_model_writes_is_taken_or_refused_and_never_breaks(arguments: dict[str, Any]) -> None:
    try:
        taken = SearchArguments.model_validate({"query": "x", **arguments})
    except ValidationError:
        return
    filters = taken.filters()
    assert filters is None or not filters.is_empty


def test_a_tool_tells_only_so_much() -> None:
    def run(arguments: Any) -> ToolOutput:
        return ToolOutput(notes=("talk " * 1000,) * 100)

    chatty = Tool(name="chatty", description="Talks.", arguments=SearchArguments, run=run)
    output = ToolRegistry([chatty]).run("chatty", {"query": "x"})
    assert isinstance(output, ToolOutput)
    assert len(output.notes) == MOST_NOTES
    assert all(len(note) <= 500 for note in output.notes)
