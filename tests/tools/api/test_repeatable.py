"""Writes whose interface tells a repetition by its key, and those of which nobody knows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.api_server import ApiServer, Reply
from veriloop.configs.api_settings import ApiSettings
from veriloop.errors import SettingsError
from veriloop.knowledge.documents import Caller
from veriloop.tools.api.call_api import make_call_api
from veriloop.tools.approval.calls import PlannedCall
from veriloop.tools.contracts import CALL_KEY, ErrorCode, Tool, ToolError
from veriloop.tools.registry import ToolRegistry

KEY = {"name": "idempotency-key", "in": "header", "required": True, "schema": {"type": "string"}}
DOCUMENT = {
    "openapi": "3.0.0",
    "paths": {
        "/pay": {"post": {"operationId": "pay", "parameters": [KEY]}},
        "/mark": {"post": {"operationId": "mark", "x-veriloop-idempotent": True}},
        "/send": {"post": {"operationId": "send"}},
        "/look": {"get": {"operationId": "look"}},
    },
}
OPERATIONS = ("pay", "mark", "send", "look")


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with ApiServer() as running:
        yield running


def made(server: ApiServer, tmp_path: Path, **fields: Any) -> Tool:
    file = tmp_path / "api.json"
    file.write_text(json.dumps(DOCUMENT), encoding="utf-8")
    given: dict[str, Any] = {"file": file, "base_url": server.base_url, "allow_private": True, "operations": OPERATIONS}
    tool = make_call_api({"x": ApiSettings(**(given | fields))}, Caller())
    assert tool is not None
    return tool


def planned(tool: Tool, operation: str) -> PlannedCall:
    call = ToolRegistry([tool]).call("call_api", {"operation": operation})
    assert isinstance(call, PlannedCall)
    return call


def test_a_call_may_be_repeated_where_its_interface_declares_a_key(server: ApiServer, tmp_path: Path) -> None:
    tool = made(server, tmp_path)
    assert [planned(tool, one).idempotent for one in OPERATIONS] == [True, True, False, True]
    with pytest.raises(SettingsError, match="idempotency-key"):  # it is needed, and would not be sent
        made(server, tmp_path, idempotency_header="")


def test_without_a_key_nothing_that_writes_may_be_repeated(server: ApiServer, tmp_path: Path) -> None:
    assert not planned(made(server, tmp_path, idempotency_header="", operations=("mark",)), "mark").idempotent


@pytest.mark.parametrize("reply", [Reply(status=500), Reply(status=503), Reply(breaks=True)])
@pytest.mark.parametrize(
    ("operation", "key", "code"),
    [
        ("pay", "run-1", ErrorCode.TRANSIENT),
        ("mark", "run-1", ErrorCode.TRANSIENT),
        ("send", "run-1", ErrorCode.UNCERTAIN),
        ("pay", "", ErrorCode.UNCERTAIN),
    ],
)
def test_a_write_that_was_broken_off_is_tried_again_only_under_a_key_that_its_interface_knows(
    server: ApiServer, tmp_path: Path, operation: str, key: str, code: ErrorCode, reply: Reply
) -> None:
    server.reply = reply
    tool = made(server, tmp_path)
    token = CALL_KEY.set(key)
    try:
        with pytest.raises(ToolError) as caught:
            tool.run(tool.arguments.model_validate({"operation": operation}))
    finally:
        CALL_KEY.reset(token)
    assert caught.value.code is code
    assert server.calls[0].headers.get("idempotency-key", "") == key


def test_consent_names_where_a_call_goes_and_is_for_nothing_else(server: ApiServer, tmp_path: Path) -> None:
    here = planned(made(server, tmp_path), "pay")
    there = planned(made(server, tmp_path, base_url="https://elsewhere.example.com"), "pay")
    assert here.target == f"POST {server.base_url}/pay"
    assert here.arguments == there.arguments and here.digest != there.digest
