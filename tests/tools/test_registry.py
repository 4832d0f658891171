"""Calls are checked before they run, and whatever a tool does becomes a result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.errors import GraphInterrupt
from pydantic import BaseModel, Field
from support.documents import SECRET, filled, write
from veriloop import Caller, add_files
from veriloop.errors import LibraryBusyError, UsageError
from veriloop.tools.approval.calls import Consent, PlannedCall
from veriloop.tools.assembly import ToolNeeds, make_tools
from veriloop.tools.registry import Category, ErrorCode, Permission, Tool, ToolFailure, ToolOutput, ToolRegistry


class Arguments(BaseModel):
    """What the test tools take."""

    number: int = Field(ge=1, le=9)


def tool(name: str = "count", error: BaseException | None = None) -> Tool:
    def run(arguments: Any) -> ToolOutput:
        if error is not None:
            raise error
        return ToolOutput(library_version=arguments.number)

    return Tool(name=name, description="Counts. Not for sums.", arguments=Arguments, run=run)


def failure(registry: ToolRegistry, name: str = "count", **arguments: Any) -> ToolFailure:
    found = registry.run(name, arguments)
    assert isinstance(found, ToolFailure)
    return found


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="'count'"):
        ToolRegistry([tool(), tool()])


def test_a_call_with_sound_arguments_brings_the_tools_output() -> None:
    assert ToolRegistry([tool()]).run("count", {"number": 3}) == ToolOutput(library_version=3)


def test_arguments_out_of_bounds_are_named_and_nothing_runs() -> None:
    found = failure(ToolRegistry([tool(error=AssertionError("it ran"))]), number=99)
    assert found.code is ErrorCode.INVALID_ARGUMENTS
    assert "number" in found.detail


def test_an_unknown_tool_is_named_with_those_that_exist() -> None:
    found = failure(ToolRegistry([tool()]), "query_moon")
    assert found.code is ErrorCode.UNKNOWN_TOOL
    assert "query_moon" in found.detail and "count" in found.detail


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (LibraryBusyError("busy"), ErrorCode.TRANSIENT),
        (TimeoutError("slow"), ErrorCode.TRANSIENT),
        (ZeroDivisionError("oops"), ErrorCode.FAILED),
        (RecursionError("deep"), ErrorCode.FAILED),
    ],
)
def test_whatever_a_tool_raises_becomes_a_result(error: Exception, code: ErrorCode) -> None:
    assert failure(ToolRegistry([tool(error=error)]), number=1).code is code


def test_a_tool_that_hangs_is_not_waited_for() -> None:
    def hang(_: Any) -> ToolOutput:
        Event().wait()
        return ToolOutput()

    slow = Tool(name="slow", description="Waits.", arguments=Arguments, run=hang, timeout_seconds=0.05)
    assert failure(ToolRegistry([slow]), "slow", number=1).code is ErrorCode.TRANSIENT
    patient = Tool(name="slow", description="Waits.", arguments=Arguments, run=hang)
    late = ToolRegistry([patient]).run("slow", {"number": 1}, seconds=0.05)
    assert isinstance(late, ToolFailure)
    assert "0.05" in late.detail


def test_what_is_no_output_of_a_tool_is_a_failure_that_names_it() -> None:
    odd = Tool(name="odd", description="Odd.", arguments=Arguments, run=lambda _: cast(Any, ["hit"]))
    found = failure(ToolRegistry([odd]), "odd", number=1)
    assert (found.code, "list" in found.detail) == (ErrorCode.FAILED, True)


def test_an_interrupt_passes_through() -> None:
    with pytest.raises(GraphInterrupt):
        ToolRegistry([tool(error=GraphInterrupt())]).run("count", {"number": 1})


def test_a_tool_is_described_with_what_it_is_not_for() -> None:
    (description,) = ToolRegistry([tool()]).describe()
    assert "Not for" in description.description
    assert description.arguments["properties"]["number"]["maximum"] == 9


def test_a_search_can_be_limited_to_documents_and_never_beyond_the_callers_rights(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        add_files(library, [write(tmp_path / "secret", salaries=SECRET)], readers=frozenset({"hr"}))
        registry = ToolRegistry(make_tools(ToolNeeds(library, Caller())))
        limited = registry.run("search_documents", {"query": "违约金是多少", "documents": ["contract"]})
        assert isinstance(limited, ToolOutput)
        assert {hit.document.name for hit in limited.hits} == {"contract.md"}
        hidden = registry.run("search_documents", {"query": "总经理的年薪", "documents": ["salaries"]})
        assert isinstance(hidden, ToolOutput)
        assert hidden.hits == ()


@pytest.mark.parametrize("name", ["", "two words", "查询", "7up", "x" * 65, "a.b"])
def test_a_name_that_models_cannot_call_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="letters, digits"):
        ToolRegistry([tool(name)])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"description": "  "}, "no description"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
        ({"schema_version": 0}, "schema_version"),
        ({"permission_of": lambda _: Permission.WRITE}, "permission_of"),
    ],
)
def test_what_could_not_be_planned_or_would_not_end_is_refused_by_name(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=f"'count'.*{reason}"):
        ToolRegistry([replace(tool(), **changes)])


def test_at_most_seven_tools_are_offered_at_a_time_and_the_kinds_name_all() -> None:
    many = [replace(tool(f"count_{number}"), category=list(Category)[number % 2]) for number in range(20)]
    registry = ToolRegistry(many)
    assert registry.is_large and len(registry.describe()) == 7
    first, second = registry.categories()
    assert set(first.tools) | set(second.tools) == {one.name for one in many}
    assert {one.name for one in registry.describe(second.category)} <= set(second.tools)
    assert not ToolRegistry(many[:7]).is_large


def test_what_waits_for_an_earlier_answer_is_checked_when_it_has_come() -> None:
    registry = ToolRegistry([tool()])
    assert registry.problem("count", {"number": "{t1}"}) is None
    assert registry.problem("count", {"number": 77}) is not None
    assert failure(registry, number="{t1}").code is ErrorCode.INVALID_ARGUMENTS


@given(st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=8) | st.none(), max_size=4))
def test_whatever_a_plan_gives_as_arguments_the_registry_says_whether_it_fits(arguments: dict[str, Any]) -> None:
    registry = ToolRegistry([tool()])
    problem, ran = registry.problem("count", arguments), registry.run("count", arguments)
    assert isinstance(ran, ToolFailure) is (problem is not None)


def test_a_write_that_did_not_answer_in_time_is_uncertain_and_not_made_again() -> None:
    def hang(_: Any) -> ToolOutput:
        raise TimeoutError("slow")

    write_tool = replace(tool(), run=hang, permission=Permission.WRITE, idempotent=False)
    registry = ToolRegistry([write_tool])
    planned = registry.call("count", {"number": 1})
    assert isinstance(planned, PlannedCall)
    late = registry.run("count", {"number": 1}, consent=Consent("a", planned.digest))
    assert isinstance(late, ToolFailure) and late.code is ErrorCode.UNCERTAIN
    reading = ToolRegistry([replace(write_tool, permission=Permission.READ)])
    assert failure(reading, number=1).code is ErrorCode.TRANSIENT
