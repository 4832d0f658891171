"""Our shorter YAML of operations, as the OpenAPI document that it stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .schemas import UnusableOperationError

_IN_PATH = re.compile(r"\{([^{}/]+)\}")
_BODILESS = frozenset({"GET", "HEAD", "DELETE"})
_OURS = frozenset({"in", "required"})
_KNOWN = frozenset({"method", "path", "summary", "description", "examples", "permission", "parameters", "idempotent"})


def is_short_form(document: Mapping[str, Any]) -> bool:
    """Whether a file is in our form."""
    return isinstance(document.get("operations"), Mapping) and "openapi" not in document


def as_openapi(document: Mapping[str, Any]) -> dict[str, Any]:
    """The OpenAPI document of a file in our form.

    Raises:
        UnusableOperationError: an operation is not an object, or has an unknown field.
    """
    paths: dict[str, dict[str, Any]] = {}
    for name, said in document["operations"].items():
        operation = _operation(str(name), said)
        method = str(said.get("method", "GET")).lower()
        path = str(said.get("path", ""))
        if method in paths.setdefault(path, {}):
            raise UnusableOperationError(f"operation {name}: {method.upper()} {path} is declared twice")
        paths[path][method] = operation
    servers = [{"url": document["base_url"]}] if document.get("base_url") else []
    return {"openapi": "3.1.0", "servers": servers, "paths": paths}


def _operation(name: str, said: Any) -> dict[str, Any]:
    if not isinstance(said, Mapping) or not str(said.get("path", "")).startswith("/"):
        raise UnusableOperationError(f"operation {name}: give it fields, with a `path` that begins with /")
    unknown = sorted(str(key) for key in said if key not in _KNOWN)
    if unknown:
        raise UnusableOperationError(
            f"operation {name}: unknown field {unknown[0]!r}; known: {', '.join(sorted(_KNOWN))}"
        )
    operation: dict[str, Any] = {
        "operationId": name,
        "summary": said.get("summary", ""),
        "description": said.get("description", ""),
        "x-veriloop-examples": said.get("examples", []),
    }
    if "idempotent" in said:
        operation["x-veriloop-idempotent"] = said["idempotent"]
    if "permission" in said:
        operation["x-veriloop-permission"] = said["permission"]
    return operation | _parameters(said)


def _parameters(said: Mapping[str, Any]) -> dict[str, Any]:
    in_path = set(_IN_PATH.findall(str(said["path"])))
    usual = "query" if str(said.get("method", "GET")).upper() in _BODILESS else "body"
    outside: list[dict[str, Any]] = []
    fields: dict[str, Any] = {}
    required: list[str] = []
    for name, given in (said.get("parameters") or {}).items():
        declared = given if isinstance(given, Mapping) else {}
        place = "path" if name in in_path else str(declared.get("in", usual))
        schema = {key: value for key, value in declared.items() if key not in _OURS}
        needed = place == "path" or bool(declared.get("required", False))
        if place == "body":
            fields[str(name)] = schema
            required += [str(name)] if needed else []
        else:
            outside.append({"name": str(name), "in": place, "required": needed, "schema": schema})
    body = {"type": "object", "properties": fields, "required": required}
    content = {"required": bool(required), "content": {"application/json": {"schema": body}}}
    return {"parameters": outside} | ({"requestBody": content} if fields else {})
