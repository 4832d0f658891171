# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Which units a question hints at by what it asks for: a weight is in kg, a price in money."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..text.values import Value, ValueKind
from .question import QuestionAnalysis

T = TypeVar("T")
# What a question about weight, money or time measures in.
_UNIT_HINTS: tuple[tuple[re.Pattern[str], frozenset[str], frozenset[ValueKind]], ...] = (
    (re.compile(r"重量|净重|多重|更重|最重|更轻|最轻|负载|载重|heav|weigh|lighter|lightest", re.I), frozenset({"kg"}), frozenset()),
    (re.compile(r"价|费用|便宜|更贵|最贵|多少钱|金额|资金|股利|cheap|expensive|price|cost|dividend", re.I), frozenset(), frozenset({ValueKind.MONEY})),
    (re.compile(r"功率|\bpower\b", re.I), frozenset({"W"}), frozenset()),
    (re.compile(r"噪[声音]|更吵|更安静|nois|loud|quiet", re.I), frozenset({"dB"}), frozenset()),
    (re.compile(r"温度|temperature|hotter|hottest", re.I), frozenset({"°C", "°F"}), frozenset()),
    (re.compile(r"期限|多久|工期|刑期|判刑时间|时长|质保期|保修期|周期|sentenc|how long|duration|period", re.I), frozenset(), frozenset({ValueKind.DURATION})),
)  # fmt: skip


def is_hinted(asked: str, value: Value) -> bool:
    """Whether a question's text asks for something that is measured in the value's unit: a weight in kg, a price in money."""
    return any(
        pattern.search(asked) and (value.unit in units or value.kind in kinds) for pattern, units, kinds in _UNIT_HINTS
    )


def is_hinted_name(asked: str, name: str) -> bool:
    """Whether a question asks for what a column's name says: 最贵 and 单价, heaviest and Weight."""
    return any(pattern.search(asked) and pattern.search(name) for pattern, _, _ in _UNIT_HINTS)


def of_hinted_unit(question: QuestionAnalysis, found: Sequence[T], value_of: Callable[[T], Value]) -> list[T]:
    """Those of some values that have a unit that the question hints at; all where none has."""
    kept = list(found)
    for pattern, units, kinds in _UNIT_HINTS:
        if pattern.search(question.text):
            fitting = [one for one in kept if value_of(one).unit in units or value_of(one).kind in kinds]
            kept = fitting or kept
    return kept
