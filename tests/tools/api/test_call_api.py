"""Calls of declared operations: only what is declared, where it is declared, and what comes back is bounded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.api_server import ApiServer, Reply
from veriloop.configs.api_settings import ApiSettings
from veriloop.errors import SettingsError
from veriloop.knowledge.documents import BlockKind, Caller
from veriloop.tools.api.call_api import make_call_api
from veriloop.tools.contracts import CALL_KEY, ErrorCode, Permission, Tool, ToolError, ToolOutput

EXAMPLE = Path(__file__).parents[3] / "examples" / "orders_api.yaml"
SECRET = "tok-8f2Q/zz+19"
ALL = ("get_order", "list_orders", "cancel_order", "salary")
GET = {"operation": "orders.get_order", "parameters": {"order_id": "SO-20391"}}
CANCEL = {"operation": "cancel_order", "parameters": {"order_id": "SO-20391", "reason": "客户退订"}}


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with ApiServer() as running:
        yield running


def settings(server: ApiServer, **fields: Any) -> ApiSettings:
    given: dict[str, Any] = {
        "file": EXAMPLE,
        "base_url": server.base_url,
        "allow_private": True,
        "operations": ALL,
        "headers": {"Authorization": "Bearer env:ORDERS_TOKEN"},
        "max_bytes": 3_000,
        "timeout_seconds": 0.6,
    }
    return ApiSettings(**(given | fields))


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORDERS_TOKEN", SECRET)


def tool_of(declared: ApiSettings, caller: Caller | None = None) -> Tool:
    tool = make_call_api({"orders": declared}, caller or Caller())
    assert tool is not None
    return tool


def called(tool: Tool, call: dict[str, Any]) -> ToolOutput:
    """What a call brings that whoever has to agree has agreed to."""
    output = tool.run(tool.arguments.model_validate(call))
    assert isinstance(output, ToolOutput)
    return output


def failed(tool: Tool, call: dict[str, Any]) -> ToolError:
    with pytest.raises(ToolError) as caught:
        tool.run(tool.arguments.model_validate(call))
    return caught.value


def test_an_answer_becomes_a_text_and_a_table_that_can_be_cited(server: ApiServer) -> None:
    lines = [{"sku": "A", "count": 2}, {"sku": "B|2", "count": 3, "note": "急"}]
    server.reply = Reply({"order_id": "SO-20391", "status": "shipped", "lines": lines})
    output = called(tool_of(settings(server)), GET)
    text, table = output.hits
    assert text.block.text == "order_id: SO-20391\nstatus: shipped"
    assert table.block.kind is BlockKind.TABLE
    assert table.block.text.splitlines()[0] == "| sku | count | note |"
    assert text.document.name == "orders.get_order"
    assert text.block.section_path == ("order_id=SO-20391",)
    assert server.calls[0].path == "/orders/SO-20391"


def test_the_value_of_an_answer_of_one_value_is_its_short_answer(server: ApiServer) -> None:
    server.reply = Reply({"status": "shipped"})
    assert called(tool_of(settings(server)), GET).short_answer == "shipped"


@pytest.mark.parametrize("text", ["ok\u202eko", "ok\u200b", "ok\x1b[2J", "ok\U000e0041"])
def test_a_text_with_characters_that_nobody_sees_is_not_sent(server: ApiServer, text: str) -> None:
    call = {"operation": "cancel_order", "parameters": {"order_id": "SO-20391", "reason": text}}
    with pytest.raises(ValueError, match="nobody sees"):
        tool_of(settings(server)).arguments.model_validate(call)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"order_id": "../admin"}, "order_id"),
        ({"order_id": "SO-20391", "debug": True}, "debug"),
        ({}, "order_id"),
    ],
)
def test_parameters_that_are_not_as_declared_are_refused_before_anything_is_sent(
    server: ApiServer, parameters: dict[str, Any], named: str
) -> None:
    tool = tool_of(settings(server))
    with pytest.raises(ValueError, match=named):
        tool.arguments.model_validate({"operation": "get_order", "parameters": parameters})
    assert server.calls == []


def test_only_operations_that_read_are_offered_unless_others_are_named(server: ApiServer) -> None:
    tool = tool_of(settings(server, operations=()))
    assert "cancel_order" not in tool.description
    assert "salary" not in tool.description
    assert tool.permission is Permission.READ
    with pytest.raises(ValueError, match="no such operation"):
        tool.arguments.model_validate(CANCEL)


def test_the_permission_of_a_call_is_that_of_its_operation(server: ApiServer) -> None:
    tool = tool_of(settings(server))
    assert tool.permission_of is not None
    calls = (GET, CANCEL, {"operation": "salary", "parameters": {"staff_id": "100238"}})
    said = [tool.permission_of(tool.arguments.model_validate(call)) for call in calls]
    assert said == [Permission.READ, Permission.WRITE, Permission.SENSITIVE]


def test_a_write_names_its_call_and_sends_its_fields_as_json(server: ApiServer) -> None:
    token = CALL_KEY.set("run-7/t1")
    try:
        called(tool_of(settings(server)), CANCEL)
    finally:
        CALL_KEY.reset(token)
    (sent,) = server.calls
    assert (sent.method, sent.path) == ("POST", "/orders/SO-20391/cancel")
    assert sent.body == {"reason": "客户退订"}
    assert sent.headers["idempotency-key"] == "run-7/t1"


def test_a_write_whose_answer_cannot_be_shown_is_reported_as_done(server: ApiServer) -> None:
    for reply in (Reply(status=204), Reply(b"\x00\xff" * 50, content_type="image/png", status=201), Reply("x" * 9_000)):
        server.reply = reply
        output = called(tool_of(settings(server)), CANCEL)
        assert "操作已完成" in output.hits[0].block.text


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(status=302, headers=(("Location", "http://169.254.169.254/latest"),)), ErrorCode.FAILED),
        (Reply(status=404), ErrorCode.FAILED),
        (Reply(status=500), ErrorCode.FAILED),
        (Reply(status=429), ErrorCode.TRANSIENT),
        (Reply(status=502), ErrorCode.TRANSIENT),
        (Reply(status=503), ErrorCode.TRANSIENT),
        (Reply(status=504), ErrorCode.TRANSIENT),
        (Reply(endless=True, content_type="text/plain"), ErrorCode.FAILED),
        (Reply("x" * 200, drop_by_drop=True), ErrorCode.TRANSIENT),
        (Reply(b"\x00\x01" * 60, content_type="text/plain"), ErrorCode.FAILED),
        (Reply(b"GIF89a", content_type="image/gif"), ErrorCode.FAILED),
        (Reply(b"\x1f\x8b" + b"\x00" * 90, headers=(("Content-Encoding", "gzip"),)), ErrorCode.FAILED),
        (Reply(breaks=True), ErrorCode.TRANSIENT),
    ],
)
def test_what_a_reading_call_may_not_take_in_becomes_a_failure_that_says_what_happens_next(
    server: ApiServer, reply: Reply, code: ErrorCode
) -> None:
    server.reply = reply
    assert failed(tool_of(settings(server)), GET).code is code
    assert len(server.calls) == 1


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(status=429), ErrorCode.TRANSIENT),
        (Reply(status=400), ErrorCode.FAILED),
        (Reply(status=502), ErrorCode.UNCERTAIN),
        (Reply(status=500), ErrorCode.UNCERTAIN),
        (Reply(breaks=True), ErrorCode.UNCERTAIN),
        (Reply("x" * 200, drop_by_drop=True), ErrorCode.UNCERTAIN),
    ],
)
def test_a_write_of_which_nobody_knows_whether_it_was_done_is_uncertain(
    server: ApiServer, reply: Reply, code: ErrorCode
) -> None:
    server.reply = reply
    assert failed(tool_of(settings(server)), CANCEL).code is code


@pytest.mark.parametrize("status", [200, 400])
def test_a_secret_that_comes_back_is_masked_in_every_usual_spelling(server: ApiServer, status: int) -> None:
    spellings = [
        SECRET,
        f"Bearer {SECRET}",
        SECRET.replace("/", "\\/"),
        "tok-8f2Q%2Fzz%2B19",
        SECRET[::-1],
        SECRET.upper(),
    ]
    server.reply = Reply({f"k{at}{one}": one for at, one in enumerate(spellings)}, status=status)
    tool = tool_of(settings(server))
    said = str(failed(tool, GET).detail) if status == 400 else str(called(tool, GET).model_dump())
    assert not [one for one in spellings if one in said]
    assert server.calls[0].headers["authorization"] == f"Bearer {SECRET}"


def test_a_secret_that_is_not_set_is_named_and_nothing_is_sent(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ORDERS_TOKEN")
    assert "ORDERS_TOKEN" in failed(tool_of(settings(server)), GET).detail
    assert server.calls == []


def test_proxies_of_the_environment_are_not_used(server: ApiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert called(tool_of(settings(server)), GET).hits


def test_this_machine_is_not_reached_unless_that_is_declared(server: ApiServer) -> None:
    error = failed(tool_of(settings(server, allow_private=False)), GET)
    assert error.code is ErrorCode.REFUSED
    assert server.calls == []


def test_a_name_that_leads_to_a_private_address_by_the_time_of_the_call_is_refused(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a name server answers the second time (DNS rebinding), also behind an IPv6 form of the address.
    for address in ("127.0.0.1", "::ffff:10.0.0.1", "169.254.169.254", "64:ff9b::a9fe:a9fe"):
        monkeypatch.setattr("socket.getaddrinfo", lambda *_, a=address, **__: [(2, 1, 6, "", (a, server.port))])
        declared = settings(
            server, base_url=f"http://api.example.com:{server.port}", allow_private=False, allow_http=True
        )
        assert failed(tool_of(declared), GET).code is ErrorCode.REFUSED
    assert server.calls == []


@pytest.mark.parametrize(
    ("base_url", "reason"),
    [
        ("http://api.example.com", "unencrypted"),
        ("https://user:pw@api.example.com", "user"),
        ("https://api.example.com/v1?key=1", "query"),
        ("ftp://api.example.com", "base URL"),
        ("//api.example.com", "base URL"),
        ("https://api.example.com\\@evil.example", "backslash"),
    ],
)
def test_a_base_url_that_is_no_plain_address_is_refused_when_the_settings_are_read(
    server: ApiServer, base_url: str, reason: str
) -> None:
    with pytest.raises(SettingsError, match=reason):
        tool_of(settings(server, base_url=base_url))


def test_a_file_may_name_only_hosts_that_are_declared(server: ApiServer) -> None:
    with pytest.raises(SettingsError, match=r"orders\.example\.com"):
        tool_of(settings(server, base_url=None, hosts=frozenset({"api.example.com"})))


def test_whoever_is_not_among_the_readers_of_an_interface_is_offered_nothing(server: ApiServer) -> None:
    declared = settings(server, readers=frozenset({"sales"}))
    assert make_call_api({"orders": declared}, Caller(readers=frozenset({"finance"}))) is None
    assert make_call_api({"orders": declared}, Caller(readers=frozenset({"sales"}))) is not None


def test_a_call_that_still_waits_for_an_earlier_answer_can_be_planned_but_not_sent(server: ApiServer) -> None:
    call = {"operation": "get_order", "parameters": {"order_id": "{t1}"}}
    assert failed(tool_of(settings(server)), call).code is ErrorCode.INVALID_ARGUMENTS
    assert server.calls == []


def test_operations_that_tell_what_is_so_right_now_are_marked(server: ApiServer) -> None:
    assert tool_of(settings(server, live=("get_order",))).live
    assert not tool_of(settings(server)).live
