# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Whether two statements agree in what they deny."""

from __future__ import annotations

import re

from ..text.normalise import normalise
from .matching import content_terms

# Words in which a negating character does not negate the statement.
_NOT_NEGATION = re.compile(
    "不同|不仅|不但|不断|不久|不良|不动产|不等|不少|不锈|不可抗|不足|不限|不论|不管|不法|不正当|不当|不可分割|不过|不止|不只|不一|不平|不利|不满|不符|不特定"
    "|不明|不实|不定期|不可或缺|不可缺少|不得不|不安|不知|不光|不时|不愧|不禁|未来|未成年|未必|无论|无线|无人|无形|无偿|无效|无期|无限|无机|无锡|无锑|无害|无障碍"
    "|无数|无比|无不|无法|非常|非法|非洲|非公|非营利|非物质|非上市|非遗|非金属|非生产|非专利|莫斯科|莫名|否则|是否|能否|可否|与否|免费|避免|以免"
    r"|no\.\s?\d|no\s\d|not only|not just|cannot but|can(?:not|'t) help but|(?:no|not any) choice but|no later than|no more than|no less than|no fewer than|not exceed\w*|not more than|not less than|without prejudice"
    "|不超过|不少于|不低于|不高于|不大于|不小于|不晚于|不迟于|不多于"
)
_NEGATION = re.compile(
    r"不|未|无|没|非|勿|禁止|严禁|免于|免除|拒绝|并非|不实|属假|(?:是|为)(?:假|错误)的|(?:岂|怎|焉)(?:能|可|会|有)|谎称|\b(?:not|never|hardly|scarcely|barely|seldom|rarely|(?:false|untrue|incorrect|wrong|a lie|a myth) that|no|none|nor|neither|without|cannot|unless|prohibit\w*|forbid\w*|forbidden|refus\w+|fail(?:s|ed)? to)\b|n't\b"
)
_LIMITS = re.compile(r"不超过|不少于|不低于|不高于|不大于|不小于|不晚于|不迟于|不多于")
_PIECE = re.compile(r"[^,.;:!?，。；：！？、\n]+")
# Pieces that share less than this speak of different things.
_SAME_SUBJECT = 0.5


def denials(text: str) -> int:
    """How often a text denies something, in either language."""
    return len(_NEGATION.findall(_NOT_NEGATION.sub(" ", normalise(text))))


def is_cut_off(text: str, start: int) -> bool:
    """Whether what begins at a place of a text leaves out a denial before it (并非 before 所有员工)."""
    before = re.split(r"[,.;:!?，。；：！？、\n|]", text[:start])[-1]
    return denials(before) % 2 == 1


def disagreeing_piece(sentence: str, stretch: str) -> str | None:
    """The first part of a sentence that denies what its source affirms, or the other way round.

    Parts between commas are compared with the part of the source that shares most content words; two denials
    make an affirmation (未经批准不得 and 经批准方可). None where everything agrees.
    """
    theirs = [piece.group() for piece in _PIECE.finditer(stretch)]
    for match in _PIECE.finditer(sentence):
        piece = match.group()
        wanted = content_terms(piece)
        best = max(theirs, key=lambda other: likeness(wanted, content_terms(other)), default="")
        if likeness(wanted, content_terms(best)) < _SAME_SUBJECT:
            continue
        if denials(piece) % 2 != denials(best) % 2:
            return piece.strip()
    return None


def likeness(mine: frozenset[str], theirs: frozenset[str]) -> float:
    """Share of two sets of terms that both have: 0 to 1."""
    return 2 * len(mine & theirs) / (len(mine) + len(theirs)) if mine and theirs else 0.0
