"""What speaks for a candidate: numbers from 0 to 1 about how its words and headings meet the question's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise, zip_longest
from typing import NamedTuple

from ..analysis import PassageAnalysis
from ..text.normalise import has_chinese, normalise, without_marks
from ..text.tokens import Tokeniser, tokeniser
from .intents import INTENTS, Intent, asked_intents
from .models import Candidate

PHRASE_CHARACTERS = 20
"""A phrase shared with the question counts in full from this many Chinese characters on."""
LETTERS_A_CHARACTER = 3
"""About how many letters of an alphabet say as much as one Chinese character."""
SHORTEST_TITLE = 3
"""Titles below this many characters stand in a question by chance."""
LONG_SENTENCE = 60
"""A sentence of this many terms counts half as much as a very short one that covers the same."""

_NO_TERMS: frozenset[str] = frozenset()
Weigh = Callable[[str], float]


class RankFeatures(NamedTuple):
    """The features of one candidate, or a weight for each; all from 0 to 1, more speaks for the candidate."""

    fused: float
    """the score of the search itself"""
    headings: float
    """idf-weighted share of the question's terms in the title and the section path"""
    whole_title: float
    """1 if the question names the document's title as it stands"""
    title_phrase: float
    """longest stretch of the title in the question, as a share of the title"""
    covered: float
    """idf-weighted share of the question's terms in title, section path and text"""
    sentence: float
    """the same in the best sentence, beyond what the title covers; less in a long one"""
    titled_sentence: float
    """the best two neighbouring sentences' share, by the title's share of terms in the question"""
    phrase: float
    """longest stretch of the question in the text, beyond the title"""
    pairs: float
    """idf-weighted share of the question's neighbouring words (Chinese: characters) that are neighbours in the text"""
    values: float
    """share of the question's numbers, dates, amounts and ids in the candidate"""
    neighbour: float
    """the best lexical score of the passages next to it, as a share of the best of all"""
    early: float
    """for what stands at a document's beginning, less further on; 1 where the question asks for what is laid down
    there (its purpose, its scope, the meaning of a term), else a half"""
    kind: float
    """1 if the text gives an answer of a kind that the question asks for"""
    kind_close: float
    """the best share of a sentence pair that gives an answer of that kind"""
    kind_section: float
    """1 if the last headings say that such answers stand below"""
    penalty: float = 0.0
    condition: float = 0.0
    meaning: float = 0.0
    scope: float = 0.0
    papers: float = 0.0
    time: float = 0.0
    purpose: float = 0.0
    principle: float = 0.0
    """1 if the question asks for this kind and the text gives it; see `intents.INTENTS`"""

    def weighed(self, weights: RankFeatures) -> float:
        """The sum of the features, each times its weight."""
        return sum(feature * weight for feature, weight in zip(self, weights, strict=True))


class Judged(NamedTuple):
    """What speaks for a candidate, and the share of the question's terms that it holds (see `Question`)."""

    features: RankFeatures
    relevance: float


_OWN_WEIGHT = frozenset(RankFeatures._fields) & {intent.name for intent in INTENTS}


class _Title(NamedTuple):
    """A document's title as the question sees it, with what the question asks beyond it."""

    terms: frozenset[str]
    share_asked: float
    whole: bool
    phrase: float
    rest: Mapping[str, float]
    rest_total: float
    rest_bare: str


