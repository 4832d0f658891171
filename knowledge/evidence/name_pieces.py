"""Whether two differing pieces are two names or nouns for different things."""

from __future__ import annotations

import re

from ..text.normalise import has_chinese, normalise_match, simplify
from .differing_pieces import Piece
from .phrases import chinese_words, is_content, names_a_thing
from .synonyms import group_terms
from .terms import terms

PUNCTUATION = re.compile(r"[：:；;，。、！？!?《》]|,(?!\d{3})")
"""A piece with one of these is more than one answer."""
_NO_NAME = re.compile(r"\s|^(?:近日|日前|今日|昨日|当日|近期|目前|日电|消息)")
_PROPERTY = re.compile(r"(?:日期|期限|时限|期间|时间|时候|日子|期日|金额|数额|数目|数量|比例|比率|名称|名字|编号)$")
"""What a thing has, not a thing: two such words are two wordings (开工日期, 开工期限)."""
_LETTERS = re.compile(r"[A-Za-z]+")
_CAPITAL = re.compile(r"[A-Z]")
_LATIN_NAME = re.compile(
    r"(?:(?:[A-Z][^\s,()]*|of|the|and|in|for|van|von|der|de|del|la|le|da|di|bin|al|'s|\d+|&)(?:[\s,()]+|$))+"
)


def are_other_names(piece: Piece, *, capitals: bool) -> bool:
    """Whether both wordings name something, each something else.

    Args:
        piece: where two sentences differ.
        capitals: in a script that has them, a name is written with capitals; otherwise any noun will do.
    """
    one, other = normalise_match(piece.mine), normalise_match(piece.theirs)
    if piece.my_values or piece.their_values or one in other or other in one:
        return False
    if _is_short_for(piece.mine, piece.theirs) or group_terms(terms(piece.mine)) & group_terms(terms(piece.theirs)):
        return False
    if has_chinese(piece.mine) != has_chinese(piece.theirs):
        return False  # one name in two scripts
    return all(_is_name(text, capitals=capitals) for text in (piece.mine, piece.theirs))


def _is_name(text: str, *, capitals: bool) -> bool:
    if has_chinese(text):
        if _PROPERTY.fullmatch(text):
            return False
        is_broken = PUNCTUATION.search(text) or _NO_NAME.search(text)
        return not is_broken and all(_is_noun(part) for part in text.split("·"))
    if capitals:
        return _LATIN_NAME.fullmatch(text) is not None and _CAPITAL.search(text) is not None
    return names_a_thing(text)


def _is_noun(text: str) -> bool:
    words = chinese_words(simplify(text))
    return all(is_content(word) and names_a_thing(word.text) for word in words)


def _is_short_for(mine: str, theirs: str) -> bool:
    """Whether one name consists of the other one's initials (U.S. and United States)."""
    names = normalise_match(mine), normalise_match(theirs)
    initials = ["".join(word[0] for word in _LETTERS.findall(text)).casefold() for text in (mine, theirs)]
    return names[0] == initials[1] or names[1] == initials[0]
