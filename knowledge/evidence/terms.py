"""What texts are compared by: the library's search tokens, single Chinese characters, values in one spelling."""

from __future__ import annotations

import re
from functools import lru_cache

from ..text.normalise import fold_widths, normalise
from ..text.tokens import tokenise
from ..text.values import Value, ValueKind, find_values
from .synonyms import group_terms

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
# Characters that stand in almost every Chinese sentence.
_COMMON_CHARACTERS = frozenset("的了是在有和与及或为以于由被其之这那个一不也都就而")

ValueKey = tuple[ValueKind, str, str]


@lru_cache(maxsize=16_384)
def terms(text: str) -> frozenset[str]:
    """The search tokens of a text, each once, and the synonym groups that they belong to."""
    found = frozenset(tokenise(text))
    return found | group_terms(found)


@lru_cache(maxsize=16_384)
def question_terms(text: str) -> frozenset[str]:
    """The search tokens of a question or a part of it, without the words that only ask."""
    found = frozenset(tokenise(text, for_query=True))
    return found | group_terms(found)


@lru_cache(maxsize=16_384)
def folded(text: str) -> str:
    """A text in normalised form: lower case, simplified characters, ASCII punctuation."""
    return normalise(text)


@lru_cache(maxsize=16_384)
def characters(text: str) -> frozenset[str]:
    """The Chinese characters of a text in simplified form, without the commonest."""
    return frozenset(_HAN.findall(folded(text))) - _COMMON_CHARACTERS


@lru_cache(maxsize=16_384)
def values(text: str) -> tuple[Value, ...]:
    """The values of a text."""
    return find_values(fold_widths(text))


def value_keys(text: str) -> frozenset[ValueKey]:
    """The values of a text in canonical form."""
    return frozenset(value.key for value in values(text))


def without_dates(text: str) -> str:
    """The text with its dates blanked out: a year names the report, not a word of the sentence that answers."""
    kept = list(text)
    for value in values(text):
        if value.kind is ValueKind.DATE:
            kept[value.start : value.end] = " " * (value.end - value.start)
    return "".join(kept)
