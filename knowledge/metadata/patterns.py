"""Patterns of folder rules, as in `.gitignore`: `*.pdf` anywhere below, `contracts/**/2024*` from the folder on."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_PIECE = re.compile(
    r"(?P<folders>\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)|\[(?P<set>[^\]/]+)\]|(?P<text>.)", re.DOTALL
)


def matches(pattern: str, path: str) -> bool:
    """Whether a path below the rule's folder is meant, or a folder that it lies in.

    Letter case does not matter, nor which of the two ways of writing accents a file system uses.

    Args:
        pattern: without a slash inside it is the name of a file or folder anywhere below.
        path: relative to the folder of the rule, with slashes.
    """
    return _compiled(_folded(pattern)).fullmatch(_folded(path)) is not None


@lru_cache(maxsize=1_024)
def _compiled(pattern: str) -> re.Pattern[str]:
    bare = pattern.strip("/")
    anywhere = "" if "/" in bare or pattern.startswith("/") else "(?:.*/)?"
    body = "".join(_regex(piece) for piece in _PIECE.finditer(bare))
    return re.compile(f"{anywhere}{body}(?:/.*)?", re.DOTALL)


def _regex(piece: re.Match[str]) -> str:
    if piece["set"] is not None:
        inside = piece["set"]
        negated = inside[0] in "!^" and len(inside) > 1
        letters = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside[1:] if negated else inside)
        return f"[^/{letters}]" if negated else f"[{letters}]"
    fixed = {"folders": "(?:[^/]+/)*", "all": ".*", "some": "[^/]*", "one": "[^/]"}
    return fixed.get(piece.lastgroup or "", re.escape(piece[0]))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
