"""Reads comparisons and differences back from their text: who is said to have which value, and who comes first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..questions.models import Combination
from .comparatives import CHINESE, ENGLISH, Comparative

_NO_WORD = Comparative("", "", frozenset())


class OrderClaim(NamedTuple):
    """What a comparison says."""

    values: tuple[tuple[str, str], ...]
    """Each subject with its value as written."""
    winners: frozenset[str]
    word: str
    """The predicate (更便宜, is cheaper); empty where all are said to be equal."""


class DifferenceClaim(NamedTuple):
    """What a difference says: the first of two subjects has more or less than the second, by a result."""

    values: tuple[tuple[str, str], ...]
    result: str
    is_more: bool


_MORE = {"多": True, "少": False, "above": True, "below": False}


def _is_more(word: str) -> bool | None:
    """Whether a word of comparison says that the first has more, or is later; None for one that may say either."""
    if word in _MORE:
        return _MORE[word]
    names = (CHINESE.get(word) or ENGLISH.get(word.removesuffix(" than")) or _NO_WORD).names
    ends = {end in (Combination.LARGER, Combination.LATER) for end in names}
    return ends.pop() if len(ends) == 1 else None


def names_end(word: str, combination: Combination) -> bool:
    """Whether a predicate (的更长, is the cheapest) names the end of the scale that a combination asks for."""
    bare = word.removeprefix("的")
    return any(
        bare in (one.of_two.removeprefix("的"), one.of_more.removeprefix("的")) and combination in one.names
        for one in (*CHINESE.values(), *ENGLISH.values())
    )


def read_order(text: str, subjects: Sequence[str], language: str) -> OrderClaim | None:
    """The claim of a comparison between known subjects; None for any text of another form."""
    if not subjects:
        return None
    text = _as_named(text, subjects)
    return _chinese_order(text, subjects) if language == "zh" else _english_order(text, subjects)


def read_difference(text: str, subjects: Sequence[str], language: str) -> DifferenceClaim | None:
    """The claim of a difference between two known subjects; None for any text of another form."""
    text = _as_named(text, subjects)
    one = _any_of(subjects, "one")
    other = _any_of(subjects, "other")
    if language == "zh":
        pattern = (
            rf"{one} ?比 ?{other} ?(?P<word>便宜|[\u4e00-\u9fff]) (?P<result>.+)（(?P<left>.+?)与(?P<right>.+)）。"
        )
    else:
        pattern = (
            rf"{one} is (?P<result>.+) (?P<word>above|below|[a-z ]+ than) {other}"
            r" \((?P<left>.+?) and (?P<right>.+)\)\."
        )
    match = re.fullmatch(pattern, text)
    is_more = _is_more(match["word"]) if match else None
    if match is None or is_more is None:
        return None
    values = ((match["one"], match["left"]), (match["other"], match["right"]))
    return DifferenceClaim(values, match["result"], is_more)


def _as_named(text: str, subjects: Sequence[str]) -> str:
    """The text with the first letter that its first subject has where it does not begin a sentence."""
    small = f"{text[:1].lower()}{text[1:]}"
    return small if not text.startswith(tuple(subjects)) and small.startswith(tuple(subjects)) else text


def _any_of(subjects: Sequence[str], name: str) -> str:
    longest_first = sorted(set(subjects), key=len, reverse=True)
    return f"(?P<{name}>{'|'.join(map(re.escape, longest_first))})"


def _names(text: str, subjects: Sequence[str], joint: str) -> frozenset[str]:
    """The subjects of which a list consists; empty for any other text."""
    found: list[str] = []
    while text:
        name = next((one for one in sorted(subjects, key=len, reverse=True) if text.startswith(one)), None)
        if name is None:
            return frozenset()
        found.append(name)
        text = text[len(name) :].removeprefix(joint)
    return frozenset(found)


def _chinese_order(text: str, subjects: Sequence[str]) -> OrderClaim | None:
    if match := re.fullmatch(r"相同：(?P<each>.+)。", text):
        values = _chinese_values(match["each"], subjects)
        return OrderClaim(values, frozenset(name for name, _ in values), "") if values else None
    if match := re.fullmatch(r"(?P<names>.+?) ?并列(?P<word>最[^：]+)：(?P<each>.+)。", text):
        values = _chinese_values(match["each"], subjects)
        winners = _names(match["names"], subjects, "、")
        return OrderClaim(values, winners, match["word"]) if values and winners else None
    match = re.fullmatch(
        rf"{_any_of(subjects, 'name')} ?(?P<word>的?[更最][^：，]+)：(?P<value>[^，；]+)，(?P<each>.+)。", text
    )
    values = _chinese_values(match["each"], subjects) if match else None
    if match is None or values is None:
        return None
    return OrderClaim(((match["name"], match["value"]), *values), frozenset({match["name"]}), match["word"])


def _chinese_values(text: str, subjects: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
    pieces = [re.fullmatch(rf"{_any_of(subjects, 'name')} ?为(?P<value>.+)", part) for part in re.split("[，；]", text)]
    found = [piece for piece in pieces if piece is not None]
    return tuple((piece["name"], piece["value"]) for piece in found) if len(found) == len(pieces) else None


def _english_order(text: str, subjects: Sequence[str]) -> OrderClaim | None:
    # The point of a name such as Inc. may also end the sentence.
    if not text.endswith("."):
        return None
    body = text if any(text.endswith(f" {name}") for name in subjects) else text[:-1]
    if body.startswith("They are equal: "):
        values = _english_values(body.removeprefix("They are equal: "), subjects)
        return OrderClaim(values, frozenset(name for name, _ in values), "") if values else None
    if match := re.fullmatch(
        r"(?P<names>.+?) (?P<word>(?:are|have) the .+?) alike: (?P<first>.+), against (?P<rest>.+)", body
    ):
        values = _english_values(match["first"], subjects)
        rest = _english_values(match["rest"], subjects)
        word = match["word"].replace("are ", "is ", 1).replace("have ", "has ", 1)
        winners = _names(match["names"], subjects, " and ")
        return OrderClaim((*values, *rest), winners, word) if values and rest and winners else None
    match = re.fullmatch(
        rf"{_any_of(subjects, 'name')} (?P<word>(?:is|has) [^:]+): (?P<value>.+?), against (?P<rest>.+)", body
    )
    rest = _english_values(match["rest"], subjects) if match else None
    if match is None or rest is None:
        return None
    return OrderClaim(((match["name"], match["value"]), *rest), frozenset({match["name"]}), match["word"])


def _english_values(text: str, subjects: Sequence[str]) -> tuple[tuple[str, str], ...] | None:
    pairs = list(_english_pairs(text, subjects))
    return tuple((match["name"], match["value"]) for match in pairs) if pairs and pairs[-1].end() == len(text) else None


def _english_pairs(text: str, subjects: Sequence[str]) -> Iterator[re.Match[str]]:
    pattern = re.compile(rf"(?P<value>\S.*?) for {_any_of(subjects, 'name')}(?:, | and |$)")
    position = 0
    while position < len(text) and (match := pattern.match(text, position)):
        yield match
        position = match.end()
