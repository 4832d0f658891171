"""LangChain tools: checked against their own schema, asked about unless said to be harmless, cited as results."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain_core.tools import BaseTool, StructuredTool, ToolException, tool
from langchain_core.tools.base import InjectedToolArg
from pydantic import BaseModel, Field
from veriloop.errors import UsageError
from veriloop.tools.adapters.langchain import as_tools, from_langchain
from veriloop.tools.contracts import ErrorCode, Permission, Tool, ToolFailure, ToolOutput
from veriloop.tools.registry import ToolRegistry


class Place(BaseModel):
    """Where."""

    town: str = Field(min_length=2, description="its name")
    days: int = Field(default=1, ge=1, le=7)


@tool(args_schema=Place)
def forecast(town: str, days: int = 1) -> str:
    """The weather of a town."""
    return f"{town}: rain on day {days}."


def run(made: Tool, **arguments: Any) -> ToolOutput | ToolFailure:
    registry = ToolRegistry([made])
    return registry.run(made.name, arguments)


def reading(made: BaseTool, **options: Any) -> Tool:
    return from_langchain(made, permission="read", **options)


def test_its_result_is_a_source_that_can_be_cited() -> None:
    output = run(reading(forecast), town="Husum", days=2)
    assert isinstance(output, ToolOutput)
    assert output.hits[0].block.text == "Husum: rain on day 2."
    assert output.hits[0].document.name == "forecast"


@pytest.mark.parametrize("arguments", [{}, {"town": "X"}, {"town": "Husum", "days": 9}])
def test_what_its_schema_does_not_allow_never_reaches_it(arguments: dict[str, Any]) -> None:
    output = run(reading(forecast), **arguments)
    assert isinstance(output, ToolFailure) and output.code is ErrorCode.INVALID_ARGUMENTS


def test_a_person_is_asked_unless_it_is_said_to_only_read() -> None:
    (by_default,) = as_tools([forecast])
    assert by_default.permission is Permission.SENSITIVE
    refused = run(by_default, town="Husum")
    assert isinstance(refused, ToolFailure) and refused.code is ErrorCode.REFUSED


def test_a_tool_that_works_asynchronously_only_is_called_as_well() -> None:
    async def wave(height: float) -> dict[str, float]:
        """Doubles a wave."""
        return {"metres": 2 * height}

    output = run(reading(StructuredTool.from_function(coroutine=wave)), height=1.5)
    assert isinstance(output, ToolOutput) and '"metres": 3.0' in output.hits[0].block.text


def test_arguments_declared_by_a_json_schema_are_checked_too() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}, "required": ["n"]}
    made = reading(StructuredTool(name="square", func=lambda n: n * n, description="Squares.", args_schema=schema))
    output = run(made, n=3)
    assert isinstance(output, ToolOutput) and output.hits[0].block.text == "9"
    refused = run(made, n=6)
    assert isinstance(refused, ToolFailure) and "n" in refused.detail


def test_arguments_that_langchain_injects_are_none_of_a_plans() -> None:
    @tool
    def whoami(greeting: str, user: Annotated[str, InjectedToolArg] = "nobody") -> str:
        """Greets."""
        return f"{greeting}, {user}"

    assert list(reading(whoami).arguments.model_json_schema()["properties"]) == ["greeting"]


def test_its_own_error_is_told_and_anybody_elses_is_not() -> None:
    @tool
    def broken(why: str) -> str:
        """Breaks."""
        raise ToolException("no <<<tide>>> today") if why == "said" else RuntimeError("password 123")

    said, unsaid = run(reading(broken), why="said"), run(reading(broken), why="other")
    assert isinstance(said, ToolFailure) and "no tide today" in said.detail
    assert isinstance(unsaid, ToolFailure) and "123" not in unsaid.detail


def test_a_tool_that_finds_nothing_brings_no_source() -> None:
    @tool
    def empty(question: str) -> str:
        """Finds nothing."""
        return "  "

    assert run(reading(empty), question="?") == ToolOutput()


def test_a_name_that_models_cannot_call_is_made_one_that_they_can() -> None:
    made = StructuredTool.from_function(lambda q: q, name="Web Search (v2)", description="Searches.")
    assert reading(made).name == "Web_Search_v2"


def test_what_is_no_tool_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="'forecast'"):
        list(as_tools(["forecast"]))  # type: ignore[list-item]
