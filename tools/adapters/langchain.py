"""LangChain tools as tools of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from ...errors import UsageError
from ..contracts import Category, ErrorCode, Permission, Tool, ToolError, ToolOutput
from .results_text import output_of, text_of
from .said import said_by_others, tool_name

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_LONGEST_DESCRIPTION = 1_000
_LONGEST_REASON = 300


def from_langchain(
    tool: BaseTool,
    *,
    permission: Permission | str = Permission.SENSITIVE,
    category: Category | str = Category.OTHER,
    not_for: str = "",
    examples: Iterable[str] = (),
    subjects: Iterable[str] = (),
    live: bool = False,
    idempotent: bool = False,
    timeout_seconds: float = 30.0,
    max_characters: int = 20_000,
) -> Tool:
    """A LangChain tool, synchronous or not, as a tool whose calls are checked, bounded, asked about and cited.

    Args:
        tool: any `BaseTool`; its `args_schema` is what calls are checked against.
        permission: what a call may do. It does not say itself, so by default a person is asked; give `read` for one
            that only looks something up.
        category: its kind.
        not_for: what it is not for, and which tool is.
        examples: questions that it is for: rules choose it by these and by its description.
        subjects: what it knows of, in the words of those who ask.
        live: whether it tells what is so right now.
        idempotent: whether repeating a call changes nothing more.
        timeout_seconds: of one call.
        max_characters: of its result that are read.

    Raises:
        UsageError: its arguments cannot be described, or its name or description is missing.
    """
    name = tool_name(tool.name)

    def run(arguments: BaseModel) -> ToolOutput:
        said = text_of(_content(_called(tool, arguments.model_dump())))
        return output_of(name, tool.name, said, max_characters)

    return Tool(
        name=name,
        description=said_by_others(tool.description, _LONGEST_DESCRIPTION),
        not_for=not_for,
        arguments=_arguments(tool, name),
        run=run,
        timeout_seconds=timeout_seconds,
        permission=Permission(permission),
        category=Category(category),
        examples=tuple(examples),
        subjects=tuple(subjects),
        live=live,
        idempotent=idempotent,
    )


def as_tools(tools: Iterable[Tool | BaseTool]) -> Iterator[Tool]:
    """Tools of ours as they are, LangChain's as `from_langchain` makes them by default.

    Raises:
        UsageError: one is neither.
    """
    from langchain_core.tools import BaseTool  # noqa: PLC0415 - most runs have none

    for tool in tools:
        if isinstance(tool, Tool):
            yield tool
        elif isinstance(tool, BaseTool):
            yield from_langchain(tool)
        else:
            raise UsageError(f"{tool!r} is no tool: give a veriloop Tool or a LangChain BaseTool")


def _arguments(tool: BaseTool, name: str) -> type[BaseModel]:
    """What a caller gives; arguments that LangChain would inject itself are none of it."""
    from .json_arguments import arguments_model  # noqa: PLC0415 - brings jsonschema: most runs have no such tool

    schema = tool.tool_call_schema
    if isinstance(schema, dict):
        return arguments_model(name, schema)
    if issubclass(schema, BaseModel):
        return schema
    return arguments_model(name, schema.schema())  # a model of pydantic 1


def _called(tool: BaseTool, arguments: dict[str, Any]) -> Any:
    from langchain_core.tools import StructuredTool, ToolException  # noqa: PLC0415
    from langchain_core.tools import Tool as SimpleTool  # noqa: PLC0415

    try:
        if isinstance(tool, StructuredTool | SimpleTool) and tool.func is None:
            return asyncio.run(tool.ainvoke(arguments))
        try:
            return tool.invoke(arguments)
        except NotImplementedError:  # it has only the asynchronous way
            return asyncio.run(tool.ainvoke(arguments))
    except ToolException as error:
        raise ToolError(ErrorCode.FAILED, said_by_others(str(error), _LONGEST_REASON)) from error


def _content(value: Any) -> Any:
    """What a result says: a message's content, or the value itself."""
    content = getattr(value, "content", None)
    if content is not None and hasattr(value, "tool_call_id"):
        return content
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value
