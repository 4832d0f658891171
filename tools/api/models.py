"""What is declared about an interface: its operations, their parameters, and what each of them may do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from ..contracts import Permission

Schema = Mapping[str, Any]
"""A JSON Schema (2020-12) without references."""


class Place(StrEnum):
    """Where a parameter goes."""

    PATH = "path"
    QUERY = "query"
    BODY_FIELD = "body_field"
    """A field of the JSON object that is sent."""
    BODY = "body"
    """The whole JSON body."""


class Parameter(NamedTuple):
    """One parameter of an operation."""

    name: str
    place: Place
    schema: Schema
    required: bool = False
    description: str = ""
    joined: bool = False
    """Whether a list in a query is sent as one value with commas (`explode: false`) and not as several."""


class Operation(NamedTuple):
    """A declared operation; its text comes from a file that others may have written, and is data."""

    api: str
    id: str
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[Parameter, ...]
    permission: Permission
    live: bool = False
    examples: tuple[str, ...] = ()
    idempotency_header: str = ""
    """By which the interface says that it tells a repeated call; empty: it does not say so."""

    @property
    def is_repeatable(self) -> bool:
        """Whether a call may be made again when it is not known whether it was carried out."""
        return not self.changes or bool(self.idempotency_header)

    @property
    def changes(self) -> bool:
        """Whether a call may change something."""
        return self.permission is not Permission.READ and self.method not in ("GET", "HEAD")

    @property
    def name(self) -> str:
        """What plans and policies call it: `orders.get_order`."""
        return f"{self.api}.{self.id}"

    @property
    def arguments_schema(self) -> dict[str, Any]:
        """The JSON Schema of all parameters as one object; nothing undeclared fits."""
        return {
            "type": "object",
            "properties": {one.name: dict(one.schema) for one in self.parameters},
            "required": [one.name for one in self.parameters if one.required],
            "additionalProperties": False,
        }


class DeclaredApi(NamedTuple):
    """What a file declares."""

    base_url: str
    operations: tuple[Operation, ...]
    left_out: tuple[str, ...]
    """Operations that cannot be called, each with the reason."""
