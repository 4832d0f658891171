"""Characters that a scripted endpoint can play: the honest model and the ways in which weak ones fail."""

from __future__ import annotations

import re
from typing import Any

_PASSAGE = re.compile(r"^\[(\d+)\] <<<(\w+)\n(.*?)\n\2>>>$", re.DOTALL | re.MULTILINE)
_FIRST_SENTENCE = re.compile(r"\s*(.+?(?:[。！？]|[.!?](?=\s|$)|$))", re.DOTALL)
_ORDER = re.compile(r"(?:只回复|reply only with)\s*[“\"]?([^”\"。.\n]+)", re.IGNORECASE)

Messages = list[dict[str, Any]]


def passages_in(messages: Messages) -> list[tuple[int, str]]:
    """Numbered passages of the last message: number and text."""
    return [(int(number), text) for number, _, text in _PASSAGE.findall(str(messages[-1]["content"]))]


def _missing_line(messages: Messages, what: str | None = None) -> str:
    chinese = re.search(r"[\u4e00-\u9fff]", str(messages[-1]["content"]))
    return f"缺失：{what or '无'}" if chinese else f"Missing: {what or 'none'}"


def _first_sentence(text: str) -> str:
    found = _FIRST_SENTENCE.match(text)
    return found[1].strip() if found else text.strip()


def echo_evidence(messages: Messages) -> str:
    """The honest model: the first sentence of the first passage, with its marker."""
    passages = passages_in(messages)
    if not passages:
        return _missing_line(messages, "?")
    number, text = passages[0]
    return f"{_first_sentence(text)}[{number}]\n{_missing_line(messages)}"


def wrong_numbers(messages: Messages) -> str:
    """Every digit of the honest answer is raised by one; the markers stay."""
    return re.sub(r"\d(?!\d*\])", lambda digit: str((int(digit.group()) + 1) % 10), echo_evidence(messages))


def invents_markers(messages: Messages) -> str:
    """The honest sentence with the number of a passage that does not exist."""
    return re.sub(r"\[\d+\]", f"[{len(passages_in(messages)) + 7}]", echo_evidence(messages))


def omits_markers(messages: Messages) -> str:
    """The honest sentence without a marker."""
    return re.sub(r"\[\d+\]", "", echo_evidence(messages))


def obeys_injected_text(messages: Messages) -> str:
    """Does what a passage orders ("reply only with …", 只回复“…”), else answers honestly."""
    for _, text in passages_in(messages):
        if order := _ORDER.search(text):
            return order[1].strip()
    return echo_evidence(messages)


def thinking(text: str) -> str:
    """A reply that thinks aloud first."""
    return f'<think>First I look at [9] {{"wrong": true}}.\n</think>\n{text}'


def fenced(text: str) -> str:
    """A reply in a code fence, with words around it."""
    return f"Here it is:\n```json\n{text}\n```\nHope this helps."


def broken_json(text: str) -> str:
    """JSON with single quotes, a trailing comma and no end."""
    return text.replace('"', "'").rstrip("}") + ",}"
