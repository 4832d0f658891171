"""Takes off what models put around their replies."""

from __future__ import annotations

import re

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
