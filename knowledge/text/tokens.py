"""Cuts texts into search tokens: words, character bigrams, ids whole and in parts, canonical values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from .normalise import fold_widths, normalise
from .stopwords import QUESTION_WORDS, STOP_WORDS
from .values import Value, ValueKind, find_values

if TYPE_CHECKING:
    import rjieba

ANALYSER_VERSION = 2
"""Raised with each change of what `tokenise` gives, so that stored analyses are made anew."""

_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f]+")
_LATIN_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]{2,}|\d+(?:\.\d+)*", re.UNICODE)
_LATIN_LETTERS = re.compile(r"[a-z]+")


@cache
def _segmenter() -> rjieba.Jieba:
    import rjieba  # noqa: PLC0415 - its dictionary takes 0.3 s to load: only texts with Chinese pay for it

    return rjieba.Jieba()


def add_words(words: Iterable[str]) -> None:
    """Teaches the segmenter the words of a domain, for the whole process.

    What was tokenised before keeps its tokens: teach the same words before an index is built and before it is
    searched.
    """
    for word in words:
        if spelling := normalise(word):
            _segmenter().add_word(spelling, None, None)


def tokenise(text: str, *, for_query: bool = False) -> list[str]:
    """The search tokens of a text, repeated as often as they occur.

    Chinese gives dictionary words and every pair of neighbouring characters, so that unknown words are found;
    other scripts give lower-case, lightly stemmed words; ids are kept whole and in parts; values come in one
    spelling (``=CNY 15000``). The same text always gives the same tokens.

    Args:
        text: a passage with its title and section, or a question.
        for_query: leave out what only makes a question of it (什么, 如何, what, which), and the less precise
            forms under which the dates of a passage can be found too.
    """
    normal = normalise(text)
    stops = QUESTION_WORDS if for_query else STOP_WORDS
    tokens = [token for run in _HAN_RUN.findall(normal) for token in _han_tokens(run, stops)]
    words = _LATIN_WORD.findall(normal)
    tokens += [stem(word) for word in words if word not in stops]
    for value in find_values(fold_widths(text)):
        tokens += _value_tokens(value, for_query)
    return tokens


def _han_tokens(run: str, stops: frozenset[str]) -> Iterator[str]:
    words = _segmenter().cut_for_search(run)
    yield from (word for word in words if len(word) != 2 and word not in stops)
    yield from (pair for pair in _pairs(run) if pair not in stops)
    # Words of two characters are bigrams already; counted again, a real word weighs more than a chance pair.
    yield from (word for word in words if len(word) == 2 and word not in stops)


def _pairs(run: str) -> Iterator[str]:
    return (run[index : index + 2] for index in range(len(run) - 1))


def _value_tokens(value: Value, for_query: bool) -> list[str]:
    if value.kind is ValueKind.DATE and not for_query:
        return [f"={form}" for form in _date_forms(value.canonical)]
    # The parts of an id are among the words already.
    return [f"={value.unit} {value.canonical}" if value.unit else f"={value.canonical}"]


def _date_forms(date: str) -> list[str]:
    """A date and the shorter forms by which people ask for it: its month, its year, its day in any year."""
    parts = date.split("-")
    if date.startswith("-") or len(parts) == 1:
        return [date]
    shorter = ["-".join(parts[:length]) for length in range(1, len(parts) + 1)]
    return [*shorter, "-".join(("-", *parts[1:]))]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without its English ending, so that policies and policy, approved and approves meet.

    Light on purpose: plural, -ed, -ing and a final -e; words of other scripts and numbers stay as they are.
    The result is a search key, not a word to show.
    """
    if len(word) <= 3 or not _LATIN_LETTERS.fullmatch(word):
        return word
    return _without_final_e(_without_tense(_singular(word)))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_tense(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and any(vowel in base for vowel in "aeiouy"):
            return base[:-1] if base[-1] == base[-2] and base[-1] not in "lsz" else base
    return word


def _without_final_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
