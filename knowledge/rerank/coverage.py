"""Puts candidates in their final order; the default does it without a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple, Protocol

from .text.normalise import has_chinese, normalise, normalise_match
from .text.sentences import split_sentences
from .text.tokens import tokenise

PHRASE_CHARACTERS = 20
"""A phrase shared with the question counts in full from this many Chinese characters on."""
LETTERS_A_CHARACTER = 3
"""About how many letters of an alphabet say as much as one Chinese character."""
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

    Chosen on one half of the questions about Chinese regulations, company reports in both languages and
    simplified Chinese encyclopedia paragraphs; `benchmarks/retrieval.py` prints the comparison on the other half.
    """

    heading: float = 0.1
    title: float = 0.2
    whole_title: float = 0.2
    sentence: float = 0.1
    phrase: float = 0.2
    meaning: float = 0.1


MEASURED_WEIGHTS = RerankWeights()
"""The weights that were measured."""


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

    def __init__(self, idf: Callable[[str], float] | None = None, weights: RerankWeights = MEASURED_WEIGHTS) -> None:
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
        rest = _beyond_title(asked, title, bare_title)
        sentences = self._neighbours(candidate.text)
        return (
            weights.heading * _coverage(asked, title | self._tokens(candidate.section))
            + weights.title * self._share_asked(asked, title)
            + weights.whole_title * names_title
            + weights.sentence * max((_coverage(rest, tokens) for tokens in sentences), default=0.0)
            + weights.phrase * _shared_phrase(rest.bare, normalise_match(candidate.text))
            + weights.meaning * gives_meaning
        )

    def _share_asked(self, asked: _Question, tokens: Iterable[str]) -> float:
        weights = {token: self._idf(token) for token in tokens}
        total = sum(weights.values())
        return sum(w for token, w in weights.items() if token in asked.weights) / total if total else 0.0


_NOTHING: frozenset[str] = frozenset()


def _token_set(text: str) -> frozenset[str]:
    return frozenset(tokenise(text))


def _neighbouring_sentences(text: str) -> tuple[frozenset[str], ...]:
    """The tokens of every two neighbouring sentences: an answer often stands in one and its subject before it."""
    sets = [_token_set(text[span.start : span.end]) for span in split_sentences(text)]
    return tuple(first | second for first, second in zip(sets, [*sets[1:], _NOTHING], strict=True))


def _beyond_title(asked: _Question, title: frozenset[str], bare_title: str) -> _Question:
    """What a question asks about the thing that a title names.

    Every passage of a document is about its title's subject. The ones that repeat its name must not win over
    the one that answers: a report that says the company's name in each paragraph would be ordered by that.
    """
    weights = {token: weight for token, weight in asked.weights.items() if token not in title}
    shared = SequenceMatcher(None, asked.bare, bare_title, autojunk=False).find_longest_match()
    cut = shared.size if shared.size >= SHORTEST_TITLE else 0
    bare = asked.bare[: shared.a] + "\n" + asked.bare[shared.a + cut :] if cut else asked.bare
    return asked._replace(weights=weights, total=sum(weights.values()), bare=bare)


def _coverage(asked: _Question, tokens: frozenset[str]) -> float:
    if not asked.total:
        return 0.0
    return sum(weight for token, weight in asked.weights.items() if token in tokens) / asked.total


def _shared_phrase(question: str, text: str) -> float:
    matcher = SequenceMatcher(None, text, question, autojunk=False)
    longest = matcher.find_longest_match(0, len(text), 0, len(question)).size
    full = PHRASE_CHARACTERS if has_chinese(question) else PHRASE_CHARACTERS * LETTERS_A_CHARACTER
    return min(longest, full) / full
