"""What an answer's text says: whether a fact stands in it, and whether it names the right winner of a comparison."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veriloop.knowledge.text.normalise import normalise
from veriloop.knowledge.text.sentences import split_sentences
from veriloop.knowledge.text.tokens import tokenise
from veriloop.knowledge.text.values import Value, find_values

Fact = tuple[str, ...]
"""The accepted spellings of one fact."""

_GROUPED_NUMBER = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MARKER = re.compile(r"\[\d+\]")
_PIECE = re.compile(r"\d+(?:[.:]\d+)*|[a-z]+|\S")
_LATIN = re.compile(r"[a-z\d]")
_ID = re.compile(r"[a-z]+[-a-z]*\d[-a-z\d]*")
_BETWEEN = r"[\s|,()\"*]*"
# 最 and 比 also begin words that name a property (最高工作温度, 比例): those conclude nothing.
_CONCLUDES = re.compile(
    r"更(?![换新改衣])|较[大小高低多少长短早晚贵轻重快慢严宽窄优]|[高低大小多少早晚长短贵重快慢]于|比(?![例率如较])|相差|"
    r"最[大小高低多少长短早晚贵重轻快慢](?:的|是|为|者)|\bthan\b|(?<!at )\b(?:more|less|fewer|most|least)\b|"
    r"(?<!at the )\b(?:long|short|earli|soon|lat|high|low|larg|small|great|dear|cheap|heavi|fast|slow|bigg|strict)"
    r"(?:er|est)\b",
    re.IGNORECASE,
)

_LOW = re.compile(
    r"(?<![至多不])少|[小低短早轻](?:于|的|[。，,？?]|$)|更[小低短早轻快]|便宜|"
    r"\b(?:less|fewer|(?:low|short|earli|soon|small|cheap|fast)(?:er|est))\b",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """Text as facts are compared: one width and case, without citation markers and the comma of 3,000."""
    return _GROUPED_NUMBER.sub("", normalise(_MARKER.sub("", text)))


def states(text: str, fact: Fact) -> bool:
    """Whether one of the spellings, or the value that a spelling is, stands in the text."""
    return any(_spelled(text, spelling) or _has_value(text, spelling) for spelling in fact)


def missing_facts(text: str, facts: Sequence[Fact]) -> list[Fact]:
    """The facts that do not stand in the text."""
    return [fact for fact in facts if not states(text, fact)]


def _spelled(text: str, spelling: str) -> bool:
    return first_place(text, (spelling,)) is not None


def first_place(text: str, names: Fact) -> int | None:
    """Where the first of the spellings begins in the plain text, whatever blanks and cell borders stand in it."""
    where = plain(text)
    found = (re.search(_pattern(plain(name)), where) for name in names)
    return min((match.start() for match in found if match), default=None)


def _pattern(wanted: str) -> str:
    """Finds a spelling that is not part of a longer number (5天 in 15天), word or id (HN-3200 in HN-3200B)."""
    return _border_before(wanted) + _BETWEEN.join(map(re.escape, _PIECE.findall(wanted))) + _border_after(wanted)


def _border_before(wanted: str) -> str:
    if wanted[:1].isdigit():
        return r"(?<![\d.])"
    return r"(?<![a-z\d])" if _LATIN.match(wanted) else ""


def _border_after(wanted: str) -> str:
    if _ID.fullmatch(wanted):
        return r"(?![a-z\d]|-\d)"
    if wanted[-1:].isdigit():
        return r"(?!\d|\.(?!0+(?!\d))\d)"  # 286000 stands in 286000.00
    return r"(?![a-z])" if _LATIN.match(wanted[-1:]) else ""


def _has_value(text: str, spelling: str) -> bool:
    stripped = spelling.strip()
    whole = [value for value in find_values(stripped) if value.raw == stripped and value.unit]
    return bool(whole) and not {value.key for value in whole}.isdisjoint(value.key for value in find_values(text))


def concludes(text: str, winner: Fact, losers: Sequence[str], question: str = "") -> bool:
    """Whether a sentence that compares names the winner, and before any loser.

    Where the sentence compares the other way than the question (比…少 for 哪个大), the loser has to come first.
    """
    asks_low = _LOW.search(question) is not None
    sentences = comparing_sentences(text)
    return any(_puts_first(s, winner, losers, bool(question) and _is_low(s) != asks_low) for s in sentences)


def _is_low(sentence: str) -> bool:
    return _LOW.search(sentence) is not None


def comparing_sentences(text: str) -> list[str]:
    """The sentences that hold a word of comparison (更, 早于, longer than)."""
    sentences = (text[span.start : span.end] for span in split_sentences(text))
    return [sentence for sentence in sentences if _CONCLUDES.search(sentence)]


def _puts_first(sentence: str, winner: Fact, losers: Sequence[str], is_reversed: bool) -> bool:
    won = first_place(sentence, winner)
    places = [place for loser in losers if (place := first_place(sentence, (loser,))) is not None]
    if won is None:
        return False
    return bool(places) and max(places) < won if is_reversed else all(won < place for place in places)


def reference_values(reference: str, question: str) -> list[Value]:
    """The numbers and dates that a reference answer adds to its question."""
    asked = {value.key for value in find_values(question)}
    return [value for value in find_values(reference) if value.key not in asked]


def states_values(text: str, values: Sequence[Value]) -> int:
    """How many of the values stand in the text."""
    stated = {value.key for value in find_values(text)}
    return sum(value.key in stated for value in values)


def term_recall(text: str, reference: str, question: str) -> float:
    """Share of the reference's terms, those of the question left out, that stand in the text."""
    wanted = set(tokenise(reference, for_query=True)) - set(tokenise(question))
    wanted = wanted or set(tokenise(reference, for_query=True))
    return len(wanted & set(tokenise(text))) / len(wanted) if wanted else 0.0
