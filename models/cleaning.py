"""Takes off what models put around their replies."""

from __future__ import annotations

import re
from typing import Any

_DEEPEST = 24
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THINKING_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_THINKING_START = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```[^\n`]*\n(.*?)^\s*```\s*$", re.DOTALL | re.MULTILINE)
_OPEN_FENCE = re.compile(r"\A\s*```[^\n`]*\n")


def strip_thinking(text: str) -> str:
    """The reply without thinking blocks.

    A block that was opened in the prompt has only its end here; one that was cut has only its start.
    """
    text = _THINKING.sub("", text)
    ends = list(_THINKING_END.finditer(text))
    if ends:
        text = text[ends[-1].end() :]
    start = _THINKING_START.search(text)
    return (text[: start.start()] if start else text).strip()


def strip_fences(text: str) -> str:
    """The content of the first code fence, or the text itself where there is none."""
    fenced = _FENCE.search(text)
    if fenced:
        return fenced.group(1).strip()
    return _OPEN_FENCE.sub("", text).strip()


def well_formed(value: Any, depth: int = 0) -> Any:
    """Text, or JSON with text in it, without lone surrogates; what is nested too deeply is left out."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if depth >= _DEEPEST:
        return None
    if isinstance(value, dict):
        return {well_formed(str(key)): well_formed(item, depth + 1) for key, item in value.items()}
    return [well_formed(item, depth + 1) for item in value] if isinstance(value, list) else value
