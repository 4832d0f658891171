"""Which columns of a table a question names: by their headings, by words of them, or by what they measure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ...knowledge.evidence.amounts import amounts, size
from ...knowledge.evidence.evidence_tables import column_name
from ...knowledge.evidence.nearest_value_hints import is_hinted, is_hinted_name
from ...knowledge.evidence.phrases import content_words, word_share
from ...knowledge.evidence.terms import question_terms, terms
from ...knowledge.text.normalise import has_chinese
from ...knowledge.text.values import Value
from .models import Column

_CLEARLY = 0.15
"""One column is meant if its rating stands so far above the next."""
_COVERED = 0.5
"""Share of a word that has to be held for the word to be named."""
_HINTED = 0.5
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9 _/.-]*")
_HAN = re.compile(r"[\u4e00-\u9fff]+")


def heading(column: Column) -> str:
    """What a column is called, without its unit."""
    return column_name(column.label or column.name).replace("_", " ").strip()


def spellings(column: Column) -> tuple[str, ...]:
    """A heading whole, and each language of one in two (处理风量 Air flow)."""
    whole = heading(column)
    parts = [*_HAN.findall(whole), *(part.strip() for part in _LATIN.findall(whole))] if has_chinese(whole) else []
    named = column.name.replace("_", " ")
    return tuple(dict.fromkeys(text for text in (whole, named, *parts, *column.other_names) if len(text) > 1))


def place_of(column: Column, text: str) -> tuple[int, int] | None:
    """Where a text holds a heading, the longest spelling first."""
    for spelling in sorted(spellings(column), key=len, reverse=True):
        edges = ("", "") if has_chinese(spelling) else (r"(?<![A-Za-z0-9])", r"(?:e?s)?(?![A-Za-z0-9])")
        found = re.search(edges[0] + re.escape(spelling) + edges[1], text, re.IGNORECASE)
        if found:
            return found.span()
    return None


def rating(column: Column, text: str) -> float:
    """How clearly a text names a column: 2 for its heading, below that the share of its words, more for a hint."""
    if place_of(column, text) is not None:
        return 2.0
    words = content_words(heading(column))
    held = question_terms(text)
    share = sum(word_share(word, held) for word in words) / len(words) if words else 0.0
    back = _backward(column, text)
    hinted = _HINTED if _is_hinted(column, text) else 0.0
    return max(share, back) + hinted


def _backward(column: Column, text: str) -> float:
    """A word of the text that ends a heading names it: 功率 and 额定功率."""
    name = heading(column).casefold()
    ends = [word for word in content_words(text) if len(word) > 1 and name.endswith(word)]
    return max((len(word) / len(name) for word in ends), default=0.0)


def _is_hinted(column: Column, text: str) -> bool:
    value = unit_value(column.unit)
    return is_hinted_name(text, heading(column)) or (value is not None and is_hinted(text, value))


def named_column(columns: Sequence[Column], text: str) -> Column | None:
    """The one of some columns that a text names; None: none, or several alike."""
    rated = sorted(((rating(column, text), column) for column in columns), key=lambda pair: -pair[0])
    if not rated or rated[0][0] <= 0 or (len(rated) > 1 and rated[0][0] - rated[1][0] < _CLEARLY):
        return None
    return rated[0][1]


def unexplained(text: str, columns: Sequence[Column], context: str) -> tuple[str, ...]:
    """The words of a text that neither the columns in use nor what the table is about account for."""
    held = terms(context) | frozenset().union(*(terms(heading(column)) for column in columns))
    kept = (word for word in content_words(text) if not (len(word) == 1 and has_chinese(word)))
    return tuple(
        word for word in kept if word_share(word, held) < _COVERED and not any(_is_hinted(c, word) for c in columns)
    )


@lru_cache(maxsize=1_024)
def unit_value(unit: str) -> Value | None:
    """One of a unit as a value; None where it is not known as one."""
    for one in (f"1{unit}", f"1 {unit}", f"{unit}1"):
        read = amounts(one) if unit else ()
        if len(read) == 1 and read[0].raw == one and size(read[0]) is not None:
            return read[0]
    return None
