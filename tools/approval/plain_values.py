"""Which arguments can be shown to a person as what they are, and be kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_DEEPEST = 40
"""Levels of lists and objects inside each other."""


def unspeakable(arguments: Mapping[str, Any]) -> str:
    """What is wrong with arguments that no request, checkpoint or journal could hold; empty: nothing.

    Half a character (a lone surrogate), infinity, numbers of thousands of digits and endless nesting are written as
    something else by one of them, or by none.
    """
    level: list[Any] = [arguments]
    for _ in range(_DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
    if level:
        return f"an argument is nested more than {_DEEPEST} levels deep"
    try:
        json.dumps(dict(arguments), ensure_ascii=False, allow_nan=False, default=str).encode("utf-8")
    except UnicodeEncodeError:
        return "an argument holds half of a character"
    except (ValueError, TypeError):
        return "an argument is no finite number, or too long"
    return ""


def _inside(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []
