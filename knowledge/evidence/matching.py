"""Finds where a sentence stands in the blocks that it cites: exactly, but for spelling, nearly, or in its content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.fuzz import partial_ratio_alignment

from ..text.normalise import normalise_match
from ..text.sentences import split_sentences
from ..text.tokens import tokenise
from .models import Evidence, Quote
from .terms import values
from .units import quote

# A paraphrase may draw on so many sentences of what it cites.
MOST_QUOTES = 3
# Per cent of matching characters from which a stretch counts as the same sentence with small changes. One changed word
# in a sentence of twenty characters leaves as much.
NEARLY = 85.0
# A further sentence is quoted only if it brings at least this share of the terms.
WORTH_QUOTING = 0.1


# Pairs with one of these characters mostly join two words by chance.
_ACROSS_WORDS = re.compile("[的了是为].|.[的了是为]")


class Match(NamedTuple):
    """Where a sentence stands: the stretches, how much of its content they hold, and whether nearly word for word."""

    quotes: tuple[Quote, ...]
    coverage: float
    verbatim: bool


class _Folded(NamedTuple):
    text: str
    offsets: tuple[int, ...]
    """For each folded character, its place in the text as written."""


@lru_cache(maxsize=8_192)
def _fold_character(character: str) -> str:
    return normalise_match(character)


@lru_cache(maxsize=512)
def fold(text: str) -> _Folded:
    """The text without blanks and punctuation, in one script and case, with the way back to the original."""
    pairs = [(folded, index) for index, character in enumerate(text) for folded in _fold_character(character)]
    return _Folded("".join(folded for folded, _ in pairs), tuple(index for _, index in pairs))


@lru_cache(maxsize=8_192)
def content_terms(text: str) -> frozenset[str]:
    """The terms of a claim that its source must hold; values are compared on their own."""
    kept = list(text)
    for value in values(text):
        kept[value.start : value.end] = " " * (value.end - value.start)
    tokens = tokenise("".join(kept), for_query=True)
    return frozenset(token for token in tokens if not token.startswith("=") and not _ACROSS_WORDS.fullmatch(token))


def find_match(sentence: str, sources: Sequence[Evidence]) -> Match:
    """The best stretches of the cited blocks; without quotes where nothing in them resembles the sentence."""
    folded = fold(sentence).text
    if not folded:
        return Match((), 1.0, False)
    for source in sources:
        if (start := source.block.text.find(sentence)) >= 0:
            return Match((quote(source, start, start + len(sentence)),), 1.0, True)
    for source in sources:
        if found := _same_letters(folded, source):
            return Match((found,), 1.0, True)
    return _nearly(folded, sources) or _by_content(sentence, sources)


def _same_letters(folded: str, source: Evidence) -> Quote | None:
    target = fold(source.block.text)
    start = target.text.find(folded)
    if start < 0:
        return None
    return quote(source, target.offsets[start], target.offsets[start + len(folded) - 1] + 1)


def _nearly(folded: str, sources: Sequence[Evidence]) -> Match | None:
    best: Match | None = None
    for source in sources:
        target = fold(source.block.text)
        if len(folded) > len(target.text):
            continue
        alignment = partial_ratio_alignment(folded, target.text, score_cutoff=NEARLY)
        if alignment is None or (best is not None and alignment.score / 100 <= best.coverage):
            continue
        start, end = target.offsets[alignment.dest_start], target.offsets[alignment.dest_end - 1] + 1
        best = Match((_whole_sentences(source, start, end),), alignment.score / 100, True)
    return best


def _whole_sentences(source: Evidence, start: int, end: int) -> Quote:
    """Widens a stretch to the sentences that it mostly covers."""
    touched = [
        span
        for span in _sentence_spans(source.block.text)
        if min(span[1], end) - max(span[0], start) > min(span[1] - span[0], end - start) / 2
    ]
    if not touched:
        return quote(source, start, end)
    return quote(source, touched[0][0], touched[-1][1])


@lru_cache(maxsize=512)
def _sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((span.start, span.end) for span in split_sentences(text))


def _by_content(sentence: str, sources: Sequence[Evidence]) -> Match:
    wanted = content_terms(sentence)
    if not wanted:
        return Match((), 0.0, False)
    candidates = [
        (source, span, wanted & content_terms(source.block.text[span[0] : span[1]]))
        for source in sources
        for span in _sentence_spans(source.block.text)
    ]
    covered: frozenset[str] = frozenset()
    quotes: list[Quote] = []
    while candidates and len(quotes) < MOST_QUOTES:
        source, span, found = max(candidates, key=lambda candidate: len(candidate[2] - covered))
        if len(found - covered) < WORTH_QUOTING * len(wanted):
            break
        quotes.append(quote(source, *span))
        covered |= found
    return Match(tuple(quotes), len(covered) / len(wanted), False)
