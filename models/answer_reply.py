"""The answer prompt's two ends: the messages that are sent, and the reply read back into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..prompts.loader import Language, fence, load_prompt, render
from .cleaning import strip_fences, strip_thinking
from .messages import Message

_LEAD = r"(?:资料|来源|文档|[Pp]assages?|[Ss]ources?)?\s*"
_NUMBER = r"\d{1,2}(?:\s*[-–~]\s*\d{1,2})?"
_NUMBERS = rf"{_LEAD}{_NUMBER}(?:\s*[,，、;；]\s*{_LEAD}{_NUMBER})*"
_MARKER = re.compile(rf"\s*[\[【［]\s*(?P<numbers>{_NUMBERS})\s*[\]】］]")
_RANGE = re.compile(r"(\d{1,2})(?:\s*[-–~]\s*(\d{1,2}))?")
_WIDEST_RANGE = 20

_BULLET = re.compile(r"^\s*(?:#{1,6}\s+|>\s+|[-*•·]\s+|\(?\d{1,2}[.)、](?!\d)\s*|（\d{1,2}）\s*)+")
_BOLD = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
_OPENING = re.compile(r"^\s*(?:回答|答案|答|Answer)\s*[:：]\s*", re.IGNORECASE)
_LABEL = r"(?:缺失|缺少|未回答|资料缺失|Missing)"
_MISSING = re.compile(
    rf"(?:^|(?<=[\s。.!！?？\]】］])){_LABEL}\s*[:：](?P<what>.*)$|(?:^|(?<=[?？])){_LABEL}$", re.IGNORECASE
)
_NOTHING = frozenset({"", "无", "没有", "无缺失", "暂无", "none", "nothing", "n/a", "no"})
_ITEM_BORDER = re.compile(r"[；;\n]")

_END = re.compile(r"(?:[。！？!?]|\.(?=\s|\[|【|［|$))[\"'”’』」)）]*")
_ABBREVIATION = re.compile(
    r"(?:\b[A-Z]|\b(?:no|art|arts|sec|fig|cl|para|ch|vol|pp|p|e\.g|i\.e|vs|cf|mr|mrs|ms|dr|st|inc|ltd|co|corp"
    r"|approx|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec))\.$",
    re.IGNORECASE,
)


class AnsweredSentence(NamedTuple):
    """One sentence without its markers, and the passage numbers that it cites, in order, each once."""

    text: str
    markers: tuple[int, ...]

    @property
    def is_question(self) -> bool:
        """Whether the model only repeated what it was asked."""
        return not self.markers and self.text.endswith(("?", "？"))


class AnswerReply(NamedTuple):
    """A reply to the answer prompt: what was answered, and what the passages do not say."""

    sentences: tuple[AnsweredSentence, ...]
    missing: tuple[str, ...]


def answer_messages(
    question: str, passages: Sequence[str], language: Language, numbers: Sequence[int] | None = None
) -> list[Message]:
    """The prompt for an answer from passages, which are fenced as data and numbered; without `numbers` from 1."""
    numbered = zip(numbers or range(1, len(passages) + 1), passages, strict=True)
    fenced = "\n".join(fence(text, f"[{number}]") for number, text in numbered)
    request = render(load_prompt("answer_request", language), passages=fenced, question=question)
    return [Message("system", load_prompt("answer", language).text), Message("user", request)]


def parse_answer_reply(text: str) -> AnswerReply:
    """Reads a reply, tolerant of thinking blocks, fences, bullets and every usual form of marker."""
    sentences: list[AnsweredSentence] = []
    missing: list[str] = []
    listing = False
    for line in strip_fences(strip_thinking(text)).splitlines():
        plain = _plain_line(line)
        found = _MISSING.search(plain)
        if found:
            before = split_sentences(plain[: found.start()])
            what = found["what"] or ""
            listing = not what.strip()
            # Some models repeat the open question and put the bare label behind it.
            missing += [one.text for one in before if listing and one.is_question]
            missing += _missing_items(what)
            sentences += before
        elif listing and _BULLET.match(line) and not _MARKER.search(plain):
            missing += _missing_items(plain)
        else:
            sentences += split_sentences(plain)
    answered = (sentence for sentence in sentences if not sentence.is_question)
    return AnswerReply(tuple(answered), tuple(dict.fromkeys(missing)))


def split_sentences(line: str) -> list[AnsweredSentence]:
    """The sentences of one line; markers before or after its full stop belong to a sentence."""
    return [sentence for piece in _pieces(line) if (sentence := _sentence(piece)) is not None]


def _pieces(line: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(line):
        if end.start() < start or _ABBREVIATION.search(line[start : end.start() + 1]):
            continue
        stop = end.end()
        while marker := _MARKER.match(line, stop):
            stop = marker.end()
        yield line[start:stop]
        start = stop
    yield line[start:]


def _sentence(piece: str) -> AnsweredSentence | None:
    markers = [number for match in _MARKER.finditer(piece) for number in _numbers(match)]
    text = " ".join(_MARKER.sub("", piece).split())
    if not any(char.isalnum() for char in text):
        return None
    return AnsweredSentence(text, tuple(dict.fromkeys(markers)))


def _numbers(match: re.Match[str]) -> Iterator[int]:
    for first, last in _RANGE.findall(match["numbers"]):
        low, high = int(first), int(last or first)
        yield from range(low, high + 1) if high - low < _WIDEST_RANGE else (low, high)


def _plain_line(line: str) -> str:
    line = _BOLD.sub(lambda match: match[1] or match[2], line)
    return _OPENING.sub("", _BULLET.sub("", line)).strip()


def _missing_items(text: str) -> list[str]:
    items = (_MARKER.sub("", item).strip(" \t。.，,*") for item in _ITEM_BORDER.split(text))
    return [item for item in items if item.casefold() not in _NOTHING]
