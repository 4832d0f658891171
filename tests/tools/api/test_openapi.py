"""OpenAPI files: which operations are taken from them, with what permission and which parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veriloop.configs.api_settings import ApiSettings
from veriloop.errors import SettingsError
from veriloop.tools.api.checking import problems
from veriloop.tools.api.declared import declared_api
from veriloop.tools.api.models import DeclaredApi, Operation
from veriloop.tools.api.requests import request_of
from veriloop.tools.contracts import Permission, ToolError

ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
ROOM = {
    "type": "object",
    "required": ["room", "day"],
    "properties": {
        "room": {"$ref": "#/components/schemas/Room"},
        "day": {"type": "string", "format": "date"},
        "people": {"type": "integer", "minimum": 1, "maximum": 20, "exclusiveMaximum": True},
        "note": {"type": "string", "nullable": True},
    },
    "additionalProperties": False,
}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.3",
    "servers": [{"url": "https://{region}.example.com/v2", "variables": {"region": {"default": "eu"}}}],
    "components": {
        "schemas": {
            "Room": {"type": "string", "enum": ["A1", "B2"]},
            "Loop": {"properties": {"next": {"$ref": "#/components/schemas/Loop"}}},
        },
        "parameters": {"Page": {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1}}},
    },
    "paths": {
        "/rooms/{id}": {
            "parameters": [ID],
            "get": {"operationId": "getRoom", "parameters": [{"$ref": "#/components/parameters/Page"}]},
            "delete": {"operationId": "deleteRoom", "x-veriloop-permission": "read"},
        },
        "/bookings": {
            "get": {"operationId": "listBookings", "x-veriloop-permission": "sensitive"},
            "post": {
                "operationId": "book",
                "requestBody": {"required": True, "content": {"application/json": {"schema": ROOM}}},
            },
            "put": {"requestBody": {"content": {"application/json": {"schema": {"type": "array"}}}}},
        },
        "/loop": {
            "get": {
                "operationId": "loop",
                "parameters": [{"name": "q", "in": "query", "schema": {"$ref": "#/components/schemas/Loop"}}],
            }
        },
        "/outside": {"get": {"operationId": "outside", "parameters": [{"$ref": "https://evil.example/p.json#/x"}]}},
        "/keyed": {
            "get": {
                "operationId": "keyed",
                "parameters": [{"name": "X-Key", "in": "header", "required": True, "schema": {"type": "string"}}],
            }
        },
        "/file": {"post": {"operationId": "upload", "requestBody": {"content": {"image/png": {}}}}},
    },
}
NAMES = ("getRoom", "deleteRoom", "listBookings", "book", "put_bookings")


def declared(tmp_path: Path, document: object = DOCUMENT, **fields: Any) -> DeclaredApi:
    file = tmp_path / "api.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return declared_api("rooms", ApiSettings(file=file, **fields))


def operation(tmp_path: Path, name: str) -> Operation:
    return next(one for one in declared(tmp_path, operations=NAMES).operations if one.id == name)


def test_what_cannot_be_called_is_left_out_with_its_reason(tmp_path: Path) -> None:
    found = declared(tmp_path, operations=NAMES)
    assert sorted(one.id for one in found.operations) == sorted(NAMES)
    reasons = dict(line.split(": ", 1) for line in found.left_out)
    assert "contains itself" in reasons["rooms.loop"]
    assert "out of the file" in reasons["rooms.outside"]
    assert "header" in reasons["rooms.keyed"]
    assert "no JSON" in reasons["rooms.upload"]


def test_a_file_can_raise_what_an_operation_may_do_and_never_lower_it(tmp_path: Path) -> None:
    assert operation(tmp_path, "getRoom").permission is Permission.READ
    assert operation(tmp_path, "listBookings").permission is Permission.SENSITIVE
    assert operation(tmp_path, "deleteRoom").permission is Permission.WRITE


def test_the_owners_settings_say_what_an_operation_may_do(tmp_path: Path) -> None:
    found = declared(tmp_path, permissions={"book": "read"})
    assert "book" in [one.id for one in found.operations]


def test_the_base_url_is_the_files_own_with_its_variables(tmp_path: Path) -> None:
    assert declared(tmp_path).base_url == "https://eu.example.com/v2"


@pytest.mark.parametrize(
    ("parameters", "wrong"),
    [
        ({"room": "A1", "day": "2026-05-03", "people": 19}, ""),
        ({"room": "A1", "day": "2026-05-03", "note": None}, ""),
        ({"room": "C3", "day": "2026-05-03"}, "room"),
        ({"room": "A1", "day": "3 May"}, "day"),
        ({"room": "A1", "day": "2026-05-03", "people": 20}, "people"),
        ({"room": "A1"}, "day"),
        ({"room": "A1", "day": "2026-05-03", "owner": "me"}, "owner"),
    ],
)
def test_parameters_are_checked_by_enumeration_format_bounds_and_name(
    tmp_path: Path, parameters: dict[str, Any], wrong: str
) -> None:
    found = " ".join(problems(operation(tmp_path, "book"), parameters))
    assert wrong in found
    assert bool(found) is bool(wrong)


@given(value=st.text(max_size=40))
def test_no_value_leaves_its_place_in_a_path(value: str) -> None:
    room = Operation("rooms", "get", "GET", "/rooms/{id}/beds", "", "", (), Permission.READ)
    try:
        url = request_of(room, "https://x.example/v1", {"id": value}).url if value else ""
    except (ToolError, UnicodeEncodeError, KeyError):
        return
    assert not value or url.count("/") == "https://x.example/v1/rooms/i/beds".count("/")
    assert "?" not in url
    assert "#" not in url


@pytest.mark.parametrize("text", ["[1, 2]", "{", "openapi: 3.1.0\n\t:", "swagger: '2.0'", "a: &a [*a]"])
def test_a_file_that_declares_nothing_is_refused_by_name(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match=r"api\.json"):
        declared(tmp_path, text)


def test_an_operation_that_the_settings_name_and_the_file_lacks_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="nope"):
        declared(tmp_path, operations=("nope",))


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    before = declared(tmp_path).operations
    after = declared(tmp_path, {**DOCUMENT, "paths": {"/x": {"get": {"operationId": "other"}}}}).operations
    assert [one.id for one in after] == ["other"] != [one.id for one in before]
