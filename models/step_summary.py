"""Steps of a run, and one line instead of each: its first sentence, and the values that it speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

KEPT_PART = 5
"""An early step goes down to a fifth of its length (S2 §4.3)."""
_SHORTEST = 24
# Room of the first sentence where the values would take it all.
_SENTENCE_SHARE = 0.5
_JOINT, _CUT = "; ", "…"

_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s)")
_UNIT = r"个?工作日|个?月|[年日天周号条章节款项元万亿倍次期台件]"
# What is kept where sentences are not: words with a digit (ids, dates, amounts), and counted things in Chinese.
_WORD = re.compile(
    rf"[A-Za-z\d]+(?:[.,:/_+-][A-Za-z\d]+)*(?:\s?[%‰]|{_UNIT})*(?:\d+(?:{_UNIT}))*"
    rf"|第?[零〇一二三四五六七八九十百千两]+(?:{_UNIT})+"
)
_COUNTS = re.compile(r"[\d零〇一二三四五六七八九十百千两]")


class ReasoningStep(NamedTuple):
    """One step of a run, as the steps after it may be told of it."""

    number: int
    thought: str
    action: str
    observation: str

    @property
    def text(self) -> str:
        """All of it, line by line."""
        return "\n".join(part for part in (self.thought, self.action, self.observation) if part)


def fifth_of(characters: int) -> int:
    """A fifth of a length; what is short already stays readable."""
    return max(characters // KEPT_PART, min(characters, _SHORTEST))


def values_in(text: str) -> list[str]:
    """Every number, date, amount and id of a text as it stands there, each once, in order."""
    return list(dict.fromkeys(_values(text)))


def _values(text: str) -> Iterator[str]:
    return (match.group() for match in _WORD.finditer(text) if _COUNTS.search(match.group()))


def summary_of(step: ReasoningStep, limit: int) -> str:
    """One line of at most `limit` characters: the first sentence and every number, date and id that fits."""
    lines = [" ".join(line.split()) for line in step.text.splitlines()]
    values = list(dict.fromkeys(value for line in lines for value in _values(line)))
    first = _first_sentence("\n".join(line for line in lines if line))
    others = _JOINT.join(["", *_others(values, first)])
    sentence = _cut(first, max(int(limit * _SENTENCE_SHARE), limit - len(others)))
    return _with_values(sentence, _others(values, sentence), limit)


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    return (text[: end.end()] if end else text).strip()


def _others(values: list[str], sentence: str) -> list[str]:
    named = set(_values(sentence))
    return [value for value in values if value not in named]


def _cut(text: str, limit: int) -> str:
    """The beginning of a text; a value is left out rather than cut, for half a number is another number."""
    if len(text) <= limit:
        return text
    end = limit - len(_CUT)
    whole = next((match.start() for match in _WORD.finditer(text) if match.start() < end < match.end()), end)
    return f"{text[:whole]}{_CUT}" if end > 0 else ""


def _with_values(sentence: str, values: list[str], limit: int) -> str:
    line = sentence
    for value in values:
        longer = f"{line}{_JOINT}{value}" if line else value
        line = longer if len(longer) <= limit else line
    return line


def accepted(written: str, by_rule: str, step: ReasoningStep, limit: int) -> bool:
    """Whether a summary that a model wrote may stand: one line, short enough, no value lost or invented.

    What the rule's summary cannot keep either is not counted as lost.
    """
    if not written.strip() or len(written.splitlines()) > 1 or len(written) > limit:
        return False
    known, kept = set(values_in(step.text)), set(values_in(written))
    return kept <= known and set(values_in(by_rule)) & known <= kept
