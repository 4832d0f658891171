"""What others say of their tools: one line, without what cannot be seen, no longer than a prompt can bear."""

from __future__ import annotations

import re
import unicodedata

_FENCE_MARKS = re.compile(r"<{3,}|>{3,}")
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME = 64


def said_by_others(text: str, limit: int) -> str:
    """A text of somebody else as one bounded line; control and zero-width characters and fence marks are left out."""
    seen = "".join(one if unicodedata.category(one)[0] != "C" else " " for one in text[: limit * 4])
    return " ".join(_FENCE_MARKS.sub(" ", seen).split())[:limit]


def tool_name(text: str, prefix: str = "") -> str:
    """A name that models can call, made of any other one."""
    parts = [_NO_NAME.sub("_", part).strip("_") for part in (prefix, text) if part]
    name = "__".join(part for part in parts if part)
    return (name if name[:1].isalpha() else f"tool_{name}")[:_LONGEST_NAME]
