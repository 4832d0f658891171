"""Whether a hit is what a question needed: its quoted text stands in the hit, in a document that it names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from ..knowledge.documents import Document
from ..knowledge.search import Hit
from ..knowledge.text.normalise import normalise_match
from .cases import RetrievalCase

QUOTE_CHARACTERS = 60
"""Of a quote this many characters without blanks and punctuation must stand in a hit: long quotes run over blocks."""
SHORTEST_QUOTE = 9
"""A quote of fewer characters would stand in many texts by chance and is not used."""

# Question files are often written by programs that escape twice: a quote then holds a backslash and an n.
_ESCAPED_BREAK = re.compile(r"\\[nrt]")
_FILE_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")

Flatten = Callable[[str], str]


class NeededItem(NamedTuple):
    """One thing that a question needs: a text in a document, or where there is no text, a document.

    `texts` are in the form of `normalise_match`; any of them will do. Without `documents` any document will do.
    """

    texts: tuple[str, ...]
    documents: tuple[str, ...]
    quote: str


class Ranking(NamedTuple):
    """What the hits of one search brought: for each, best first, which of the needed items it holds."""

    items: int
    hits: tuple[frozenset[int], ...]

    def first_ranks(self) -> list[int]:
        """The rank of the first hit with an item, for each item that was found, in ascending order."""
        seen: dict[int, int] = {}
        for rank, held in enumerate(self.hits, start=1):
            for item in held:
                seen.setdefault(item, rank)
        return sorted(seen.values())


def needed_items(case: RetrievalCase) -> tuple[NeededItem, ...]:
    """What a search must find for a case; empty where nothing says what that would be.

    Each quote is an item. Where none is long enough, the answer is the item, in any of its wordings; where there is
    no answer either, each document is.
    """
    quotes: dict[tuple[str, ...], str] = {}
    for quote in case.evidence:
        texts = tuple(flat[:QUOTE_CHARACTERS] for flat in _readings(quote) if len(flat) >= SHORTEST_QUOTE)
        quotes.setdefault(texts, quote)
    quotes.pop((), None)
    if quotes:
        return tuple(NeededItem(texts, case.documents, quote) for texts, quote in quotes.items())
    answers = {flat: answer for answer in case.answers for flat in _readings(answer) if flat}
    if answers:
        return (NeededItem(tuple(answers), case.documents, next(iter(answers.values()))),)
    return tuple(NeededItem((), (name,), "") for name in dict.fromkeys(case.documents))


def _readings(text: str) -> tuple[str, ...]:
    """A text as it is compared, and where it holds line breaks that were escaped twice, with these as breaks, too."""
    return tuple(dict.fromkeys(normalise_match(reading) for reading in (text, _ESCAPED_BREAK.sub("\n", text))))


def is_named(document: Document, names: Iterable[str]) -> bool:
    """Whether one of the names is a document's: its title, or its file name with or without ending and folders."""
    title = _folded(document.title)
    paths = _spellings(document.name)
    return any(
        name == title or any(_same_end(path, other) for path in paths for other in _spellings(name))
        for name in map(_folded, names)
    )


def _spellings(name: str) -> tuple[tuple[str, ...], ...]:
    """The parts of a path, with the file's ending and without."""
    parts = PurePosixPath(_folded(name)).parts
    return (parts, (*parts[:-1], _FILE_ENDING.sub("", parts[-1]))) if parts else ()


def _same_end(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    shared = min(len(first), len(second))
    return first[-shared:] == second[-shared:]


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.replace("\\", "/")).casefold().strip()


def holds(item: NeededItem, flat_text: str, document: Document) -> bool:
    """Whether a text of a document is what an item asks for; the text in the form of `normalise_match`."""
    if item.documents and not is_named(document, item.documents):
        return False
    return not item.texts or any(text in flat_text for text in item.texts)


def judge_hits(items: Sequence[NeededItem], hits: Iterable[Hit], flatten: Flatten = normalise_match) -> Ranking:
    """Which items each hit holds.

    Args:
        items: what is needed, from `needed_items`.
        hits: what a search found, best first.
        flatten: `normalise_match`, or a function that remembers what it gave.
    """
    held = (frozenset(n for n, item in enumerate(items) if holds(item, flatten(h.text), h.document)) for h in hits)
    return Ranking(len(items), tuple(held))
