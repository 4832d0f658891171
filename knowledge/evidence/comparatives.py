# ruff: noqa: E501 - patterns and word lists are read in one piece
"""The words by which two things are compared: which the user chose, and which end of the scale each names."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..questions.models import Combination
from ..text.values import ValueKind


class Comparative(NamedTuple):
    """A word of comparison as a predicate: of two (更便宜, is cheaper), and of more (最便宜, is the cheapest)."""

    of_two: str
    of_more: str
    names: frozenset[Combination]
    """The ends of the scale that it can name: faster is less time and more speed."""


_LARGER, _SMALLER = frozenset({Combination.LARGER}), frozenset({Combination.SMALLER})
_EARLIER, _LATER = frozenset({Combination.EARLIER}), frozenset({Combination.LATER})
_EITHER = _LARGER | _SMALLER | _EARLIER | _LATER


def _chinese(words: str, names: frozenset[Combination], of: str) -> dict[str, Comparative]:
    return {word: Comparative(f"{of}更{word}", f"{of}最{word}", names) for word in words.split()}


# What has the quality itself (A 更便宜) and what has it through the thing that is asked about (A 的更长).
CHINESE: dict[str, Comparative] = {
    **_chinese("贵 重 强", _LARGER, ""),
    **_chinese("便宜 轻 弱", _SMALLER, ""),
    **_chinese("早", _EARLIER, ""),
    "先": Comparative("更早", "最早", _EARLIER),
    **_chinese("晚 迟", _LATER, ""),
    **_chinese("快 慢", _EITHER, ""),
    **_chinese("大 高 长 多 宽 厚 深 远", _LARGER, "的"),
    **_chinese("小 低 短 少 窄 薄 浅 近", _SMALLER, "的"),
}
_CHINESE_WORD = re.compile(
    "(?:更|最|较|比较|谁|哪一?(?:个|家|台|种|款|项|份|者|方)|还是)(?P<word>便宜|[贵重强轻弱早先晚迟快慢大高长多宽厚深远小低短少窄薄浅近])(?!于)|(?P<bare>便宜|贵|早|晚)"
    "|(?<![提增扩缩减放加领首优预事率争重延变降])(?P<much>[大高长多宽厚深远小低短少窄薄浅近重轻])(?:出|了|上)?(?:多少|几|多久)"
)


def _english(pairs: str, names: frozenset[Combination], verb: str = "is") -> dict[str, Comparative]:
    words = [pair.split("/") for pair in pairs.split(", ")]
    return {two: Comparative(f"{verb} {two}", f"{verb} the {more}", names) for two, more in words}


ENGLISH: dict[str, Comparative] = {
    **_english(
        "more expensive/most expensive, larger/largest, bigger/biggest, greater/greatest, higher/highest, longer/longest, heavier/heaviest,"
        " dearer/dearest, costlier/costliest, stronger/strongest, wider/widest, thicker/thickest, deeper/deepest, louder/loudest, hotter/hottest, taller/tallest",
        _LARGER,
    ),
    **_english(
        "less expensive/least expensive, smaller/smallest, lower/lowest, shorter/shortest, lighter/lightest, cheaper/cheapest, quieter/quietest, weaker/weakest,"
        " narrower/narrowest, thinner/thinnest, cooler/coolest",
        _SMALLER,
    ),
    **_english("faster/fastest, slower/slowest", _EITHER),
    **_english("earlier/earliest, sooner/soonest, older/oldest", _EARLIER),
    **_english("later/latest, newer/newest", _LATER),
    **_english("more/most", _LARGER, "has"),
    **_english("less/least, fewer/fewest", _SMALLER, "has"),
}
_FORMS = {form: word for word in ENGLISH for form in (word, ENGLISH[word].of_more.split(" the ")[1])}
_ENGLISH_WORD = re.compile(rf"\b(?P<word>{'|'.join(sorted(_FORMS, key=len, reverse=True))})\b", re.IGNORECASE)

_NEUTRAL = {
    Combination.LARGER: ("大", "larger"),
    Combination.SMALLER: ("小", "smaller"),
    Combination.EARLIER: ("早", "earlier"),
    Combination.LATER: ("晚", "later"),
}
_BY_KIND = {
    (Combination.LARGER, ValueKind.DURATION): ("长", "longer"),
    (Combination.SMALLER, ValueKind.DURATION): ("短", "shorter"),
    (Combination.LARGER, ValueKind.MONEY): ("高", "higher"),
    (Combination.SMALLER, ValueKind.MONEY): ("低", "lower"),
    (Combination.LARGER, ValueKind.PERCENT): ("高", "higher"),
    (Combination.SMALLER, ValueKind.PERCENT): ("低", "lower"),
}


def comparative(asked: str, combination: Combination, kind: ValueKind, language: str) -> Comparative:
    """The user's own word of comparison if it names the right end, otherwise one that fits the kind of value."""
    words = CHINESE if language == "zh" else ENGLISH
    for word in _named(asked, language):
        if combination in words[word].names:
            return words[word]
    return words[_BY_KIND.get((combination, kind), _NEUTRAL[combination])[language != "zh"]]


def asked_end(asked: str, language: str) -> str:
    """The user's own word of comparison (贵, cheaper) if it names one end of a scale only; empty where none does."""
    words = CHINESE if language == "zh" else ENGLISH
    return next((word for word in _named(asked, language) if len(words[word].names) == 1), "")


def _named(asked: str, language: str) -> list[str]:
    if language == "zh":
        return [match["word"] or match["bare"] or match["much"] for match in _CHINESE_WORD.finditer(asked)]
    return [_FORMS[match["word"].casefold()] for match in _ENGLISH_WORD.finditer(asked)]
