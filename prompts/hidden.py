"""What a model is shown of a text: nothing that a reader of the document would not see, and nothing like our fences."""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache

_BREAKS = dict.fromkeys(map(ord, "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), "\n")
_KEPT = frozenset("\n\t")
# Look like a blank and are letters or symbols by their category: fillers of Hangul, an empty Braille cell.
_BLANKS = dict.fromkeys((0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0), " ")
# Choose between forms of a character; a row of them can spell out any text unseen.
_SELECTORS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x1810), 0x034F)
_UNSEEN = frozenset({"Cc", "Cf", "Cs"})
_FENCE_MARKS = re.compile(r"<{3,}|>{3,}")


@cache
def _table() -> dict[int, str | None]:
    unseen = (
        number
        for number in range(sys.maxunicode + 1)
        if unicodedata.category(chr(number)) in _UNSEEN and chr(number) not in _KEPT
    )
    table: dict[int, str | None] = dict.fromkeys((*unseen, *_SELECTORS))
    return table | _BREAKS | _BLANKS


def visible(text: str) -> str:
    """The text without control, zero-width and direction characters, tags and selectors, for a model only.

    They hide orders from people and show them to a model, or make a text look like another one. Three or more angle
    brackets, of which fences are made, become single quotation marks: a model that looks at their shape alone is not
    misled. What users see and what quotes are checked against stays as the document has it.
    """
    plain = text.isascii() and text.isprintable()
    shown = text if plain else text.replace("\r\n", "\n").translate(_table())
    return _FENCE_MARKS.sub(lambda match: ("‹" if match.group()[0] == "<" else "›") * len(match.group()), shown)
