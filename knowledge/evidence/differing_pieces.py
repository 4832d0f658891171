"""Where two sentences that are otherwise nearly the same differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from ..text.normalise import fold_widths, simplify
from ..text.values import Value
from .phrases import chinese_words
from .terms import values

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_TOKEN = re.compile(rf"{_HAN.pattern}|[^\W_\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+(?:['’][a-z]+)?")
_FIRST_HAN = "\u3400"
# A word of another script says about as much as two Chinese characters.
_LATIN_WEIGHT = 2
# What two changes have in common between them up to this weight is there by chance (尔 in two foreign names).
_CHANCE = 2
# The segmenter joins these to an unknown name behind them.
_GRAMMAR = frozenset("由是为為在于於被的对對向从從")
LONGEST_PIECE = 24
"""Weight (Chinese characters, other words twice) of the longest piece that can be an answer's other wording."""


class Token(NamedTuple):
    """A Chinese character, a word of another script, or a whole value, and where it stands."""

    key: str
    start: int
    end: int
    weight: int
    value: Value | None = None


class Piece(NamedTuple):
    """A stretch in which two sentences differ; one of the two may be empty."""

    mine: str
    theirs: str
    my_values: tuple[Value, ...]
    their_values: tuple[Value, ...]

    @property
    def is_replacement(self) -> bool:
        """Whether both sentences have something here."""
        return bool(self.mine and self.theirs)


class Alignment(NamedTuple):
    """Two sentences side by side."""

    likeness: float
    """Share of the longer one, without unlike ends, that stands in both: 0 to 1."""
    common: int
    """Weight of what stands in both."""
    pieces: tuple[Piece, ...]


@lru_cache(maxsize=8_192)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The characters, words and values of a text in order, in one spelling; punctuation is left out."""
    folded = fold_widths(text)
    simple = simplify(folded)
    compared = (simple if len(simple) == len(folded) else folded).casefold()
    compared = compared if len(compared) == len(text) else text
    return tuple(_tokens(compared, values(text)))


def _tokens(text: str, found: Sequence[Value]) -> Iterator[Token]:
    position = 0
    for value in found:
        yield from _words(text, position, value.start)
        weight = max(_LATIN_WEIGHT, min(len(value.raw), 2 * _LATIN_WEIGHT))
        yield Token("=" + "|".join(value.key), value.start, value.end, weight, value)
        position = value.end
    yield from _words(text, position, len(text))


def _words(text: str, start: int, end: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(text, start, end):
        weight = 1 if match.group() >= _FIRST_HAN else _LATIN_WEIGHT
        yield Token(match.group(), match.start(), match.end(), weight)


def weight_of(text: str) -> int:
    """How much a text says: a Chinese character counts 1, a word of another script 2."""
    return _weight(tokens_of(text))


class _Change(NamedTuple):
    start: int
    end: int
    other_start: int
    other_end: int


def align(mine: str, theirs: str) -> Alignment:
    """Put two sentences side by side. What one of them has before or behind the other is no difference."""
    one, other = tokens_of(mine), tokens_of(theirs)
    changes = _joined(one, list(_changes(one, other)))
    inner = [change for change in changes if not _is_unlike_end(change, one, other)]
    outer = [change for change in changes if _is_unlike_end(change, one, other)]
    whole = _weight(one), _weight(other)
    changed = (
        sum(_weight(one[c.start : c.end]) for c in changes),
        sum(_weight(other[c.other_start : c.other_end]) for c in changes),
    )
    common = min(whole[0] - changed[0], whole[1] - changed[1])
    cores = (
        whole[0] - sum(_weight(one[c.start : c.end]) for c in outer),
        whole[1] - sum(_weight(other[c.other_start : c.other_end]) for c in outer),
    )
    pieces = tuple(_piece(mine, theirs, one, other, change) for change in inner)
    return Alignment(common / max(*cores, 1), common, pieces)


def _changes(one: Sequence[Token], other: Sequence[Token]) -> Iterator[_Change]:
    operations = Levenshtein.opcodes([token.key for token in one], [token.key for token in other])
    for found in operations:
        if found.tag != "equal":
            yield _Change(found.src_start, found.src_end, found.dest_start, found.dest_end)


def _joined(one: Sequence[Token], changes: Sequence[_Change]) -> list[_Change]:
    """Changes with next to nothing between them are one."""
    joined: list[_Change] = []
    for change in changes:
        last = joined[-1] if joined else None
        if last is not None and _is_chance(one[last.end : change.start]):
            joined[-1] = _Change(last.start, change.end, last.other_start, change.other_end)
        else:
            joined.append(change)
    return joined


def _is_chance(between: Sequence[Token]) -> bool:
    return _weight(between) <= _CHANCE and all(token.value is None for token in between)


def _is_unlike_end(change: _Change, one: Sequence[Token], other: Sequence[Token]) -> bool:
    """Whether a change at either end is more than a short other wording: one sentence says more there."""
    at_start = change.start == 0 or change.other_start == 0
    at_end = change.end == len(one) or change.other_end == len(other)
    if not (at_start or at_end):
        return False
    mine, theirs = one[change.start : change.end], other[change.other_start : change.other_end]
    return not mine or not theirs or max(_weight(mine), _weight(theirs)) > LONGEST_PIECE


def _weight(tokens: Sequence[Token]) -> int:
    return sum(token.weight for token in tokens)


def _piece(mine: str, theirs: str, one: Sequence[Token], other: Sequence[Token], change: _Change) -> Piece:
    own, foreign = one[change.start : change.end], other[change.other_start : change.other_end]
    return Piece(
        _whole_words(mine, own),
        _whole_words(theirs, foreign),
        tuple(token.value for token in own if token.value),
        tuple(token.value for token in foreign if token.value),
    )


def _whole_words(text: str, tokens: Sequence[Token]) -> str:
    """The stretch of some tokens, widened to whole Chinese words."""
    if not tokens:
        return ""
    start, end = tokens[0].start, tokens[-1].end
    first, last = _HAN.match(tokens[0].key), _HAN.match(tokens[-1].key)
    for word in _words_of(text) if first or last else ():
        if first and word[0] < start < word[1] and text[word[0]] not in _GRAMMAR:
            start = word[0]
        if last and word[0] < end < word[1]:
            end = word[1]
    return text[start:end]


@lru_cache(maxsize=1_024)
def _words_of(text: str) -> tuple[tuple[int, int], ...]:
    simple = simplify(text)
    return tuple((word.start, word.end) for word in chinese_words(simple if len(simple) == len(text) else text))
