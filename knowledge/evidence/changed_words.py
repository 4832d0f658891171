"""Whether the words in which a nearly literal sentence differs from its source change what it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Levenshtein

from ..text.normalise import has_chinese, normalise, simplify
from ..text.values import ValueKind
from .differing_pieces import Token, tokens_of
from .phrases import chinese_words, content_words, english_words, is_content
from .terms import terms

# Words of which one says the opposite of the other, or another time or side.
_OPPOSITES = """
前 后
内 后
内 外
以上 以下
上 下
高 低
多 少
增 减
增加 减少
提高 降低
买 卖
收 付
before after
within after
above below
more less
increase decrease
increased decreased
all some
all none
always never
minimum maximum
""".strip().splitlines()
_TURNED = {frozenset(line.split()) for line in _OPPOSITES}
_MEASURED = (ValueKind.PERCENT, ValueKind.MONEY, ValueKind.QUANTITY, ValueKind.DURATION, ValueKind.DATE, ValueKind.TIME)
# Characters and words of a longer replacement are another sentence rather than another word.
LONGEST_REPLACEMENT = 6
# Conditions and denials are compared as such.
_JUDGED_ELSEWHERE = frozenset(
    word
    for words in ("unless without except if provided not never no cannot", "未经 除非 如果 不得 不能 不可")
    for word in words.split()
)
NEARLY = 0.7
"""Share of words and characters in one order from which a short claim counts as its source with another word in it."""


def changed_piece(claim: str, stretch: str, sources: str) -> str | None:
    """The first piece of a nearly literal claim that stands in place of another one and says something else.

    That is a value of the same kind, an opposite, or a content word that the sources do not have at all while they
    have another one in its place. Words that are only added or left out are judged elsewhere.

    Args:
        claim: a sentence that repeats its source nearly word for word.
        stretch: the sentences of the source that it repeats.
        sources: the whole text of what it cites, with titles and headings.
    """
    mine, theirs = tokens_of(claim), tokens_of(stretch)
    held = normalise(sources)
    for own, foreign in _replacements(mine, theirs):
        piece = claim[own[0].start : own[-1].end]
        other = stretch[foreign[0].start : foreign[-1].end]
        if _is_other_value(own, foreign) or _is_turned(own, foreign) or _is_other_word(claim, own, other, held):
            return piece
    return None


def is_nearly(claim: str, stretch: str) -> bool:
    """Whether a claim has most of its words in common with a stretch of its source, in the same order."""
    mine, theirs = ([token.key for token in tokens_of(text)] for text in (claim, stretch))
    return Levenshtein.normalized_similarity(mine, theirs) >= NEARLY


def _replacements(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    for found in Levenshtein.opcodes([token.key for token in mine], [token.key for token in theirs]):
        if found.tag == "replace":
            yield mine[found.src_start : found.src_end], theirs[found.dest_start : found.dest_end]


def _is_other_value(own: Sequence[Token], foreign: Sequence[Token]) -> bool:
    kinds = {token.value.kind for token in foreign if token.value}
    keys = {token.key for token in foreign}
    return any(
        token.value is not None
        and token.value.kind in _MEASURED
        and token.value.kind in kinds
        and token.key not in keys
        for token in own
    )


def _is_turned(own: Sequence[Token], foreign: Sequence[Token]) -> bool:
    pair = "".join(token.key for token in own), "".join(token.key for token in foreign)
    return frozenset(pair) in _TURNED


def _is_other_word(claim: str, own: Sequence[Token], other: str, held: str) -> bool:
    if any(token.value for token in own) or sum(token.weight for token in own) > LONGEST_REPLACEMENT:
        return False
    strange = [word for word in _words_at(claim, own) if normalise(word) not in held]
    return bool(strange) and bool(content_words(other)) and not any(terms(word) & terms(other) for word in strange)


def _words_at(claim: str, own: Sequence[Token]) -> Iterator[str]:
    """The content words of the claim that lie in a replaced piece, whole."""
    start, end = own[0].start, own[-1].end
    simple = simplify(claim)
    text = simple if len(simple) == len(claim) else claim
    words = chinese_words(text) if has_chinese(text) else english_words(text)
    touched = (word.text for word in words if word.start < end and word.end > start and is_content(word))
    # One Chinese character mostly stands for a longer word of the source (法 for 本法, 该 for its name).
    return (word for word in touched if len(word) > 1 and word.casefold() not in _JUDGED_ELSEWHERE)
