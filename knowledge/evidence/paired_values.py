"""Which of several values in one sentence is whose (3,000 yuan for a technical and 800 yuan for a sales position)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from ..text.normalise import has_chinese
from ..text.values import Value, ValueKind
from .amounts import amounts
from .phrases import content_words
from .terms import ValueKey

_CLAUSE_END = re.compile(r"[。；;！？!?\n]|\.\s")


def paired_values(
    sentence: str, subjects: Sequence[str], kinds: Collection[ValueKind], known: Collection[ValueKey] = ()
) -> list[Value]:
    """The value of each subject, in the order of the subjects; empty where the sentence does not pair them off.

    It does where it names as many values as subjects, all of one kind and unit, and names and values take turns.

    Args:
        sentence: one that is about all of the subjects.
        subjects: two or more names. Where one is not written out, the words that tell it from the others name it.
        kinds: of the values that count.
        known: values that the question states itself.
    """
    values = [value for value in amounts(sentence) if value.kind in kinds and value.key not in known]
    places = [_place(index, subjects, sentence) for index in range(len(subjects))]
    if len(values) != len(subjects) or len({(value.kind, value.unit) for value in values}) > 1:
        return []
    named = sorted((place, index) for index, place in enumerate(places) if place >= 0)
    if len(named) < len(subjects) or len(subjects) < 2:
        return []
    turns = sorted([*((place, True) for place, _ in named), *((value.start, False) for value in values)])
    if any(one[1] == other[1] for one, other in pairwise(turns)):
        return []
    order = [index for _, index in named]
    own = [values[order.index(index)] for index in range(len(subjects))]
    return [] if any(_is_apart(sentence, places[index], value) for index, value in enumerate(own)) else own


def _is_apart(sentence: str, name: int, value: Value) -> bool:
    """Whether a clause ends between a name and a value: in A见附件；B18个月 the value is not A's."""
    return _CLAUSE_END.search(sentence[min(name, value.end) : max(name, value.start)]) is not None


def _place(index: int, subjects: Sequence[str], sentence: str) -> int:
    """Where a subject stands: written out, or the words that only it has; -1 where it does not, or stands twice."""
    whole = _places(subjects[index], sentence)
    if len(whole) == 1 and not any(subjects[index] in other for other in subjects if other != subjects[index]):
        return whole[0]
    others = {word for at, other in enumerate(subjects) if at != index for word in _words(other)}
    own = [word for word in _words(subjects[index]) if word not in others]
    found = [_places(word, sentence) for word in own]
    if not found or any(len(places) != 1 for places in found):
        return -1
    return min(places[0] for places in found)


def _words(subject: str) -> list[str]:
    return list(dict.fromkeys(word.casefold() for word in content_words(subject)))


def _places(text: str, sentence: str) -> list[int]:
    edge = ("", "") if has_chinese(text) else (r"(?<![A-Za-z0-9-])", r"(?![A-Za-z0-9])" if text[-1:].isdigit() else "")
    return [found.start() for found in re.finditer(f"{edge[0]}{re.escape(text)}{edge[1]}", sentence, re.IGNORECASE)]
