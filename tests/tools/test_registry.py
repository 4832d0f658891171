"""Calls are checked before they run, and whatever a tool does becomes a result."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from langgraph.errors import GraphInterrupt
from pydantic import BaseModel, Field
from support.documents import SECRET, filled, write
from veriloop import Caller, add_files
from veriloop.errors import LibraryBusyError, UsageError
from veriloop.tools.assembly import ToolNeeds, make_tools
from veriloop.tools.registry import ErrorCode, Tool, ToolFailure, ToolOutput, ToolRegistry


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
