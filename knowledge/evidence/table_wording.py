"""How a result computed from the rows of a table reads in either language."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from ..questions.models import Combination
from ..text.values import Value, ValueKind
from .amounts import divide, spell, spell_rounded

MOST_SHOWN = 8
"""So many operands are listed in the text; the quotes hold all of them."""
AVERAGE_PLACES = 2
"""Digits behind those of the operands that an average whose decimals do not end is rounded to."""
_CHINESE_EXTREMES = {
    ValueKind.MONEY: "高低",
    ValueKind.PERCENT: "高低",
    ValueKind.DURATION: "长短",
    ValueKind.DATE: "晚早",
}
_ENGLISH_EXTREMES = {
    ValueKind.MONEY: ("highest", "lowest"),
    ValueKind.PERCENT: ("highest", "lowest"),
    ValueKind.DURATION: ("longest", "shortest"),
    ValueKind.DATE: ("latest", "earliest"),
}


class Heading(NamedTuple):
    """What is computed: a column, of the rows that meet some conditions."""

    column: str
    conditions: tuple[str, ...]

    def chinese(self) -> str:
        """The conditions in front of the column: “不合格”的数量."""
        return (
            "".join(f"“{condition}”" for condition in self.conditions) + ("的" if self.conditions else "") + self.column
        )

    def english(self) -> str:
        """The conditions behind the column: price for “pumps”."""
        named = " and ".join(f"“{condition}”" for condition in self.conditions)
        return f"{self.column} for {named}" if named else self.column


def sum_text(heading: Heading, added: Decimal, values: Sequence[Value], language: str) -> str | None:
    """The sum in the unit of the first operand that expresses it; None where none does."""
    result = spell(added, values, language)
    if result is None:
        return None
    if language == "zh":
        return f"{heading.chinese()}合计 {result}（{len(values)} 行{_listed('：', values)}）。"
    return f"Total {heading.english()}: {result} ({_rows(len(values))}{_listed(': ', values)})."


def average_text(heading: Heading, added: Decimal, values: Sequence[Value], language: str) -> str | None:
    """The mean, exact where its decimals end and otherwise rounded and called so."""
    exact = divide(added, Decimal(len(values)))
    result = spell(exact, values, language) if exact is not None else None
    about = ""
    if result is None:
        result = spell_rounded(added / len(values), values, AVERAGE_PLACES)
        about = "约 " if language == "zh" else "about "
    if result is None:
        return None
    if language == "zh":
        return f"{heading.chinese()}平均 {about}{result}（{len(values)} 行{_listed('：', values)}）。"
    return f"Average {heading.english()}: {about}{result} ({_rows(len(values))}{_listed(': ', values)})."


def _listed(lead: str, values: Sequence[Value]) -> str:
    return f"{lead}{' + '.join(value.raw for value in values)}" if len(values) <= MOST_SHOWN else ""


def _rows(count: int) -> str:
    return f"{count} row" if count == 1 else f"{count} rows"


def extreme_text(
    combination: Combination,
    heading: Heading,
    winners: Sequence[tuple[str, str]],
    values: Sequence[Value],
    language: str,
) -> str:
    """The rows with the largest or smallest value."""
    value = winners[0][1]
    end = 0 if combination is Combination.LARGEST else 1
    if language == "zh":
        word = _CHINESE_EXTREMES.get(values[0].kind, "大小")[end]
        labels = "、".join(label for label, _ in winners)
        return f"{heading.chinese()}最{word}的是 {labels}：{value}（比较了 {len(values)} 行）。"
    word = _ENGLISH_EXTREMES.get(values[0].kind, ("largest", "smallest"))[end]
    labels = ", ".join(label for label, _ in winners)
    return f"The {word} {heading.english()} is {value}: {labels} ({_rows(len(values))} compared)."


def count_text(heading: Heading, labels: Sequence[str], language: str, measure_word: str = "") -> str:
    """How many rows there are, with their labels where they are few.

    Args:
        heading: the conditions on the rows.
        labels: one for each row.
        language: `zh` or `en`.
        measure_word: the Chinese measure word of what the rows are (个, 项); 行 where it is empty.
    """
    shown = len(labels) <= MOST_SHOWN
    if language == "zh":
        listed = f"：{'、'.join(labels)}" if shown else ""
        return f"{heading.chinese() or '表中'}共 {len(labels)} {measure_word or '行'}{listed}。"
    of = heading.english().strip()
    return f"{_rows(len(labels))}{' ' + of if of else ''}{': ' + ', '.join(labels) if shown else ''}."


def distinct_text(heading: Heading, texts: Sequence[str], rows: int, language: str) -> str:
    """How many different texts a column has, with the texts where they are few."""
    shown = len(texts) <= MOST_SHOWN
    if language == "zh":
        return f"{heading.chinese()}共有 {len(texts)} 个不同的（{rows} 行）{'：' + '、'.join(texts) if shown else ''}。"
    return f"{len(texts)} different {heading.english()} ({_rows(rows)}){': ' + ', '.join(texts) if shown else ''}."
