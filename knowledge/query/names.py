"""Which documents a question names: by title, file name, the subject in the title, or a short form of these."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from ..documents import Document
from ..editions import edition_of
from ..evidence.names import names_in
from ..text.normalise import fold_widths, has_chinese, normalise
from .kinds import kind_of_word
from .titles import joined

_MOST_DOCUMENTS = 5
"""A name that more documents carry says what they are all about, not which one is meant."""
_SHORTEST_CHINESE = 3
_SHORTEST_LATIN = 5
_LEGAL_FORM = re.compile(
    r"(?:股份|有限|责任|集团|人民)*(?:公司|集团|银行|大学|法院|委员会|研究院)+|(?:the)?(?:group|company|limited|corporation|holdings|solutions)"
)
_NUMBERING = re.compile(r"^\d+(?=[\W_]|[^\W\d])[\W_]*")


_Bearers = defaultdict[str, set[str]]


class Mention(NamedTuple):
    """A name in a question, its place there, and the documents that bear it."""

    start: int
    end: int
    doc_ids: frozenset[str]


class NameIndex:
    """The names of the documents that one caller may read."""

    def __init__(self, documents: Iterable[Document], other_names: Mapping[str, Iterable[str]] | None = None) -> None:
        """Index documents.

        Args:
            documents: that the caller may read.
            other_names: short forms of names, by the name.
        """
        titled, about = _Bearers(set), _Bearers(set)
        for document in documents:
            for name in _titles(document):
                titled[name].add(document.doc_id)
            for name in names_in(document.title):
                about[joined(name)].add(document.doc_id)
        # A document of that very title is meant rather than one whose title only holds the name.
        bearers = {**about, **titled}
        for name, others in (other_names or {}).items():
            if known := bearers.get(joined(name)):
                for other in others:
                    bearers.setdefault(joined(other), known)
        self._bearers = {
            name: frozenset(ids) for name, ids in bearers.items() if len(ids) <= _MOST_DOCUMENTS and _is_name(name)
        }
        self._lengths = sorted({len(name) for name in self._bearers}, reverse=True)
        self._beginnings = frozenset(name[:3] for name in self._bearers)

    def mentions(self, question: str) -> tuple[Mention, ...]:
        """The names in a question in order, the longest where several begin or overlap at a place."""
        return tuple(self._scan(_spelled(question)))

    def _scan(self, text: _Spelled) -> Iterator[Mention]:
        position = 0
        while position < len(text.letters):
            end = self._longest(text, position)
            if end is None:
                position += 1
                continue
            name = text.letters[position:end]
            yield Mention(text.places[position], text.places[end - 1] + 1, self._bearers[name])
            position = end

    def _longest(self, text: _Spelled, start: int) -> int | None:
        if text.letters[start : start + 3] not in self._beginnings or not text.begins_word(start):
            return None
        ends = (start + length for length in self._lengths)
        return next((end for end in ends if text.letters[start:end] in self._bearers and text.ends_word(end)), None)


class _Spelled(NamedTuple):
    """A text as names are compared, with the place of each letter in the text."""

    text: str
    letters: str
    places: tuple[int, ...]

    def begins_word(self, index: int) -> bool:
        return not _inside_word(self.text, self.places[index] - 1, self.places[index])

    def ends_word(self, end: int) -> bool:
        return end <= len(self.places) and not _inside_word(self.text, self.places[end - 1], self.places[end - 1] + 1)


def _inside_word(text: str, one: int, other: int) -> bool:
    """Whether two neighbouring places are in the same Latin word or number."""
    if one < 0 or other >= len(text):
        return False
    return all(text[place].isalnum() and not has_chinese(text[place]) for place in (one, other))


def _spelled(question: str) -> _Spelled:
    text = fold_widths(question)
    letters = [(letter, place) for place, character in enumerate(text) for letter in _letters(character)]
    return _Spelled(text, "".join(letter for letter, _ in letters), tuple(place for _, place in letters))


@lru_cache(maxsize=16_384)
def _letters(character: str) -> str:
    return "".join(letter for letter in normalise(character) if letter.isalnum())


def _titles(document: Document) -> Iterator[str]:
    stem = PurePosixPath(document.name).stem
    for name in dict.fromkeys((document.title, stem, _NUMBERING.sub("", stem))):
        yield joined(name)
        yield edition_of(name).title


def _is_name(name: str) -> bool:
    shortest = _SHORTEST_CHINESE if has_chinese(name) else _SHORTEST_LATIN
    return len(name) >= shortest and not (name.isdecimal() or kind_of_word(name) or _LEGAL_FORM.fullmatch(name))
