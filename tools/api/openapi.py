"""Reads the operations of an OpenAPI 3 document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from ...configs.api_settings import ApiSettings
from ..contracts import Permission
from .models import DeclaredApi, Operation, Parameter, Place
from .schemas import SchemaReader, UnusableOperationError

_METHODS = ("get", "head", "post", "put", "patch", "delete")
_READING = frozenset({"get", "head"})
_ORDER = tuple(Permission)
_IN_PATH = re.compile(r"\{([^{}/]+)\}")
_ID = re.compile(r"[^\w.-]+")
_MOST_OPERATIONS = 2_000
_LONGEST_SUMMARY, _LONGEST_DESCRIPTION = 200, 1_000
_PATH = re.compile(r"/[^\s?#\\\x00-\x1f\x7f]*")
"""Of an operation: behind the base URL anything else could name another host, another query or another request."""
_JSON = re.compile(r"application/(?:[\w.-]+\+)?json\b")


def read_openapi(name: str, document: Mapping[str, Any], settings: ApiSettings) -> DeclaredApi:
    """The operations of a document that can be called.

    Args:
        name: of the interface, from the settings.
        document: the file's content.
        settings: of the interface.

    Raises:
        UnusableOperationError: it is no OpenAPI 3 document.
    """
    if not str(document.get("openapi", "")).startswith("3."):
        raise UnusableOperationError("is neither OpenAPI 3 nor a list of `operations`")
    reader = SchemaReader(document)
    operations: list[Operation] = []
    left_out: list[str] = []
    for method, path, shared, said in _declared(document):
        given = [*shared, *_listed(said.get("parameters"))]
        operation_id = _ID.sub("_", str(said.get("operationId") or f"{method}{path}")).strip("_")
        try:
            key, others = _without_key(reader, given, said, settings)
            parameters = tuple(_parameters(reader, path, others, said))
            made = _operation(name, operation_id, (method, path), said, parameters, settings)
            operations.append(made._replace(idempotency_header=key))
        except (UnusableOperationError, AttributeError, TypeError) as error:
            left_out.append(f"{name}.{operation_id}: {error}")
    return DeclaredApi(_base_url(document), _unique(operations), tuple(left_out))


def _declared(document: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Any], Mapping[str, Any]]]:
    """Method, path, the path's own parameters and the declaration of each operation."""
    count = 0
    for path, item in (document.get("paths") or {}).items():
        if not isinstance(item, Mapping):
            continue
        shared = item.get("parameters") or []
        for method in _METHODS:
            said = item.get(method)
            if isinstance(said, Mapping) and count < _MOST_OPERATIONS:
                count += 1
                yield method, str(path), _listed(shared), said


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _without_key(
    reader: SchemaReader, given: list[Any], said: Mapping[str, Any], settings: ApiSettings
) -> tuple[str, list[Any]]:
    """The header by which an interface tells a repeated call, where it declares one, and the other parameters.

    It is the header of the settings, declared as a parameter, or `x-veriloop-idempotent: true`.
    """
    wanted = settings.idempotency_header
    resolved = [reader.resolved(one) for one in given]
    keys = [
        str(one.get("name"))
        for one in resolved
        if one.get("in") == "header" and wanted and str(one.get("name", "")).casefold() == wanted.casefold()
    ]
    others = [one for one in resolved if one.get("in") != "header" or str(one.get("name")) not in keys]
    return wanted if keys or said.get("x-veriloop-idempotent") is True else "", others


def _operation(
    api: str,
    operation_id: str,
    address: tuple[str, str],
    said: Mapping[str, Any],
    parameters: tuple[Parameter, ...],
    settings: ApiSettings,
) -> Operation:
    method, path = address
    if not _PATH.fullmatch(path) or any(step in (".", "..") for step in unquote(path).split("/")):
        raise UnusableOperationError(f"its path {path[:60]!r} is none: it begins with / and leads nowhere else")
    examples = said.get("x-veriloop-examples") or ()
    return Operation(
        api=api,
        id=operation_id,
        method=method.upper(),
        path=path,
        summary=str(said.get("summary") or "")[:_LONGEST_SUMMARY],
        description=str(said.get("description") or "")[:_LONGEST_DESCRIPTION],
        parameters=parameters,
        permission=_permission(operation_id, method, said, settings),
        live=operation_id in settings.live,
        examples=tuple(str(one)[:_LONGEST_SUMMARY] for one in examples) if isinstance(examples, list | tuple) else (),
    )