class Question:
    """A question, prepared once for all its candidates.

    For the share of the question that a candidate holds, a term counts from a half (it stands everywhere) to 1 (it
    stands nowhere): where all documents are about one subject, its words still make a passage relevant.

    Args:
        text: the question as asked.
        idf: how telling a term is in the collection, 0 for unknown ones.
        rarest: the idf of a term that stands in one passage only.
        added: terms that were added to the question, and what they count beside its own.
        words: what has cut the candidates into terms; default: the one without a domain dictionary.
    """

    def __init__(
        self,
        text: str,
        idf: Weigh,
        rarest: float = 1.0,
        added: Mapping[str, float] | None = None,
        words: Tokeniser | None = None,
    ) -> None:
        normal = normalise(text)
        terms = _telling((words or tokeniser()).tokenise(text, for_query=True))
        self._idf = idf
        self._bare = without_marks(normal)
        self._weights = {term: idf(term) for term in terms}
        self._total = sum(self._weights.values())
        self._even = {term: _evened(weight / rarest) for term, weight in self._weights.items()}
        self._added = {term: weight * _evened(idf(term) / rarest) for term, weight in (added or {}).items()}
        self._pairs = _word_pairs(terms)
        self._values = frozenset(term for term in terms if term.startswith("="))
        self._intents = asked_intents(normal)
        self._asks_basics = any(intent.name in ("purpose", "scope", "meaning") for intent in self._intents)
        self._full_phrase = PHRASE_CHARACTERS * (1 if has_chinese(text) else LETTERS_A_CHARACTER)
        # Many candidates are of one document.
        self._title = cache(self._read_title)

    def judge(self, candidate: Candidate) -> Judged:
        """What speaks for a candidate, and how much of the question it holds."""
        analysis = candidate.analysis
        title = self._title(analysis.title, analysis.bare_title)
        sentences = [frozenset(sentence) for sentence in analysis.sentences]
        text = frozenset().union(*sentences)
        section = frozenset(analysis.section)
        doubles = list(map(self._share_of(title), _neighbouring(sentences)))
        given = [intent for intent in self._intents if intent.gives.search(analysis.text)]
        kinds = {intent.name: 1.0 for intent in given if intent.name in _OWN_WEIGHT}
        features = RankFeatures(
            fused=candidate.score,
            headings=self._coverage(title.terms | section),
            whole_title=float(title.whole),
            title_phrase=title.phrase,
            covered=self._coverage(title.terms | section | text),
            sentence=max((self._in_sentence(title, one) for one in sentences), default=0.0),
            titled_sentence=title.share_asked * max(doubles, default=0.0),
            phrase=self._phrase(title, analysis),
            pairs=self._pair_share(title, text, analysis.sentences),
            values=_share_of_all(self._values, title.terms | section | text),
            neighbour=candidate.neighbour,
            early=(1.0 if self._asks_basics else 0.5) / (1 + candidate.ordinal),
            kind=float(bool(given)),
            kind_close=_closest(given, analysis, doubles),
            kind_section=float(any(intent.gives.search(candidate.section) for intent in self._intents)),
            **kinds,
        )
        return Judged(features, self._relevance(title.terms | section | text))

    def _relevance(self, terms: frozenset[str]) -> float:
        held = sum(weight for term, weight in self._even.items() if term in terms)
        helped = sum(weight for term, weight in self._added.items() if term in terms)
        total = sum(self._even.values())
        return min((held + helped) / total, 1.0) if total else 1.0

    def _coverage(self, terms: frozenset[str]) -> float:
        return _share(self._weights, self._total, terms)

    def _share_of(self, title: _Title) -> Callable[[frozenset[str]], float]:
        return lambda terms: _share(title.rest, title.rest_total, terms)

    def _in_sentence(self, title: _Title, terms: frozenset[str]) -> float:
        return _share(title.rest, title.rest_total, terms) / (1 + len(terms) / LONG_SENTENCE)

    def _phrase(self, title: _Title, analysis: PassageAnalysis) -> float:
        return min(longest_shared(title.rest_bare, analysis.bare), self._full_phrase) / self._full_phrase

    def _pair_share(self, title: _Title, text: frozenset[str], sentences: Sequence[Sequence[str]]) -> float:
        """Chinese pairs are terms themselves; of words, those that follow one another in a sentence."""
        characters = {term: w for term, w in self._weights.items() if _is_pair(term) and term not in title.terms}
        found = sum(weight for term, weight in characters.items() if term in text)
        total = sum(characters.values())
        words = {pair for pair in self._pairs if not title.terms.issuperset(pair)}
        present = {pair for sentence in sentences for pair in _word_pairs(sentence)} if words else set()
        for pair in words:
            weight = min(map(self._idf, pair))
            total += weight
            found += weight * (pair in present)
        return found / total if total else 0.0

    def _read_title(self, terms: tuple[str, ...], bare: str) -> _Title:
        known = frozenset(terms)
        weights = {term: self._idf(term) for term in known}
        total = sum(weights.values())
        start, length = _longest_shared_at(self._bare, bare)
        cut = length if length >= SHORTEST_TITLE else 0
        rest = {term: weight for term, weight in self._weights.items() if term not in known}
        return _Title(
            terms=known,
            share_asked=sum(w for term, w in weights.items() if term in self._weights) / total if total else 0.0,
            whole=len(bare) >= SHORTEST_TITLE and bare in self._bare,
            phrase=length / len(bare) if bare else 0.0,
            # Every passage of a document is about its title's subject. The ones that repeat its name must not win
            # over the one that answers.
            rest=rest,
            rest_total=sum(rest.values()),
            rest_bare=f"{self._bare[:start]}\n{self._bare[start + cut :]}" if cut else self._bare,
        )


def _telling(terms: list[str]) -> list[str]:
    """None of a question of single characters: it is searched by them inside of words, too, which are no terms."""
    return terms if any(len(term) > 1 for term in terms) else []


def _evened(share_of_rarest: float) -> float:
    return (1 + min(share_of_rarest, 1.0)) / 2 if share_of_rarest else 1.0


def longest_shared(first: str, second: str) -> int:
    """The length of the longest stretch of the first text that stands in the second."""
    return _longest_shared_at(first, second)[1]


def _longest_shared_at(first: str, second: str) -> tuple[int, int]:
    start = position = length = 0
    while position + length < len(first):
        if first[position : position + length + 1] in second:
            length += 1
            start = position
        else:
            position += 1
    return start, length


def _share(weights: Mapping[str, float], total: float, terms: frozenset[str]) -> float:
    return sum(weight for term, weight in weights.items() if term in terms) / total if total else 0.0


def _share_of_all(wanted: frozenset[str], present: frozenset[str]) -> float:
    return len(wanted & present) / len(wanted) if wanted else 0.0


def _neighbouring(sentences: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The terms of every two neighbouring sentences: an answer often stands in one and its subject before it."""
    return [first | second for first, second in zip_longest(sentences, sentences[1:], fillvalue=_NO_TERMS)]


def _is_pair(term: str) -> bool:
    return len(term) == 2 and has_chinese(term)


def _word_pairs(terms: Iterable[str]) -> list[tuple[str, str]]:
    words = [term for term in terms if term[0] != "=" and not has_chinese(term)]
    return list(pairwise(words))


def _closest(given: Sequence[Intent], analysis: PassageAnalysis, doubles: Sequence[float]) -> float:
    """The best share among sentence pairs in whose text an answer of a wanted kind is given."""
    if not given or not doubles:
        return 0.0
    texts = analysis.sentence_texts
    ranked = sorted(range(len(doubles)), key=lambda index: -doubles[index])
    for index in ranked:
        text = " ".join(texts[index : index + 2])
        if any(intent.gives.search(text) for intent in given):
            return doubles[index]
    return 0.0
