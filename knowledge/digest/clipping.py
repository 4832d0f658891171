"""Cuts texts so that no value is cut in two: half a number is another number."""

from __future__ import annotations

import re

from ..text.value_patterns import HAN_NUMERAL

_HALF = re.compile(rf"(?:[A-Za-z0-9.,:/%_+–-]|{HAN_NUMERAL}|第)+$")


def clip(text: str, limit: int) -> str:
    """The beginning of a text in so many characters, with an ellipsis where something is left out.

    A number, id or word of Latin letters that would be cut in two is left out whole.
    """
    if len(text) <= limit:
        return text
    return f"{whole_part(text, max(0, limit - 1))}…" if limit > 0 else ""


def whole_part(text: str, end: int) -> str:
    """The text before an offset, without the value or word that the offset cuts in two."""
    before = text[:end]
    if _HALF.match(text[end : end + 1]) or _HALF.search(before):
        before = _HALF.sub("", before)
    return before.rstrip()
