"""Makes the request of an operation from its parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlencode, urlsplit

from ..contracts import ErrorCode, ToolError
from .models import Operation, Parameter, Place

_IN_PATH = re.compile(r"\{([^{}/]+)\}")
_STEPS = re.compile(r"[/\\]")


class ApiRequest(NamedTuple):
    """What is sent, without headers that hold secrets."""

    method: str
    url: str
    body: bytes | None


def request_of(operation: Operation, base_url: str, parameters: Mapping[str, Any]) -> ApiRequest:
    """The request of a call whose parameters were checked.

    Raises:
        ToolError: a value cannot stand in a path.
    """
    by_name = {one.name: one for one in operation.parameters}
    path = _IN_PATH.sub(lambda match: _segment(match[1], parameters.get(match[1])), operation.path)
    query = urlencode(list(_query(by_name, parameters)))
    url = f"{base_url}{path}" + (f"?{query}" if query else "")
    if urlsplit(url).netloc != urlsplit(base_url).netloc:
        raise ToolError(ErrorCode.REFUSED, f"{operation.name}: its path leads to another host")
    return ApiRequest(operation.method, url, _body(by_name, parameters))


def _segment(name: str, value: Any) -> str:
    """A value as one part of a path: it can neither leave its place nor climb up."""
    text = _text(value)
    # Also as it reads where somebody on the way decodes it once more.
    if not text or any(step in (".", "..") for seen in (text, unquote(text)) for step in _STEPS.split(seen)):
        raise ToolError(ErrorCode.INVALID_ARGUMENTS, f"parameter {name} cannot be {text!r}")
    return quote(text, safe="")


def _query(by_name: Mapping[str, Parameter], parameters: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in parameters.items():
        if by_name[name].place is not Place.QUERY or value is None:
            continue
        values = [_text(one) for one in value] if isinstance(value, list | tuple) else [_text(value)]
        if by_name[name].joined and len(values) > 1 and any("," in one for one in values):
            raise ToolError(ErrorCode.INVALID_ARGUMENTS, f"parameter {name} is a list of values without commas")
        yield from [(name, ",".join(values))] if by_name[name].joined else [(name, one) for one in values]


def _body(by_name: Mapping[str, Parameter], parameters: Mapping[str, Any]) -> bytes | None:
    fields = {name: value for name, value in parameters.items() if by_name[name].place is Place.BODY_FIELD}
    whole = [value for name, value in parameters.items() if by_name[name].place is Place.BODY]
    declared = any(one.place in (Place.BODY, Place.BODY_FIELD) for one in by_name.values())
    if not declared or (not whole and not fields and any(one.place is Place.BODY for one in by_name.values())):
        return None
    return json.dumps(whole[0] if whole else fields, ensure_ascii=False).encode("utf-8")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
