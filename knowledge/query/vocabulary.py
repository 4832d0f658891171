"""The documents' vocabulary: short forms and other names that documents define, and the user's synonyms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..text.normalise import fold_widths, has_chinese, normalise
from .models import AddedTerm

_MOST_FORMS = 3
"""A short form that stands for more things than this says too little about any."""
_MOST_TERMS = 8
_LONGEST_ABBREVIATION = 4
ALIAS_WEIGHT = 0.7
"""What a match of an added word counts beside one of the question's own words, which count 1.

Of 0.3, 0.5 and 0.7 the best on questions in which a defined name was exchanged for its short form, or the other way
round; as asked, the questions lost nothing with any of them.
"""


class Alias(NamedTuple):
    """Two names for one thing, as a document defines them."""

    short: str
    long: str


class Vocabulary:
    """The other forms of words, of the documents that one caller may read and of the user's dictionary."""

    def __init__(self, aliases: Iterable[Alias], synonyms: Iterable[Sequence[str]] = ()) -> None:
        """Collect forms.

        Args:
            aliases: from documents that the caller may read, and from no others.
            synonyms: groups of words that mean the same, from the user's dictionary.
        """
        forms: dict[str, dict[str, str]] = {}
        groups = [*((alias.short, alias.long) for alias in aliases), *synonyms]
        for group in groups:
            for word in group:
                others = forms.setdefault(_key(word), {})
                others.update({_key(other): other for other in group if _key(other) != _key(word)})
        self._forms = {word: tuple(others.values()) for word, others in forms.items() if word and others}
        self._lengths = sorted({len(word) for word in self._forms}, reverse=True)

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """Other forms by name, in the spelling in which names are compared."""
        return self._forms

    def added_terms(self, question: str, weight: float = ALIAS_WEIGHT) -> tuple[AddedTerm, ...]:
        """The other forms of the words of a question that it does not hold itself."""
        text = _key(question)
        found: dict[str, AddedTerm] = {}
        for word in self._words_in(text):
            others = self._forms[word]
            if len(others) > _MOST_FORMS or not _is_meant(word, question):
                continue
            for other in others:
                if _key(other) not in text:
                    found.setdefault(_key(other), AddedTerm(term=other, weight=weight, because=word))
        return tuple(found.values())[:_MOST_TERMS]

    def _words_in(self, text: str) -> list[str]:
        words, position = [], 0
        while position < len(text):
            word = next((w for n in self._lengths if (w := text[position : position + n]) in self._forms), None)
            if word is not None and len(word) and _stands_alone(text, position, position + len(word)):
                words.append(word)
                position += len(word)
            else:
                position += 1
        return words


def _is_meant(word: str, question: str) -> bool:
    """Whether a short Latin word is written as the abbreviation that it is: IT, not it."""
    if len(word) > _LONGEST_ABBREVIATION or not word.isascii() or not word.isalpha():
        return True
    return re.search(rf"(?<![A-Za-z0-9]){word.upper()}(?![A-Za-z0-9])", fold_widths(question)) is not None


def _key(word: str) -> str:
    return normalise(word)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Chinese words have no borders; a Latin word must not be a part of another."""
    before = start > 0 and _latin(text[start - 1]) and _latin(text[start])
    behind = end < len(text) and _latin(text[end - 1]) and _latin(text[end])
    return not before and not behind


def _latin(character: str) -> bool:
    return character.isalnum() and not has_chinese(character)
