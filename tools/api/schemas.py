"""JSON Schemas of an OpenAPI file in one dialect (2020-12), with the references inside the file written out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOST_NODES = 5_000
"""Of one written-out schema; the requests of real interfaces have some hundreds."""
_DEEPEST = 40
_NOTES = frozenset({"example", "examples", "xml", "externalDocs", "discriminator", "$schema", "$id", "$anchor"})
"""Keywords that constrain nothing, or that would give a schema another base for its references."""
_EXCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


class UnusableOperationError(ValueError):
    """An operation that cannot be offered; the message says why."""


class SchemaReader:
    """Writes out the schemas of one file.

    Args:
        document: the whole file, in which references are looked up. References to other files are refused.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._left = 0

    def schema(self, source: Any) -> dict[str, Any]:
        """A schema without references.

        Raises:
            UnusableOperationError: a reference leads outside, nowhere or in a circle, or it is too large.
        """
        self._left = _MOST_NODES
        return self._schema(source, ())

    def resolved(self, source: Any) -> Mapping[str, Any]:
        """An object (a parameter, a request body) that may be a reference, followed to its end.

        Raises:
            UnusableOperationError: as `schema`.
        """
        seen: tuple[str, ...] = ()
        while isinstance(source, Mapping) and "$ref" in source:
            reference = str(source["$ref"])
            if reference in seen:
                raise UnusableOperationError(f"the reference {reference} leads in a circle")
            seen = (*seen, reference)
            source = self._target(reference)
        if not isinstance(source, Mapping):
            raise UnusableOperationError("a parameter or a request body is no object")
        return source

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#/"):
            raise UnusableOperationError(f"the reference {reference[:100]} leads out of the file")
        found: Any = self._document
        for part in reference[2:].split("/"):
            key = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or key not in found:
                raise UnusableOperationError(f"the reference {reference[:100]} leads nowhere")
            found = found[key]
        return found

    def _schema(self, source: Any, above: tuple[str, ...]) -> dict[str, Any]:
        if isinstance(source, bool):
            return {} if source else {"not": {}}
        if not isinstance(source, Mapping):
            raise UnusableOperationError("a schema is no object")
        if "$ref" in source:
            reference = str(source["$ref"])
            if reference in above:
                raise UnusableOperationError(f"the schema {reference} contains itself")
            return self._schema(self._target(reference), (*above, reference))
        plain = {str(key): self._value(str(key), value, above) for key, value in source.items() if key not in _NOTES}
        return _in_new_dialect(plain)

    def _value(self, key: str, value: Any, above: tuple[str, ...]) -> Any:
        self._left -= 1
        if self._left < 0 or len(above) > _DEEPEST:
            raise UnusableOperationError("a schema is too large")
        if key in ("properties", "patternProperties") and isinstance(value, Mapping):
            return {str(name): self._schema(part, above) for name, part in value.items()}
        if key in ("allOf", "anyOf", "oneOf") and isinstance(value, list):
            return [self._schema(part, above) for part in value]
        if key in ("items", "additionalProperties", "not") and isinstance(value, Mapping | bool):
            return value if isinstance(value, bool) else self._schema(value, above)
        if key.startswith("$"):
            raise UnusableOperationError(f"a schema uses {key}, which is not supported")
        return value


def _in_new_dialect(schema: dict[str, Any]) -> dict[str, Any]:
    """What OpenAPI 3.0 writes in its own way, as JSON Schema 2020-12 does."""
    if schema.pop("nullable", False) and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema and None not in schema["enum"]:
            schema["enum"] = [*schema["enum"], None]
    for exclusive, bound in _EXCLUSIVE.items():
        if isinstance(schema.get(exclusive), bool) and schema.pop(exclusive) and bound in schema:
            schema[exclusive] = schema.pop(bound)
    return schema
