"""What kind of difference answers a question otherwise: a value, a name, a thing, or what a whole rule says."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from ..text.values import ValueKind
from .question import QuestionAnalysis
from .question_words import WANTED_VALUES, AnswerType


class AnswerForm(StrEnum):
    """In what form an answer stands in a sentence."""

    VALUE = "value"
    NAME = "name"
    """A person, an organisation or a place."""
    THING = "thing"
    """Any noun."""
    RULE = "rule"
    """The whole sentence; two rules differ in a value or in what they deny."""


class WantedValues(NamedTuple):
    """Kinds of values that answer, and those that may."""

    first: frozenset[ValueKind]
    second: frozenset[ValueKind]


_NAMED = frozenset({AnswerType.PERSON, AnswerType.ORGANISATION, AnswerType.PLACE})
_WORDED = frozenset({AnswerType.TEXT, AnswerType.DEFINITION})
# 几点下班 wants a clock time, and who types 发布日期 or "release date" without asking wants a date.
_ASKS_TIME = re.compile(r"几点|几时|\bwhat time\b", re.IGNORECASE)
_NAMES_DATE = re.compile(
    r"(?:时间|日期)[?？。\s]*$|\b(?:date of|release date|premiere date|start date|birth date)\b", re.IGNORECASE
)
_NAMES_NUMBER = re.compile(
    r"(?:人口|面积|高度|长度|重量|容量|数量|人数|总数)(?:是|为|有)?(?:什么)?[?？。\s]*$"
    r"|\bwhat (?:is|was) the [\w\s-]{0,20}\b(?:population|age|area|height|length|weight|capacity|elevation|size)\b",
    re.IGNORECASE,
)
# "What is the medium of X" asks for an attribute, "what is a medium" for its meaning.
_ATTRIBUTE = re.compile(r"\bwhat (?:is|was|are|were) the\b.+\b(?:of|in|for|at|associated)\b", re.IGNORECASE)


def wanted_values(question: QuestionAnalysis) -> WantedValues | None:
    """The kinds of values that answer; None for a question that is answered by words."""
    if _ASKS_TIME.search(question.text):
        return WantedValues(frozenset({ValueKind.TIME}), frozenset())
    kind = question.answer_type
    if kind in _WORDED and _NAMES_DATE.search(question.text):
        kind = AnswerType.DATE
    elif kind in _WORDED and _NAMES_NUMBER.search(question.text):
        kind = AnswerType.NUMBER
    found = WANTED_VALUES.get(kind)
    return WantedValues(*found) if found else None


def answer_form(question: QuestionAnalysis) -> AnswerForm:
    """In what form the answer to a question stands in a sentence."""
    if wanted_values(question) is not None:
        return AnswerForm.VALUE
    if question.answer_type in _NAMED:
        return AnswerForm.NAME
    is_attribute = question.answer_type is AnswerType.DEFINITION and _ATTRIBUTE.search(question.text)
    return AnswerForm.THING if question.answer_type is AnswerType.TEXT or is_attribute else AnswerForm.RULE
