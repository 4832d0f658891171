"""The words that tell a block from the others of its library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from ..documents import Block
from ..text.normalise import normalise
from ..text.tokens import Tokeniser, stem

_HEADING_WEIGHT = 2
"""What a word counts in a heading over the block, beside one in its text."""


def keywords_of(block: Block, words: Tokeniser, idf: Callable[[str], float], most: int) -> tuple[str, ...]:
    """The words of the highest TF-IDF, best first; those that stand in every block of the library are worth nothing.

    Args:
        block: whose words are weighed, with the headings over it.
        words: what cuts it.
        idf: of a term, see `Library.idf`.
        most: how many.
    """
    counts = Counter(words.words(block.text))
    for word in words.words(" ".join(block.section_path)):
        counts[word] += _HEADING_WEIGHT
    spelt: dict[str, str] = {}
    weights: Counter[str] = Counter()
    for word, count in counts.items():
        term = _term(word)
        spelt.setdefault(term, word)
        weights[term] += count
    scored = {term: count * idf(term) for term, count in weights.items()}
    best = sorted(scored, key=lambda term: -scored[term])
    return tuple(spelt[term] for term in best[:most] if scored[term] > 0)


@lru_cache(maxsize=65_536)
def _term(word: str) -> str:
    """A word as the lexical index knows it."""
    return stem(normalise(word))
