"""Puts candidates in their final order; the default does it without a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple, Protocol

from .text.normalise import normalise, normalise_match
from .text.sentences import split_sentences
from .text.tokens import tokenise

PHRASE_CHARACTERS = 20
"""A phrase shared with the question counts in full from this length on."""
SHORTEST_TITLE = 3
"""Titles below this many characters stand in a question by chance."""
REMEMBERED_TEXTS = 4096

_ASKS_MEANING = re.compile(
    "什么是|是什么|是指|指什么|定义|含义|何谓|"
    r"\bwhat (?:is|are)\b|\bdefin(?:e|ed|ition)\b|\bmean(?:s|t|ing)?\b|\brefers? to\b"
)
_GIVES_MEANING = re.compile(
    r"是指|所称|指的是|定义|系指|\bmeans?\b|\brefers? to\b|\bis defined as\b|\bare defined as\b|\bdefinition\b"
)


class Candidate(NamedTuple):
    """A passage that a search found, with its fused score from 0 to 1."""

    row: int
    text: str
    title: str
    section: str
    score: float


class Ranked(NamedTuple):
    """A row with the score that it is ordered by; only its order has a meaning."""

    row: int
    score: float


class Reranker(Protocol):
    """Orders candidates by how well they answer a question."""

    def rerank(self, question: str, candidates: Sequence[Candidate]) -> list[Ranked]:
        """All candidates, best first; those of equal score in the order given."""


class RerankWeights(NamedTuple):
    """What each sign adds to a fused score of at most 1.

    Found by coordinate search on half of the questions about the Chinese regulations and checked on the other
    half and on two sets that took no part; `benchmarks/retrieval.py` prints the comparison.
    """

    heading: float = 0.1
    title: float = 0.2
    whole_title: float = 0.2
    sentence: float = 0.3
    phrase: float = 0.4
    meaning: float = 0.1


class _Question(NamedTuple):
    weights: Mapping[str, float]
    total: float
    bare: str
    asks_meaning: bool


class CoverageReranker:
    """Orders by how much of the question a passage and its headings cover, and how closely together.

    Args:
        idf: how telling a token is in the collection, such as `LexicalIndex.idf`; without it all count the same.
        weights: what each sign adds to the fused score.
    """

    def __init__(
        self, idf: Callable[[str], float] | None = None, weights: RerankWeights = RerankWeights()
    ) -> None:
        self._idf = idf or (lambda token: 1.0)
        self._weights = weights
        self._tokens = lru_cache(maxsize=REMEMBERED_TEXTS)(_token_set)
        self._neighbours = lru_cache(maxsize=REMEMBERED_TEXTS)(_neighbouring_sentences)

    def rerank(self, question: str, candidates: Sequence[Candidate]) -> list[Ranked]:
        """All candidates, best first; those of equal score in the order given."""
        asked = self._understand(question)
        ranked = [Ranked(c.row, c.score + self._bonus(asked, c)) for c in candidates]
        return sorted(ranked, key=lambda item: -item.score)

    def _understand(self, question: str) -> _Question:
        weights = {token: self._idf(token) for token in set(tokenise(question, for_query=True))}
        normal = normalise(question)
        asks_meaning = _ASKS_MEANING.search(normal) is not None
        return _Question(weights, sum(weights.values()), normalise_match(question), asks_meaning)

    def _bonus(self, asked: _Question, candidate: Candidate) -> float:
        weights, title = self._weights, self._tokens(candidate.title)
        bare_title = normalise_match(candidate.title)
        names_title = len(bare_title) >= SHORTEST_TITLE and bare_title in asked.bare
        gives_meaning = asked.asks_meaning and _GIVES_MEANING.search(normalise(candidate.text)) is not None
        sentences = self._neighbours(candidate.text)
        return (
            weights.heading * _coverage(asked, title | self._tokens(candidate.section))
            + weights.title * self._share_asked(asked, title)
            + weights.whole_title * names_title
            + weights.sentence * max((_coverage(asked, tokens) for tokens in sentences), default=0.0)
            + weights.phrase * _shared_phrase(asked.bare, normalise_match(candidate.text))
            + weights.meaning * gives_meaning
        )

    def _share_asked(self, asked: _Question, tokens: Iterable[str]) -> float:
        weights = {token: self._idf(token) for token in tokens}
        total = sum(weights.values())
        return sum(w for token, w in weights.items() if token in asked.weights) / total if total else 0.0


def _token_set(text: str) -> frozenset[str]:
    return frozenset(tokenise(text))


def _neighbouring_sentences(text: str) -> tuple[frozenset[str], ...]:
    """The tokens of every two neighbouring sentences: an answer often stands in one and its subject before it."""
    sets = [_token_set(text[span.start : span.end]) for span in split_sentences(text)]
    return tuple(first | second for first, second in zip_longest(sets, sets[1:], fillvalue=frozenset()))


def _coverage(asked: _Question, tokens: frozenset[str]) -> float:
    if not asked.total:
        return 0.0
    return sum(weight for token, weight in asked.weights.items() if token in tokens) / asked.total


def _shared_phrase(question: str, text: str) -> float:
    matcher = SequenceMatcher(None, text, question, autojunk=False)
    longest = matcher.find_longest_match(0, len(text), 0, len(question)).size
    return min(longest, PHRASE_CHARACTERS) / PHRASE_CHARACTERS
