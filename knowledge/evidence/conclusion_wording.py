"""How a computed comparison or difference reads in either language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from ..questions.models import Combination
from ..text.numerals import decimal_text
from ..text.values import Value, ValueKind
from .amounts import size, spell
from .comparatives import CHINESE, ENGLISH, Comparative
from .order import compare, period

_ARTICLE = re.compile(r"(?:the|an?|other|all) ")
_SIZES = frozenset({Combination.LARGER, Combination.SMALLER})

Operands = Sequence[tuple[str, Value]]
"""Subjects with their values."""


def order_text(operands: Operands, leading: Sequence[bool], word: Comparative, language: str) -> str:
    """Which subject comes first in an order, with all values; equal ones are said to be equal.

    Args:
        operands: two or more.
        leading: for each operand whether it comes first, alone or beside others.
        word: of comparison, already in the language.
        language: `zh` or `en`.
    """
    first = [operand for operand, leads in zip(operands, leading, strict=True) if leads]
    rest = [operand for operand, leads in zip(operands, leading, strict=True) if not leads]
    if language == "zh":
        return _chinese_order(first, rest, word)
    return _english_order(first, rest, word)


def _chinese_order(first: Operands, rest: Operands, word: Comparative) -> str:
    if not rest:
        return f"相同：{_each(first)}。"
    if len(first) > 1:
        names = "、".join(name for name, _ in first)
        return f"{_spaced(names)}并列{word.of_more.removeprefix('的')}：{_each(first)}；{_each(rest)}。"
    name, value = first[0]
    predicate = word.of_two if len(rest) == 1 else word.of_more
    return f"{_spaced(name)}{predicate}：{value.raw}，{_each(rest)}。"


def _each(operands: Operands) -> str:
    return "，".join(f"{_spaced(name)}为{value.raw}" for name, value in operands)


def _spaced(name: str) -> str:
    return f"{name} " if name[-1:].isascii() else name


def _english_order(first: Operands, rest: Operands, word: Comparative) -> str:
    if not rest:
        return _sentence(f"They are equal: {_for_each(first)}")
    if len(first) > 1:
        names = " and ".join(name for name, _ in first)
        verb, _, quality = word.of_more.partition(" ")
        predicate = f"{'are' if verb == 'is' else 'have'} {quality} alike"
        return _sentence(f"{names} {predicate}: {_for_each(first)}, against {_for_each(rest)}")
    name, value = first[0]
    predicate = word.of_two if len(rest) == 1 else word.of_more
    return _sentence(f"{name} {predicate}: {value.raw}, against {_for_each(rest)}")


def _sentence(text: str) -> str:
    text = f"{text[:1].upper()}{text[1:]}" if _ARTICLE.match(text) else text
    return text if text.endswith(".") else f"{text}."


def _for_each(operands: Operands) -> str:
    pieces = [f"{value.raw} for {name}" for name, value in operands]
    return ", ".join(pieces[:-1]) + (" and " if len(pieces) > 1 else "") + pieces[-1]


def difference_text(operands: Operands, language: str, word: str = "") -> str | None:
    """By how much one of two subjects exceeds the other, or falls short of it; None for incomparable values.

    Args:
        operands: in the order in which they are named where `word` is empty.
        language: `zh` or `en`.
        word: the user's own word of comparison (贵, cheaper), a key of `CHINESE` or `ENGLISH` that names one end of a
            scale. The subject at that end is named first: who asks which is larger hears that first.
    """
    if len(operands) != 2:
        return None
    order = compare(operands[0][1], operands[1][1])
    gap = difference_between(operands[0][1], operands[1][1], language)
    if order is None or gap is None:
        return None
    if order == 0:
        return order_text(operands, (True, True), Comparative("", "", frozenset()), language)
    if word and (order > 0) != _names_more(word, language):
        operands = operands[::-1]
    is_more = _names_more(word, language) if word else order > 0
    (one, left), (other, right) = operands
    if word and word not in _fitting(left.kind, language):
        word = ""
    if language == "zh":
        pair = f"{_spaced(one)}比{' ' if other[:1].isascii() else ''}{_spaced(other)}"
        return f"{pair}{word or _more(left, is_more)} {gap}（{left.raw}与{right.raw}）。"
    than = f"{word} than" if word else _above(left, is_more)
    return _sentence(f"{one} is {gap} {than} {other} ({left.raw} and {right.raw})")


def _names_more(word: str, language: str) -> bool:
    names = (CHINESE if language == "zh" else ENGLISH)[word].names
    return bool(names & {Combination.LARGER, Combination.LATER})


def _fitting(kind: ValueKind, language: str) -> frozenset[str]:
    """The words that can stand with a difference of values of a kind: dates are earlier, and never larger."""
    ends = {Combination.EARLIER, Combination.LATER} if kind is ValueKind.DATE else _SIZES
    words = CHINESE if language == "zh" else ENGLISH
    return frozenset(word for word in words if words[word].names <= ends and not words[word].of_two.startswith("has "))


def _above(value: Value, is_more: bool) -> str:
    if value.kind is ValueKind.DATE:
        return "later than" if is_more else "earlier than"
    return "above" if is_more else "below"


def _more(value: Value, is_more: bool) -> str:
    words = {ValueKind.DATE: "早晚", ValueKind.DURATION: "短长"}.get(value.kind, "少多")
    return words[is_more]


def difference_between(left: Value, right: Value, language: str) -> str | None:
    """The exact distance of two values in the unit of the first, of two full dates in days."""
    if left.kind is ValueKind.DATE:
        return _days_between(left, right, language)
    first, second = size(left), size(right)
    if first is None or second is None:
        return None
    gap = abs(first - second)
    if left.unit == "%":
        return f"{decimal_text(gap)}{'个百分点' if language == 'zh' else ' percentage points'}"
    return spell(gap, (left, right), language)


def _days_between(left: Value, right: Value, language: str) -> str | None:
    one, other = period(left.canonical), period(right.canonical)
    if one is None or other is None or one[0] != one[1] or other[0] != other[1]:
        return None
    days = Decimal(abs((one[0] - other[0]).days))
    return f"{days}天" if language == "zh" else f"{days} {'day' if days == 1 else 'days'}"
