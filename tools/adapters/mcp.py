"""Tools of servers of the Model Context Protocol as tools of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel

from ...configs.mcp_settings import McpSettings
from ...errors import MissingExtraError, UsageError
from ...knowledge.documents import Caller
from ..contracts import Category, ErrorCode, Permission, Tool, ToolError, ToolOutput
from ..offers import NotOffered
from .json_arguments import arguments_model
from .mcp_connection import ListedTool, McpConnection, McpUnavailableError, connection_to
from .results_text import output_of, text_of
from .said import said_by_others, tool_name

_LONGEST_DESCRIPTION = 400
"""Of a server's words in a prompt: they are data, and no reason to fill it."""
_LONGEST_REASON = 300
_MOST_TOOLS = 100
"""Of one server."""


def mcp_tools(servers: Mapping[str, McpSettings], caller: Caller) -> Iterator[Tool | NotOffered]:
    """The tools of every server that the caller may use; a server that cannot be reached is reported.

    Args:
        servers: by name, as the settings declare them.
        caller: on whose behalf the run asks.
    """
    for name, settings in servers.items():
        if settings.readers and not caller.is_owner and not settings.readers & caller.readers:
            continue
        try:
            server = connection_to(name, settings)
            listed = server.tools()[:_MOST_TOOLS]
        except (McpUnavailableError, MissingExtraError) as error:
            yield NotOffered(name, str(error))
            continue
        yield from _offered(name, settings, server, listed)


def _offered(
    name: str, settings: McpSettings, server: McpConnection, listed: tuple[ListedTool, ...]
) -> Iterator[Tool | NotOffered]:
    for one in listed:
        if settings.tools is not None and one.name not in settings.tools:
            continue
        try:
            yield _tool(name, settings, server, one)
        except UsageError as error:
            yield NotOffered(tool_name(one.name, name), str(error))
    for wanted in settings.tools or ():
        if wanted not in {one.name for one in listed}:
            yield NotOffered(tool_name(wanted, name), f"the server {name!r} of tools.mcp has no tool {wanted!r}")


def _tool(name: str, settings: McpSettings, server: McpConnection, listed: ListedTool) -> Tool:
    called = tool_name(listed.name, name)

    def run(arguments: BaseModel) -> ToolOutput:
        result = server.call(listed.name, arguments.model_dump())
        said = server.mask().masked(text_of(result.blocks) or text_of(result.structured))
        if result.is_error:
            raise ToolError(ErrorCode.FAILED, f"the server said: {said_by_others(said, _LONGEST_REASON)}")
        return output_of(called, name, said, settings.max_characters, section=(listed.name,))

    return Tool(
        name=called,
        description=said_by_others(listed.description, _LONGEST_DESCRIPTION) or f"The tool {called}.",
        arguments=arguments_model(called, listed.schema),
        run=run,
        timeout_seconds=settings.timeout_seconds + settings.connect_seconds,
        permission=Permission(settings.permissions.get(listed.name, settings.permission)),
        idempotent=False,
        category=Category.OTHER,
        live=settings.live,
    )