def _permission(operation_id: str, method: str, said: Mapping[str, Any], settings: ApiSettings) -> Permission:
    """What an operation may do: its file can only raise what its method says; the owner's settings decide."""
    if operation_id in settings.permissions:
        return Permission(settings.permissions[operation_id])
    usual = Permission.READ if method in _READING else Permission.WRITE
    declared = str(said.get("x-veriloop-permission") or usual)
    if declared not in list(Permission):
        raise UnusableOperationError(f"x-veriloop-permission is {declared!r}: write read, sensitive or write")
    return max(usual, Permission(declared), key=_ORDER.index)


def _parameters(reader: SchemaReader, path: str, declared: list[Any], said: Mapping[str, Any]) -> Iterator[Parameter]:
    found = {(one.name, one.place): one for one in _outside_body(reader, declared)}
    unfilled = set(_IN_PATH.findall(path)) - {name for name, place in found if place is Place.PATH}
    if unfilled:
        raise UnusableOperationError(f"the path needs {sorted(unfilled)[0]!r}, which is not declared")
    names = [name for name, _ in found]
    if len(set(names)) < len(names):
        raise UnusableOperationError("two parameters share a name")
    yield from found.values()
    if said.get("requestBody"):
        yield from _body(reader, reader.resolved(said["requestBody"]), frozenset(names))


def _outside_body(reader: SchemaReader, declared: list[Any]) -> Iterator[Parameter]:
    for one in map(reader.resolved, declared):
        name, place = str(one.get("name", "")), one.get("in")
        if place not in ("path", "query"):
            if one.get("required"):
                raise UnusableOperationError(f"it needs {name!r} in a {place}: give it as a header in the settings")
            continue
        schema = reader.schema(one.get("schema") or {"type": "string"})
        if schema.get("type") == "object" or (place == "path" and schema.get("type") == "array"):
            raise UnusableOperationError(f"parameter {name!r} is no single value")
        joined = one.get("explode") is False
        required = place == "path" or bool(one.get("required"))
        description = str(one.get("description") or schema.get("description") or "")[:_LONGEST_SUMMARY]
        yield Parameter(name, Place(place), schema, required, description, joined)


def _body(reader: SchemaReader, body: Mapping[str, Any], taken: frozenset[str]) -> Iterator[Parameter]:
    """The fields of a JSON object, or the body as one parameter where it is anything else."""
    content = body.get("content") or {}
    media = next((said for kind, said in content.items() if _JSON.match(str(kind).lower())), None)
    required = bool(body.get("required"))
    if media is None:
        raise UnusableOperationError("it takes no JSON")
    schema = reader.schema(media.get("schema") or {})
    fields = schema.get("properties") or {}
    plain = set(schema) <= {"type", "properties", "required", "additionalProperties", "title", "description"}
    if not fields or not plain or schema.get("additionalProperties") not in (None, False) or set(fields) & taken:
        if "body" in taken:
            raise UnusableOperationError("two parameters share a name")
        yield Parameter("body", Place.BODY, schema, required, str(schema.get("description") or "")[:_LONGEST_SUMMARY])
        return
    needed = schema.get("required") or []
    for name, part in fields.items():
        description = str(part.get("description") or "")[:_LONGEST_SUMMARY]
        yield Parameter(str(name), Place.BODY_FIELD, part, name in needed, description)


def _base_url(document: Mapping[str, Any]) -> str:
    servers = document.get("servers") or []
    first = servers[0] if isinstance(servers, list) and servers and isinstance(servers[0], Mapping) else {}
    url = str(first.get("url") or "")
    for name, variable in (first.get("variables") or {}).items():
        default = variable.get("default", "") if isinstance(variable, Mapping) else ""
        url = url.replace(f"{{{name}}}", str(default))
    return url


def _unique(operations: list[Operation]) -> tuple[Operation, ...]:
    """Operations under ids of their own; a second one of an id gets its method in front."""
    found: dict[str, Operation] = {}
    for one in operations:
        operation_id = one.id if one.id not in found else f"{one.method.lower()}_{one.id}"
        found.setdefault(operation_id, one._replace(id=operation_id))
    return tuple(found.values())
