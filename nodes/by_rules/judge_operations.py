# ruff: noqa: E501 - patterns are read in one piece
"""Whether rows of a table that were found by words are those that a question means, or only some of the table.

A search finds rows by the words that they share with a question, and so finds the rows that a question leaves out, or
some rows where all of them have to be counted or compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from enum import StrEnum

from ...knowledge.evidence.amounts import cell_amount
from ...knowledge.evidence.evidence_tables import column_name
from ...knowledge.evidence.models import ExtractedSentence
from ...knowledge.evidence.order import compare, period
from ...knowledge.evidence.phrases import content_words
from ...knowledge.evidence.shown_cells import Cell, quoted_cells
from ...knowledge.query.periods import Period, find_periods
from ...knowledge.text.normalise import fold_widths, has_chinese
from ...knowledge.text.values import Value, ValueKind, find_values
from ...tools.sql.exclusions import Named, exclusions

_SHORTEST_CELL = 2
_CHINESE_PART = 4
"""Characters from which the beginning of a name stands for it (恒纳机械 for 恒纳机械（苏州）有限公司)."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_UNDATED = date(1, 1, 1)
_SUPERLATIVE = re.compile(
    r"(?:哪|谁)[^,，。?？]{0,20}最[高大多贵长重低小少便短轻早晚新快慢]|最(?:高|大|多|贵|长|重|低|小|少|便宜|短|轻|早|晚|新|快|慢)的[\u4e00-\u9fffA-Za-z]{1,8}(?:是(?:哪|谁|什么)[^,，]{0,6})?[?？。]?\s*$"
    r"|\b(?:which|who)\b[^?]{0,60}\b(?:highest|lowest|largest|smallest|biggest|most|least|fewest|cheapest|dearest|longest|shortest|earliest|latest|heaviest|lightest)\b",
    re.IGNORECASE,
)
_EXTREME_WORD = re.compile(
    r"最|\b(?:highest|lowest|largest|smallest|biggest|most|least|fewest|cheapest|dearest|longest|shortest|earliest|latest|heaviest|lightest|max\w*|min\w*|top)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"(?:多少|几)(?:个(?!工作日|自然日|月|小时|星期|季度|学时|交易日|百分)|[家种台条款笔份名位件批张辆座类项])(?P<zh>[\u4e00-\u9fff]{0,6})"
    r"|\b(?:how many|number of)\s+(?!(?:(?:working|business|calendar|paid|consecutive|full)\s+)?(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|nights?|times|percent|points|characters|kilomet\w+|kg|euros?|dollars?)\b)(?P<en>[a-z]+)",
    re.IGNORECASE,
)
_INDEX = re.compile(r"号|编|代码|\b(?:id|no|number|code)\b", re.IGNORECASE)
_ARITHMETIC = re.compile(
    r"(?:加上|减去|减掉|乘以|乘上|除以)|的\s?(?:\d+(?:\.\d+)?|[一两二三四五六七八九十]+)\s?倍"
    r"|\b(?:plus|minus|multiplied by|divided by)\b|\b(?:\d+(?:\.\d+)?|two|three|four|five|ten)\s+times\s+(?:the|our|my|its|their)\b|\btwice\s+(?:the|our|my)\b",
    re.IGNORECASE,
)
_WANTS_VALUE = re.compile(
    r"多少|几|等于|是什么|合计|结果|\b(?:what|how (?:much|many|long)|calculate|compute)\b|[^吗]$", re.IGNORECASE
)


class Met(StrEnum):
    """How the rows that were found stand to what is asked."""

    ALL = "all"
    """Nothing speaks against them."""
    SOME = "some"
    """Those that do not meet a condition were left out; there may be more that do."""
    NONE = "none"
    """They are not the answer: none meets the condition, or all rows of their table would have to be looked at."""


def met(question: str, sentences: Sequence[ExtractedSentence]) -> tuple[Met, tuple[ExtractedSentence, ...]]:
    """The sentences that are left, without rows that the question leaves out, and how they stand to it.

    Args:
        question: of one part.
        sentences: that were found for it; what is no row of a table stays.
    """
    text = fold_widths(question)
    rows = {one: cells for one in sentences if (cells := quoted_cells(one))}
    if not rows:
        return Met.ALL, tuple(sentences)
    if sentences[0] in rows and _is_computed(text, rows[sentences[0]]):
        return Met.NONE, ()
    left_out = [one for one, cells in rows.items() if _is_left_out(text, cells)]
    kept = tuple(one for one in sentences if one not in left_out)
    if not left_out:
        return Met.ALL, tuple(sentences)
    return (Met.SOME if any(one in rows for one in kept) else Met.NONE), kept


def leaves_arithmetic_open(question: str, sentences: Sequence[ExtractedSentence]) -> bool:
    """Whether a question computes with what is said (的10%加上5万元, `3 times the limit`), and no sentence does."""
    text = fold_widths(question).strip()
    match = _ARITHMETIC.search(text)
    if match is None or not _WANTS_VALUE.search(text.rstrip("?？。. ")):
        return False
    return not any(_ARITHMETIC.search(fold_widths(one.text)) for one in sentences)


