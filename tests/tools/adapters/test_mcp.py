"""Tools of MCP servers: a real server behind pipes and over HTTP, checked, bounded, and permitted by the settings."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from veriloop import Caller
from veriloop.configs.mcp_settings import McpSettings
from veriloop.tools.adapters.mcp import mcp_tools
from veriloop.tools.adapters.mcp_connection import connection_to
from veriloop.tools.api.secrets import MASK
from veriloop.tools.contracts import ErrorCode, Permission, Tool, ToolFailure, ToolOutput
from veriloop.tools.offers import NotOffered
from veriloop.tools.registry import ToolRegistry

pytest.importorskip("mcp", reason="needs an extra: pip install 'veriloop[mcp]'")
SERVER = Path(__file__).parents[2] / "support" / "mcp_server.py"
pytestmark = pytest.mark.extras


def settings(**changes: Any) -> McpSettings:
    """All of them lead to one running program: what is offered of it differs."""
    way = {"connect_seconds": 30, "timeout_seconds": 1, "environment": {"TIDE_KEY": "env:TIDE_KEY"}}
    return McpSettings(command=(sys.executable, str(SERVER)), **way, **changes)


READING = settings(permission="read")


@pytest.fixture(scope="module", autouse=True)
def _one_program() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIDE_KEY", "k-123")
        yield
    connection_to("tides", READING).close()


def offered(made: McpSettings, caller: Caller | None = None) -> dict[str, Tool]:
    found = mcp_tools({"tides": made}, caller or Caller.owner())
    return {one.name: one for one in found if isinstance(one, Tool)}


def run(made: McpSettings, name: str, **arguments: Any) -> ToolOutput | ToolFailure:
    return ToolRegistry(offered(made).values()).run(name, arguments)


def test_a_servers_tool_is_called_and_its_result_is_a_source_that_names_the_server() -> None:
    output = run(READING, "tides__tide", harbour="Husum")
    assert isinstance(output, ToolOutput)
    (hit,) = output.hits
    assert hit.block.text == "High water at Husum on day 1 is at 06:12."
    assert (hit.document.name, hit.block.section_path) == ("tides", ("tide",))


@pytest.mark.parametrize("arguments", [{}, {"harbour": 7}, {"harbour": "Husum", "day": "two"}])
def test_arguments_that_do_not_fit_the_servers_schema_are_refused_before_the_call(arguments: dict[str, Any]) -> None:
    output = run(READING, "tides__tide", **arguments)
    assert isinstance(output, ToolFailure) and output.code is ErrorCode.INVALID_ARGUMENTS


def test_what_a_server_says_of_its_tools_is_one_bounded_line_without_hidden_characters_or_fences() -> None:
    description = offered(READING)["tides__tide"].description
    assert "\n" not in description and "\u200b" not in description and "<<<" not in description
    assert len(description) <= 400


def test_permissions_come_from_the_settings_and_not_from_the_servers_hints() -> None:
    hinted = offered(settings(permissions={"fail": "write"}))
    assert hinted["tides__tide"].permission is Permission.SENSITIVE
    assert hinted["tides__fail"].permission is Permission.WRITE


def test_only_the_named_tools_are_offered_and_a_name_that_the_server_lacks_is_reported() -> None:
    made = settings(tools=("tide", "moon"))
    found = list(mcp_tools({"tides": made}, Caller.owner()))
    assert [one.name for one in found] == ["tides__tide", "tides__moon"]
    assert isinstance(found[1], NotOffered) and "no tool 'moon'" in found[1].reason


def test_who_is_no_reader_of_a_server_is_not_told_of_it() -> None:
    made = settings(readers=frozenset({"harbour"}))
    assert list(mcp_tools({"tides": made}, Caller(readers=frozenset({"alice"})))) == []


def test_a_tools_failure_is_told_in_the_servers_words() -> None:
    output = run(READING, "tides__fail", reason="no water")
    assert isinstance(output, ToolFailure) and output.code is ErrorCode.FAILED
    assert "no water" in output.detail


def test_a_long_result_is_cut_and_said_to_be() -> None:
    output = run(READING, "tides__long_story")
    assert isinstance(output, ToolOutput)
    assert len(output.hits[0].block.text) == 20_000 and "20,000" in output.notes[0]


def test_a_slow_call_ends_in_time() -> None:
    output = run(READING, "tides__hang")
    assert isinstance(output, ToolFailure) and output.code is ErrorCode.TRANSIENT


def test_a_secret_comes_from_the_environment_and_stands_in_no_setting_and_no_result() -> None:
    output = run(READING, "tides__secret")
    assert isinstance(output, ToolOutput) and output.hits[0].block.text == MASK
    failure = run(READING, "tides__fail", reason="no entry with 321-k")
    assert isinstance(failure, ToolFailure) and MASK in failure.detail and "321-k" not in failure.detail
    assert "k-123" not in READING.model_dump_json()


@pytest.mark.parametrize(
    "made",
    [
        McpSettings(command=("no-such-program-of-ours",)),
        McpSettings(command=(sys.executable, "-c", "pass"), connect_seconds=5),
        McpSettings(url="http://127.0.0.1:9/mcp", connect_seconds=5),
        McpSettings(command=(sys.executable,), environment={"A": "env:NOT_SET_ANYWHERE"}),
    ],
    ids=["no program", "ends at once", "nobody listens", "no variable"],
)
def test_a_server_that_cannot_be_reached_is_reported_by_name_and_ends_nothing(made: McpSettings) -> None:
    (missing,) = mcp_tools({"tides": made}, Caller.owner())
    assert isinstance(missing, NotOffered)
    assert missing.name == "tides" and "'tides'" in missing.reason


def test_a_server_over_http_is_called_like_one_behind_pipes() -> None:
    script = f"import sys; sys.path.insert(0, {str(SERVER.parent)!r}); import mcp_server\nimport socket\n" + (
        "s = socket.socket(); s.bind(('127.0.0.1', 0)); port = s.getsockname()[1]; s.close(); print(port, flush=True)\n"
        "mcp_server.server.run(transport='streamable-http', host='127.0.0.1', port=port)\n"
    )
    program = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert program.stdout is not None
        port = int(program.stdout.readline())
        output = _once_it_listens(port)
    finally:
        program.terminate()
        program.wait()
        if program.stdout:
            program.stdout.close()
    assert isinstance(output, ToolOutput) and "Husum" in output.hits[0].block.text


def _once_it_listens(port: int) -> ToolOutput | ToolFailure:
    for _ in range(150):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            break
        except OSError:
            time.sleep(0.1)
    made = McpSettings(url=f"http://127.0.0.1:{port}/mcp", permission="read", connect_seconds=30)
    try:
        return run(made, "tides__tide", harbour="Husum")
    finally:
        connection_to("tides", made).close()
