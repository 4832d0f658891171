"""A connection to a server of the Model Context Protocol, kept open from call to call."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from ...configs.mcp_settings import McpSettings
from ...errors import MissingExtraError, VeriloopError
from ..api.secrets import SecretMask
from ..contracts import ErrorCode, ToolError
from .said import said_by_others

if TYPE_CHECKING:
    from mcp.client import Client

_RETRY_SECONDS = 60.0
"""After a server could not be reached it is left alone for so long."""
_LISTED_SECONDS = 300.0
"""A server is asked again for its tools after so long."""
_MOST_PAGES = 10
_FROM_ENVIRONMENT = "env:"
_WAY = {"command", "url", "environment", "headers", "connect_seconds", "timeout_seconds"}
"""What of the settings says how a server is reached."""


class McpUnavailableError(VeriloopError, ConnectionError):
    """A server cannot be reached, or does not speak the protocol; the message names it and the reason."""


class ListedTool(NamedTuple):
    """A tool as a server lists it; all of it is the word of somebody else."""

    name: str
    description: str
    schema: Mapping[str, Any]


class Called(NamedTuple):
    """What a call brought."""

    blocks: list[Any]
    structured: Any
    is_error: bool


class McpConnection:
    """One server: opened when it is first needed, opened anew after it has failed. Safe to share between threads.

    Args:
        name: of the server in the settings.
        settings: how it is reached.
    """

    def __init__(self, name: str, settings: McpSettings) -> None:
        self._name = name
        self._settings = settings
        self._lock = Lock()
        self._stack: ExitStack | None = None
        self._portal: BlockingPortal | None = None
        self._client: Client | None = None
        self._listed: tuple[ListedTool, ...] | None = None
        self._listed_at = 0.0
        self._failed_at: float | None = None
        self._failure = ""

    def tools(self) -> tuple[ListedTool, ...]:
        """The tools that the server lists, as of the last five minutes.

        Raises:
            McpUnavailableError: it cannot be reached.
            MissingExtraError: the client is not installed.
        """
        with self._lock:
            if self._listed is None or time.monotonic() - self._listed_at > _LISTED_SECONDS:
                self._listed = self._ask(self._list_tools)
                self._listed_at = time.monotonic()
            return self._listed

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Called:
        """Call a tool.

        Raises:
            McpUnavailableError: the server cannot be reached.
            TimeoutError: it did not answer in time.
        """
        with self._lock:
            portal, client = self._opened()
        try:
            result = portal.call(self._call, client, tool, dict(arguments))
        except TimeoutError:
            raise
        except _refusals() as error:
            raise ToolError(
                ErrorCode.FAILED, f"the server refused the call: {said_by_others(self.mask().masked(str(error)), 300)}"
            ) from error
        except _failures() as error:
            self.close()
            raise McpUnavailableError(self._said(error)) from error
        blocks = [block.model_dump(mode="json", by_alias=True) for block in result.content]
        return Called(blocks, result.structured_content, bool(result.is_error))

    def mask(self) -> SecretMask:
        """Hides what the server was given from the environment, where it says it again."""
        given = {**self._settings.environment, **self._settings.headers}.values()
        names = (value.removeprefix(_FROM_ENVIRONMENT) for value in given if value.startswith(_FROM_ENVIRONMENT))
        return SecretMask(os.environ[name] for name in names if name in os.environ)

    def close(self) -> None:
        """End the connection, and the program where one was started."""
        stack, self._stack, self._client, self._portal = self._stack, None, None, None
        if stack is not None:
            try:
                stack.close()
            except _failures():
                pass  # it has ended by itself

    def _ask(self, work: Any) -> Any:
        try:
            portal, client = self._opened()
            return portal.call(work, client)
        except (McpUnavailableError, MissingExtraError):
            raise
        except _failures() as error:
            self.close()
            self._note_failure(error)
            raise McpUnavailableError(self._said(error)) from error

    def _opened(self) -> tuple[BlockingPortal, Client]:
        if self._client is not None and self._portal is not None:
            return self._portal, self._client
        if self._failed_at is not None and time.monotonic() - self._failed_at < _RETRY_SECONDS:
            raise McpUnavailableError(self._failure)
        self._require_client()
        stack = ExitStack()
        try:
            portal = stack.enter_context(start_blocking_portal())
            client = portal.call(self._made)
            opened: Client = stack.enter_context(portal.wrap_async_context_manager(client))
        except _failures() as error:
            stack.close()
            self._note_failure(error)
            raise McpUnavailableError(self._said(error)) from error
        except BaseException:
            stack.close()
            raise
        self._stack, self._portal, self._client, self._failed_at = stack, portal, opened, None
        return portal, opened

    def _require_client(self) -> None:
        try:
            import_module("mcp.client")
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "mcp":
                raise
            raise MissingExtraError(f"the server {self._name!r} of tools.mcp", "mcp") from error

    async def _made(self) -> Client:
        from mcp.client import Client  # noqa: PLC0415 - an extra

        return Client(self._transport(), read_timeout_seconds=self._settings.connect_seconds)

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Any]:
        """The way to the server; the client enters it."""
        from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: PLC0415 - an extra
        from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415
        from mcp.shared._httpx_utils import create_mcp_http_client  # noqa: PLC0415

        if self._settings.url is not None:
            headers = self._filled(self._settings.headers)
            async with (
                create_mcp_http_client(headers=headers) as http,
                streamable_http_client(self._settings.url, http_client=http) as streams,
            ):
                yield streams
            return
        program, *arguments = self._settings.command
        environment = self._filled(self._settings.environment)
        started = StdioServerParameters(command=program, args=arguments, env=environment)
        async with stdio_client(started, errlog=_nowhere()) as streams:
            yield streams

    async def _list_tools(self, client: Client) -> tuple[ListedTool, ...]:
        found: list[ListedTool] = []
        cursor: str | None = None
        with anyio.fail_after(self._settings.connect_seconds):
            for _ in range(_MOST_PAGES):
                page = await client.list_tools(cursor=cursor)
                found += [ListedTool(one.name, one.description or "", one.input_schema) for one in page.tools]
                cursor = page.next_cursor
                if not cursor:
                    break
        return tuple(found)

    async def _call(self, client: Client, tool: str, arguments: dict[str, Any]) -> Any:
        with anyio.fail_after(self._settings.timeout_seconds):
            return await client.call_tool(tool, arguments, read_timeout_seconds=self._settings.timeout_seconds)

    def _filled(self, values: Mapping[str, str]) -> dict[str, str]:
        """The values, secrets taken from the environment."""
        found: dict[str, str] = {}
        for name, value in values.items():
            variable = value.removeprefix(_FROM_ENVIRONMENT)
            if value.startswith(_FROM_ENVIRONMENT) and variable not in os.environ:
                raise McpUnavailableError(
                    f"the server {self._name!r} of tools.mcp needs the environment variable {variable}: set it"
                )
            found[name] = os.environ[variable] if value.startswith(_FROM_ENVIRONMENT) else value
        return found

    def _note_failure(self, error: BaseException) -> None:
        self._failed_at, self._failure = time.monotonic(), self._said(error)

    def _said(self, error: BaseException) -> str:
        """The reason in words; an address may hold a secret and is not shown."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        reason = "it did not answer in time" if isinstance(error, TimeoutError) else type(error).__name__
        reason = f"{error.strerror}" if isinstance(error, OSError) and error.strerror else reason
        return f"the server {self._name!r} of tools.mcp cannot be reached ({reason})"


@cache
def _nowhere() -> TextIO:
    """For what programs write about themselves: it belongs on nobody's terminal."""
    return Path(os.devnull).open("w", encoding="utf-8")


def _refusals() -> tuple[type[Exception], ...]:
    """What the client raises where a server answers that it will not."""
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415 - an extra

    return (MCPError,)


def _failures() -> tuple[type[Exception], ...]:
    """What the client raises for a server that is not there, has gone, or says something else."""
    gone = (anyio.ClosedResourceError, anyio.BrokenResourceError)
    return (*_refusals(), OSError, ValueError, RuntimeError, *gone, ExceptionGroup)


def connection_to(name: str, settings: McpSettings) -> McpConnection:
    """The connection to a server, the same one for the same way to it; closed when the process ends."""
    return _connection(name, settings.model_dump_json(include=_WAY))


@cache
def _connection(name: str, way: str) -> McpConnection:
    made = McpConnection(name, McpSettings.model_validate_json(way))
    atexit.register(made.close)
    return made