def _is_computed(text: str, cells: Sequence[Cell]) -> bool:
    """Whether all rows have to be counted or compared, and a row does not say the outcome itself."""
    said = "\n".join(part for cell in cells for part in (cell.label, cell.text))
    if _SUPERLATIVE.search(text) and not _EXTREME_WORD.search(said):
        return True
    match = _COUNT.search(text)
    return match is not None and not _says_number(match["zh"] or match["en"] or "", cells)


def _says_number(counted: str, cells: Sequence[Cell]) -> bool:
    """Whether a row gives a number of what is counted: a column of quantities, a column that bears its name, 15 seats."""
    words = content_words(counted) or [counted]
    for cell in cells:
        numbers = [value for value in find_values(cell.text) if value.kind in (ValueKind.NUMBER, ValueKind.QUANTITY)]
        is_named = any(word and word.casefold()[:4] in f"{cell.label} {cell.text}".casefold() for word in words)
        is_number = re.search(r"数|\b(?:qty|quantity|count|number of)\b", cell.label, re.IGNORECASE) is not None
        if (numbers or cell.text.strip().isdecimal()) and (is_named or is_number) and not _INDEX.search(cell.label):
            return True
    return False


def _is_left_out(text: str, cells: Sequence[Cell]) -> bool:
    return _is_excluded(text, cells) or _is_outside(text, cells) or _is_beyond(text, cells)


def _is_excluded(text: str, cells: Sequence[Cell]) -> bool:
    """Whether a row holds what the question leaves out (除华东以外, `not in South`)."""
    headings = frozenset(column_name(cell.label).casefold() for cell in cells)
    named = [
        Named(cell.label, cell.text, *place) for cell in cells if (place := _place_of(cell.text, text)) is not None
    ]
    return bool(exclusions(text, named, headings))


def _place_of(cell: str, text: str) -> tuple[int, int] | None:
    """Where a text names a cell: whole, or by the beginning of a Chinese name."""
    name = fold_widths(cell).strip()
    if len(name) < _SHORTEST_CELL:
        return None
    edges = ("", "") if has_chinese(name) else (r"(?<![A-Za-z0-9-])", r"(?![A-Za-z0-9-])")
    found = re.search(edges[0] + re.escape(name) + edges[1], text, re.IGNORECASE)
    if found is None and has_chinese(name) and len(name) > _CHINESE_PART:
        found = re.search(re.escape(name[:_CHINESE_PART]), text)
    return found.span() if found else None


def _is_outside(text: str, cells: Sequence[Cell]) -> bool:
    """Whether the only day that a row gives lies before or behind an open period (2025年5月以后, `after May 2025`)."""
    periods = [one for one in find_periods(text, _UNDATED) if _is_open(one) and _YEAR.search(text[one.start : one.end])]
    days = [found[0] for cell in cells if (found := _dates(cell.text))]
    if len(periods) != 1 or len(days) != 1 or (span := period(days[0].canonical)) is None:
        return False
    first, last = periods[0].first, periods[0].last
    return (first is not None and span[1] < first) or (last is not None and span[0] > last)


def _is_open(one: Period) -> bool:
    return (one.first is None) is not (one.last is None)


def _dates(cell: str) -> list[Value]:
    found = find_values(cell)
    is_day = len(found) == 1 and found[0].kind is ValueKind.DATE and found[0].raw.strip() == cell.strip()
    return list(found) if is_day else []


_BOUND = re.compile(
    r"(?P<denied>不|\b(?:no|not)\s+)?(?:(?P<more>大于|超过|高于|多于|超出|\b(?:more|greater|higher|larger|longer|heavier) than\b|\b(?:over|above|exceeding)\b)|(?P<less>小于|低于|少于|(?<!不)不足|\b(?:less|lower|smaller|fewer|shorter|lighter|cheaper) than\b|\b(?:under|below)\b))\s*$",
    re.IGNORECASE,
)
_LISTS = re.compile(r"哪些|列出|列举|有哪|\b(?:which|list|show)\b", re.IGNORECASE)


def _is_beyond(text: str, cells: Sequence[Cell]) -> bool:
    """Whether the amount of a row in the column that is named lies on the wrong side of a bound (营收超过100万元)."""
    if not _LISTS.search(text):
        return False
    for value in find_values(text):
        match = _BOUND.search(text[: value.start])
        if match is None:
            continue
        named = [cell for cell in cells if _place_of(column_name(cell.label), text) is not None]
        for cell in named:
            amount = cell_amount(cell.label, cell.text)
            order = compare(amount, value) if amount is not None else None
            if order is not None and _misses(order, match):
                return True
    return False


def _misses(order: int, bound: re.Match[str]) -> bool:
    """Whether an amount that compares so with a bound lies outside it; `not less than` holds for the bound itself."""
    if bound["denied"]:
        return order > 0 if bound["more"] else order < 0
    return order <= 0 if bound["more"] else order >= 0
