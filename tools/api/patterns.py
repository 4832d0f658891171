"""Patterns of JSON Schemas: programs of others, some of which would run for years over a short text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import regex
from jsonschema.exceptions import ValidationError

_SECONDS = 0.1
"""For one match; useful patterns take microseconds."""
_too_slow: set[str] = set()
"""Patterns that have run out of time once: what they should hold for is refused from then on."""


class SlowPatternError(ValueError):
    """A pattern cannot be used."""


def found(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text, as JSON Schema means it.

    Raises:
        SlowPatternError: it cannot be understood, or takes too long.
    """
    if pattern not in _too_slow:
        try:
            return regex.search(pattern, text, timeout=_SECONDS) is not None
        except TimeoutError:
            _too_slow.add(pattern)
        except regex.error as error:
            raise SlowPatternError("a pattern cannot be understood") from error
    raise SlowPatternError("a pattern takes too long")


def pattern_faults(_: Any, pattern: Any, instance: Any, __: Any) -> Iterator[ValidationError]:
    """The keyword `pattern`."""
    if isinstance(instance, str) and not found(str(pattern), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def pattern_properties_faults(validator: Any, patterns: Any, instance: Any, _: Any) -> Iterator[ValidationError]:
    """The keyword `patternProperties`."""
    if not isinstance(instance, dict):
        return
    for pattern, schema in patterns.items():
        for name, value in instance.items():
            if found(str(pattern), str(name)):
                yield from validator.descend(value, schema, path=name, schema_path=pattern)
