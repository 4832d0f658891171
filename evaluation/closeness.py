"""How much of a question's wording a text holds, on a scale that is the same for every question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..knowledge.documents import Block, Document
from ..knowledge.search import Hit
from ..knowledge.searchable import context_of
from ..knowledge.text.tokens import tokenise

Weigh = Callable[[str], float]

_PAIR = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2}")


class QuestionTerm(NamedTuple):
    """A term with its weight: how telling it is in the library (idf, 0: it stands nowhere there) times how often asked.

    Words of two Chinese characters are asked twice, as a word and as a pair, which tells them from the chance pairs.
    """

    text: str
    weight: float
    is_word: bool


class QuestionTerms(NamedTuple):
    """The terms of a question, each once, in its order."""

    terms: tuple[QuestionTerm, ...]

    @classmethod
    def of(cls, tokens: Sequence[str], weigh: Weigh) -> QuestionTerms:
        """The terms behind the tokens of a question (`tokenise` for a query), weighed as the lexical search does."""
        asked = Counter(tokens)
        return cls(
            tuple(
                QuestionTerm(term, weigh(term) * count, count > 1 or not _PAIR.fullmatch(term))
                for term, count in asked.items()
            )
        )

    def share(self, text: str) -> float:
        """The weighted share, from 0 to 1, of the terms that stand in a text; 0 if the library has none of them."""
        held, total = frozenset(tokenise(text)), sum(term.weight for term in self.terms)
        return sum(term.weight for term in self.terms if term.text in held) / total if total else 0.0

    def lacking(self, text: str, most: int) -> tuple[str, ...]:
        """The words that a text does not hold: those unknown to the library first, then the heaviest."""
        held = frozenset(tokenise(text))
        absent = [term for term in self.terms if term.text not in held]
        words = [term for term in absent if term.is_word] or absent
        ordered = sorted(words, key=lambda term: (term.weight > 0, -term.weight))
        return tuple(term.text for term in ordered[:most])


def searched_text(document: Document, block: Block, start: int, characters: int, lead: int) -> str:
    """About what is searched of a block around an offset: title and section path, then a window as long as a passage.

    Args:
        document: the block's document.
        block: where the text stands.
        start: offset of the text in the block.
        characters: length of the window.
        lead: how much of the window lies before the offset, where the block has that much.
    """
    first = max(0, min(start - lead, len(block.text) - characters))
    return f"{context_of(document, block)}\n{block.text[first : first + characters]}"


def searched_text_of_hit(hit: Hit) -> str:
    """The passage that put a hit in its place, with its title and section path."""
    return f"{context_of(hit.document, hit.block)}\n{focus_text(hit)}"


def focus_text(hit: Hit) -> str:
    """The best matching passage of a hit's block."""
    span = hit.focus[0]
    return hit.block.text[span.start : span.end]
