"""How many tokens a text will cost, without a tokenizer: a budget needs a bound, not an exact figure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from .messages import Message

# Tokenizers differ: some cut digits one by one, some take three; rare scripts and emoji fall to single bytes.
# Each class is therefore counted as the least favourable common tokenizer would.
_PIECES = re.compile(
    r"(?P<word>[A-Za-z]+)"
    r"|(?P<blank>[^\S\n]+)"
    r"|(?P<lines>\n+)"
    r"|(?P<ascii>[\x00-\x7f])"
    r"|(?P<cjk>[\u2010-\u203f\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef])"
    r"|(?P<letters>[\u0080-\u05ff]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_LETTERS_A_TOKEN = {"word": 4, "letters": 2, "blank": 16, "lines": 2, "ascii": 1, "cjk": 1}
MESSAGE_OVERHEAD = 8
"""Tokens that a chat template wraps around one message."""
CALL_OVERHEAD = 24
"""Tokens that a template adds to a whole prompt, a built-in system message included."""


def _piece_tokens(kind: str, piece: str) -> int:
    if kind == "blank" and len(piece) == 1:
        return 0  # a single blank is part of the word that follows it
    if kind == "other":
        return len(piece.encode("utf-8", "surrogatepass"))
    return -(-len(piece) // _LETTERS_A_TOKEN[kind])


def estimate_tokens(text: str) -> int:
    """An upper estimate of a text's tokens: one a Chinese character, digit or sign, one for four letters."""
    return sum(_piece_tokens(match.lastgroup or "other", match.group()) for match in _PIECES.finditer(text))


def estimate_prompt(messages: Iterable[Message], extra: Any = None) -> int:
    """An upper estimate of a whole prompt; `extra` is what goes beside the messages (tools, a schema)."""
    texts = sum(estimate_tokens(message.text) + MESSAGE_OVERHEAD for message in messages)
    beside = estimate_tokens(json.dumps(extra, ensure_ascii=False)) if extra else 0
    return texts + beside + CALL_OVERHEAD
