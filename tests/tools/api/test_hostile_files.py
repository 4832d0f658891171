"""Files of operations that want to lead elsewhere, to fill the memory, or to keep the reader busy for ever."""

from __future__ import annotations

import json
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from veriloop.configs.api_settings import ApiSettings
from veriloop.errors import SettingsError
from veriloop.tools.api.addresses import is_allowed
from veriloop.tools.api.checking import problems
from veriloop.tools.api.choosing import found_call
from veriloop.tools.api.declared import declared_api
from veriloop.tools.api.models import DeclaredApi, Operation
from veriloop.tools.api.requests import request_of
from veriloop.tools.api.sending import _decoded
from veriloop.tools.api.showing import shown_json
from veriloop.tools.contracts import ErrorCode, ToolError

BASE = "https://orders.example.com"


def read(tmp_path: Path, document: object, **fields: Any) -> DeclaredApi:
    file = tmp_path / "api.yaml"
    file.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return declared_api("x", ApiSettings(file=file, base_url=BASE, **fields))


def one_operation(path: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"openapi": "3.0.0", "paths": {path: {"get": {"operationId": "a", "parameters": list(parameters)}}}}


def query(schema: object, **more: Any) -> dict[str, Any]:
    return {"name": "q", "in": "query", "schema": schema, **more}


@pytest.mark.parametrize(
    "path",
    ["@evil.example/x", ".evil.example/x", ":8443/x", "x", "/../admin", "/a/%2e%2e/b", "/x?admin=1", "/x#", "/a\\b",
     "/a\r\nX-Role: root", "/a b", "/\x00"],
)  # fmt: skip
def test_a_path_leads_to_no_other_host_query_or_request(tmp_path: Path, path: str) -> None:
    found = read(tmp_path, one_operation(path))
    assert found.operations == () and "its path" in found.left_out[0]


def test_a_request_that_would_leave_its_host_is_refused_whatever_let_it_through(tmp_path: Path) -> None:
    operation: Operation = read(tmp_path, one_operation("/x")).operations[0]
    with pytest.raises(ToolError) as caught:
        request_of(operation._replace(path="@evil.example/x"), BASE, {})
    assert caught.value.code is ErrorCode.REFUSED


@pytest.mark.parametrize("value", ["%2e%2e", "..%2fadmin", "%2e%2e%5cadmin", "a/%2E%2E"])
def test_a_value_that_climbs_when_it_is_decoded_twice_is_refused(tmp_path: Path, value: str) -> None:
    place = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    operation = read(tmp_path, one_operation("/files/{id}", place)).operations[0]
    with pytest.raises(ToolError):
        request_of(operation, BASE, {"id": value})


def test_a_value_adds_none_to_a_list_that_is_joined_by_commas(tmp_path: Path) -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    operation = read(tmp_path, one_operation("/x", query(schema, explode=False))).operations[0]
    assert request_of(operation, BASE, {"q": ["a", "b"]}).url.endswith("?q=a%2Cb")
    with pytest.raises(ToolError):
        request_of(operation, BASE, {"q": ["a", "b,secret"]})


DEEP = json.dumps(one_operation("/x", query("SCHEMA"))).replace('"SCHEMA"', '{"allOf": [' * 240 + "{}" + "]}" * 240)
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join(['*' + before] * 9)}]\n"
    for before, after in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB + "openapi: '3.0.0'\npaths: {/x: {get: {parameters: [{name: q, in: query, schema: {enum: *i}}]}}}\n",
        "openapi: '3.0.0'\npaths: &p\n  /x: *p\n",
        json.dumps({"openapi": "3.0.0", "paths": ["a"]}),
        json.dumps({"openapi": "3.0.0", "servers": [{"url": "x", "variables": ["a"]}], "paths": {}}),
        json.dumps({"operations": {"a": {"path": "/x", "parameters": ["q"]}}}),
        "[" * 5_000 + "]" * 5_000,
        DEEP,
    ],
    ids=["aliases", "itself", "paths", "variables", "parameters", "depth", "schema"],
)
def test_a_file_that_is_built_otherwise_is_an_error_of_the_settings(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match=r"tools\.apis\.x\.file"):
        read(tmp_path, text)


def test_a_pattern_that_never_ends_fits_nothing_and_ends(tmp_path: Path) -> None:
    operation = read(tmp_path, one_operation("/x", query({"type": "string", "pattern": "^(a|aa)+$"}))).operations[0]
    for length in range(40, 60):
        found = problems(operation, {"q": "a" * length + "!"})
        assert found == ("the declared schema cannot be used (SlowPatternError)",)


def test_patterns_are_found_as_before(tmp_path: Path) -> None:
    schema = {"type": "object", "patternProperties": {"^n": {"type": "integer"}}}
    document = {"openapi": "3.0.0", "paths": {"/x": {"post": {"operationId": "a", "requestBody": {
        "content": {"application/json": {"schema": schema}}}}}}}  # fmt: skip
    operation = read(tmp_path, document, operations=("a",)).operations[0]
    assert problems(operation, {"body": {"n1": 1, "other": "x"}}) == ()
    assert "not of type 'integer'" in problems(operation, {"body": {"n1": "x"}})[0]


def test_a_text_as_long_as_a_book_is_no_question_for_an_operation(tmp_path: Path) -> None:
    operations = read(tmp_path, one_operation("/x")).operations
    assert found_call("x.a " + "一百万亿" * 25_000, operations) is None


def test_an_answer_is_read_in_no_encoding_that_takes_minutes_or_fails() -> None:
    hostile = b"a" * 50_000 + b"-" + b"z9" * 75_000
    for charset in ("punycode", "idna", "undefined", "unicode_escape"):
        assert _decoded(hostile, f"text/plain; charset={charset}") == hostile.decode()
    assert _decoded("订单".encode("gb18030"), "text/plain; charset=GB18030") == "订单"


def test_an_answer_nested_without_end_is_shown_as_text() -> None:
    assert shown_json("[" * 50_000 + "]" * 50_000) is None


@pytest.mark.parametrize("address", ["fec0::1", "192.0.0.8", "192.88.99.1", "3fff::1"])
def test_addresses_that_python_takes_for_public_are_none(address: str) -> None:
    assert not is_allowed(ip_address(address), allow_private=False)
