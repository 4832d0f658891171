"""Checks the parameters of a call against their JSON Schemas, before anything is sent or anybody is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from unicodedata import category

from jsonschema import Draft202012Validator, FormatChecker, validators
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry

from .models import Operation, Schema
from .patterns import pattern_faults, pattern_properties_faults

_FORMATS = FormatChecker(formats=("date", "email", "ipv4", "ipv6", "uuid", "time"))
_Validator: type[Draft202012Validator] = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"pattern": pattern_faults, "patternProperties": pattern_properties_faults}
)
_NO_REFERENCES: Registry[Any] = Registry()
"""Looks nothing up: schemas come here with their references written out."""
_MOST_NAMED = 3
_LONGEST_MESSAGE = 200
_LONGEST_VALUE = 20_000
"""Characters of one text; patterns are matched against it."""
_KEPT = frozenset("\n\r\t\u200c\u200d")
"""Line ends, and what joins letters in Persian, Indian scripts and emoji."""
EARLIER_ANSWER = re.compile(r"\{t\d{1,2}\}")
"""Stands in a plan for what an earlier task finds; a value that holds one can only be checked afterwards."""


@_FORMATS.checks("date-time", raises=ValueError)
def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or (
        "T" in value.upper() and bool(datetime.fromisoformat(value.replace("Z", "+00:00")))
    )


@_FORMATS.checks("uri")
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:\S+$", value) is not None


def problems(operation: Operation, parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with the parameters of a call, in words for whoever repairs it; a few at most."""
    found = [*_errors(parameters, operation.arguments_schema), *_unseen(parameters)]
    return tuple(dict.fromkeys(found))[:_MOST_NAMED]


def _unseen(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Texts with characters that nobody sees: who agrees to a call must see all of what is sent."""
    for name, value in parameters.items():
        text = str(value) if not isinstance(value, str) else value
        if any(category(one) in ("Cc", "Cf", "Cs") and one not in _KEPT for one in text):
            yield f"{name}: holds characters that nobody sees"


def is_valid(value: Any, schema: Schema) -> bool:
    """Whether a value is of a schema; one that builds on an earlier answer is taken for valid."""
    return not any(_errors(value, schema))


def _errors(value: Any, schema: Schema) -> Iterator[str]:
    if len(str(value)) > _LONGEST_VALUE:
        yield f"longer than {_LONGEST_VALUE:,} characters"
        return
    try:
        validator = _Validator(dict(schema), format_checker=_FORMATS, registry=_NO_REFERENCES)
        yield from (_said(error) for error in validator.iter_errors(value) if not _waits(error.instance))
    except (SchemaError, re.error, TypeError, ValueError, RecursionError) as error:
        yield f"the declared schema cannot be used ({type(error).__name__})"


def _waits(value: Any) -> bool:
    return isinstance(value, str) and EARLIER_ANSWER.search(value) is not None


def _said(error: ValidationError) -> str:
    place = ".".join(str(part) for part in error.absolute_path)
    message = error.message if len(error.message) <= _LONGEST_MESSAGE else f"{error.message[:_LONGEST_MESSAGE]}…"
    return f"{place}: {message}" if place else message


def converted(parameters: Mapping[str, Any], operation: Operation) -> dict[str, Any]:
    """The parameters with numbers and truth values that came as texts, as weak models and earlier answers give them."""
    schemas = {one.name: one.schema for one in operation.parameters}
    return {name: _converted(value, schemas.get(name, {})) for name, value in parameters.items()}


def _converted(value: Any, schema: Schema) -> Any:
    if not isinstance(value, str):
        return value
    kind = schema.get("type")
    try:
        if kind == "integer":
            return int(value)
        if kind == "number":
            return float(value)
    except ValueError:
        return value
    return value.lower() == "true" if kind == "boolean" and value.lower() in ("true", "false") else value
