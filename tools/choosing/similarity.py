"""How much a question is about what a tool says of itself: its subjects, its description, its examples."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from ...knowledge.evidence.phrases import content_words, word_share
from ...knowledge.evidence.terms import terms
from ...knowledge.text.normalise import has_chinese, normalise
from ...knowledge.text.tokens import stem
from ..contracts import Tool

# Words of time and asking: they say when or how much, not of what.
_NOT_THE_THING = re.compile(
    r"去年|今年|前年|本年|上年|上?个?月|本月|季度|第.季度|第.{1,3}|\d+|目前|现在|当前|实时|最新|今天|明天|后天|昨天|现有|还有|一共|总共|合计|平均"
    r"|分别|多少|总[额数量计]|上半年|下半年|last|year|month|quarter|this|now|current\w*|today|tomorrow|yesterday|latest|total|averag\w*|many|much"
    r"|q[1-4]|real-tim\w*|moment|live|fourth|first|second|third"
    r"|januar\w*|februar\w*|march|april|may|june|july|august|septemb\w*|octob\w*|novemb\w*|decemb\w*"
)
# Not of people: common words that begin like a surname are tagged so, too.
_NAME_TAGS = frozenset({"ns", "nt"})
_CAPITALISED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_HELD = 0.99
"""Of a word's share: from here on it is held."""
_EXAMPLE_WEIGHT, _DESCRIPTION_WEIGHT = 1.0, 0.9

_NAMED_SHARE = 0.5
"""Of the weight of words that only one of two questions has: mostly names of those who are asked about."""

Weight = Callable[[str], float]


@lru_cache(maxsize=4_096)
def things(text: str) -> tuple[str, ...]:
    """The words of a question that say what it is about."""
    return tuple(word for word in content_words(text) if len(word) > 1 and not _NOT_THE_THING.fullmatch(word))


@lru_cache(maxsize=4_096)
def named_in(text: str) -> frozenset[str]:
    """The names of places, and in English of people, in a question, as `things` writes them."""
    normal = normalise(text)
    if not has_chinese(normal):
        return frozenset(stem(word.casefold()) for word in _CAPITALISED.findall(text))
    import rjieba  # noqa: PLC0415 - its dictionary takes 0.3 s to load: only Chinese questions pay for it

    return frozenset(word for word, tag in rjieba.tag(normal) if tag in _NAME_TAGS)


def coverage(question: str, texts: Iterable[str], weight: Weight | None = None) -> float:
    """The share of the question's words that the texts hold, or synonyms of them; 0 where it has none."""
    words = things(question)
    held = frozenset[str]().union(*(terms(text) for text in texts))
    weights = [1.0 if weight is None else weight(word) for word in words]
    found = sum(w for word, w in zip(words, weights, strict=True) if word_share(word, held) >= _HELD)
    return found / sum(weights) if words else 0.0


def knows_of(tool: Tool, question: str) -> float:
    """The share of the question's words among the subjects of a tool: 0 where it says nothing about its subjects."""
    return coverage(question, tool.subjects) if tool.subjects else 0.0


def weights_among(tools: Sequence[Tool]) -> Weight:
    """How telling a word is among these tools: one that many of them use tells little, one that none uses the most."""
    used = Counter(term for tool in tools for term in frozenset[str]().union(*(terms(text) for text in _said(tool))))

    def weight(word: str) -> float:
        return math.log(1 + len(tools) / (1 + used[word]))

    return weight


def likeness(tool: Tool, question: str, weight: Weight) -> float:
    """How much a question is like what a tool says it is for, from 0 to 1; what it is not for counts against it.

    A question like one of the examples counts by the words of both; a description holds words for many questions, so
    only the share of the question counts.
    """
    for_it = max(
        _EXAMPLE_WEIGHT * max((_alike(question, example, weight) for example in tool.examples), default=0.0),
        _DESCRIPTION_WEIGHT
        * coverage(question, (tool.description, tool.name.replace("_", " "), *tool.subjects), weight),
    )
    against = coverage(question, (tool.not_for,), weight) if tool.not_for else 0.0
    return for_it if for_it > against else 0.0


def _alike(question: str, example: str, weight: Weight) -> float:
    """The shared weight of two questions, as in a Dice coefficient; whom and where they mean differs anyway."""
    mine, theirs = things(question), things(example)
    shared, whole = 0.0, 0.0
    names = named_in(question) | named_in(example)
    for words, held in ((mine, terms(example)), (theirs, terms(question))):
        for word in words:
            is_held = word not in names and word_share(word, held) >= _HELD
            shared += weight(word) if is_held else 0.0
            whole += weight(word) * (1.0 if is_held else _NAMED_SHARE)
    return shared / whole if whole else 0.0


def _said(tool: Tool) -> Iterable[str]:
    return (tool.description, *tool.examples, *tool.subjects)
