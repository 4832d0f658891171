# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Questions for the edition of a text that is in force (哪一版有效, which version is in force)."""

from __future__ import annotations

import re

from .parts import Asked

_CHINESE = re.compile(
    r"(?:现行|最新|当前|有效|生效|在用)的?版本(?:号)?(?:是|为)?(?:哪|什么|第?几|多少)"
    r"|(?:哪一?个?版本?|哪一版|第几版|什么版本)[^,?]{0,6}(?:有效|现行|生效|在用|最新|执行|为准|适用)"
    r"|(?:有效|现行|生效|在用|最新)的?(?:是|为)(?:哪一?个?版|第几版|什么版本)|以哪一?个?版本?为准"
)
_ENGLISH = re.compile(
    r"\b(?:which|what)\s+(?:version|edition|revision|issue)\b[^?]*\b(?:in force|current|currently|valid|appl(?:y|ies|icable)|latest|effective|in effect|prevails)\b"
    r"|\bwhat\s+is\s+the\s+(?:current|latest|valid|newest)\s+(?:version|edition|revision)\s+of\b"
    r"|\bwhich\s+is\s+the\s+(?:current|latest|valid|newest)\s+(?:version|edition|revision)\b",
    re.IGNORECASE,
)


def asks_for_version(asked: Asked) -> bool:
    """Whether the edition itself is asked for; a question that only says `current` asks for something else."""
    return (_CHINESE if asked.language == "zh" else _ENGLISH).search(asked.text) is not None
