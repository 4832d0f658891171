# ruff: noqa: E501 - patterns are read in one piece
"""Questions for the things of a kind and what each of them means: one list, not two questions."""

from __future__ import annotations

import re

from .parts import Asked

_CHINESE = re.compile(
    r"(?:哪些|哪几[种类个条项级])[^,.?]*[,?]?\s*(?:它们|其|又|并且?)?(?:各自?|分别|每[个种类项条]|都)(?:又?(?:表示|代表|是|指|对应|意味着?|有)?(?:什么|何)(?:意思|含义)?|(?:的?(?:含义|意思|作用|要求)是什么))[?]?$"
)
_ENGLISH = re.compile(
    r"\b(?:which|what)\b[^,.?]*,?\s*and\s+what\s+(?:do they|does each(?: of them| one)?)\s+(?:mean|stand for|indicate|signify)[?]?$",
    re.IGNORECASE,
)


def is_one_list(read: Asked) -> bool:
    """Whether a question asks for a list and what stands beside its entries: 有哪些报警代码，各表示什么."""
    pattern = _CHINESE if read.language == "zh" else _ENGLISH
    return pattern.search(read.text) is not None
