"""Arguments that are declared by a JSON schema of somebody else: checked before the call, never trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, Protocol
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import BaseModel, ConfigDict, model_validator
from referencing import Registry
from referencing.exceptions import Unresolvable

from ...errors import UsageError
from .said import said_by_others

_LARGEST_SCHEMA = 40_000
_MOST_FAULTS = 3
_LONGEST_ABOUT = 200
# A pattern is a program of somebody else, and may take for ever; the other side checks its own patterns.
_NOT_RUN = frozenset({"pattern", "patternProperties", "format"})
# Names of places besides JSON pointers: what they lead to could not be counted.
_NAMES = frozenset({"$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef"})
_MOST_PARTS = 10_000
"""Of a schema with its references written out: twenty lines of it can stand for work that never ends."""
_TEXTS = frozenset({"description", "title", "$comment"})
_NAMED = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})


class _Validator(Protocol):
    def iter_errors(self, instance: Any) -> Any: ...


class JsonArguments(BaseModel):
    """Base of the models that stand for a JSON schema; the arguments are its fields."""

    model_config = ConfigDict(frozen=True, extra="allow")

    json_schema_text: ClassVar[str] = "{}"

    @model_validator(mode="before")
    @classmethod
    def _fits(cls, value: Any) -> Any:
        try:
            faults = [_said(fault) for fault in _validator(cls.json_schema_text).iter_errors(value)]
        except (Unresolvable, RecursionError) as error:
            raise ValueError("the tool's schema refers to something that is not in it") from error
        if faults:
            raise ValueError("; ".join(faults[:_MOST_FAULTS]))
        return value

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        """The schema that was declared, without what is not run and with texts of bounded length."""
        schema: dict[str, Any] = json.loads(cls.json_schema_text)
        return schema


def arguments_model(name: str, schema: Mapping[str, Any]) -> type[JsonArguments]:
    """The model for a schema.

    Args:
        name: of the tool.
        schema: of an object.

    Raises:
        UsageError: it is no schema of an object, or too large; the message names the tool.
    """
    try:
        cleaned = _cleaned(dict(schema))
    except RecursionError as error:
        raise UsageError(f"the tool {name!r}: the schema of its arguments is nested too deep") from error
    if cleaned.get("type", "object") != "object":
        raise UsageError(f"the tool {name!r}: its arguments are no object but {cleaned.get('type')!r}")
    cleaned.setdefault("type", "object")
    try:
        text = json.dumps(cleaned, ensure_ascii=False, sort_keys=True)
        Draft202012Validator.check_schema(cleaned)
    except (SchemaError, TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"the tool {name!r}: the schema of its arguments is not valid") from error
    if _parts(cleaned, cleaned, {}) > _MOST_PARTS:
        raise UsageError(f"the tool {name!r}: its arguments refer to each other too often")
    if len(text) > _LARGEST_SCHEMA:
        raise UsageError(
            f"the tool {name!r}: the schema of its arguments is larger than {_LARGEST_SCHEMA:,} characters"
        )

    class Declared(JsonArguments):
        json_schema_text: ClassVar[str] = text

    return Declared


def _parts(part: Any, root: Mapping[str, Any], counted: dict[int, int]) -> int:
    """How many parts a schema has with its references written out; what refers to itself counts once."""
    if not isinstance(part, dict | list):
        return 1
    if id(part) not in counted:
        counted[id(part)] = 1
        inner = [*part.values()] if isinstance(part, dict) else part
        if isinstance(part, dict) and isinstance(part.get("$ref"), str):
            inner = [*inner, _target(part["$ref"], root)]
        counted[id(part)] = 1 + sum(_parts(one, root, counted) for one in inner)
    return counted[id(part)]


def _target(reference: str, root: Mapping[str, Any]) -> Any:
    """What a JSON pointer in a schema leads to; None: nothing."""
    found: Any = root
    for step in unquote(reference).removeprefix("#").strip("/").split("/") if reference.strip("#/") else ():
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            found = found.get(key) if isinstance(found, dict) else None
    return found


@lru_cache(maxsize=256)
def _validator(text: str) -> _Validator:
    # With a registry of its own: a `$ref` never makes anybody fetch anything.
    return Draft202012Validator(json.loads(text), registry=Registry())


def _said(fault: Any) -> str:
    """A fault without the value: it may be private, and long."""
    place = ".".join(map(str, fault.absolute_path)) or "arguments"
    expected = fault.validator_value if fault.validator in ("type", "enum", "maximum", "minimum") else ""
    rule = "is missing or not allowed" if fault.validator in ("required", "additionalProperties") else fault.validator
    names = ", ".join(_names(fault))
    return f"{place}: {rule} {json.dumps(expected, default=str)[:100] if expected != '' else names}".strip()


def _names(fault: Any) -> list[str]:
    if not isinstance(fault.instance, dict):
        return []
    if fault.validator == "required":
        return [name for name in fault.validator_value if name not in fault.instance]
    if fault.validator == "additionalProperties":
        return [name for name in fault.instance if name not in fault.schema.get("properties", {})]
    return []


def _cleaned(schema: Any) -> Any:
    """A schema without what is not run, with texts that a prompt can bear; names of arguments stay."""
    if isinstance(schema, list):
        return [_cleaned(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            found[key] = {name: _cleaned(one) for name, one in value.items()}
        elif key in _TEXTS and isinstance(value, str):
            found[key] = said_by_others(value, _LONGEST_ABOUT)
        elif key not in _NOT_RUN and key not in _NAMES:
            found[key] = _cleaned(value)
    return found
