"""Reads the cells back from a table row as it is shown, and picks the ones that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..text.values import ValueKind
from .models import ExtractedSentence
from .phrases import content_words, word_share
from .question import QuestionAnalysis
from .table_rows import split_cells
from .terms import question_terms, terms, values

_PAIR = re.compile(r"(?:^|，|,\s)(?P<label>[^，,：:*\n]{1,40}?)\s*(?:：|:\s)\s*")
_LONGEST_LINE = 60
_CLAUSES = re.compile(r"[，；;]|,\s|。.")
_UNIT = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
# A column that says what the numbers of its row are measured in.
UNIT_LABEL = re.compile(
    r"(?:(?:计量|计价|货币)?单位|币种|币别|货币(?:种类)?)?\s*(?:units?|currency|unit of measure)?", re.IGNORECASE
)
_NO_AMOUNT = re.compile(
    r"面议|[电另]询|待定|未定|暂无|无|不详|未知|另议|见.{1,12}|[-—–/／*?？]+"
    r"|n\s*[/.]?\s*a\.?|tb[dca]|on request|upon request|unknown|pending|none|open|see .{1,20}",
    re.IGNORECASE,
)
_INEXACT = re.compile(
    r"[约≈~～≤≥<>＜＞±]|大约|大概|近|不|超|至[多少]|approx|about|ca\.|circa|at (?:least|most)|up to|over|under"
    r"|[(（]?[-+−－]?\d",
    re.IGNORECASE,
)
# A label is asked for if the question holds this share of its words.
_ASKED = 0.5
# Of two labels one is clearly the better if its rating is higher by so much.
_CLEARLY = 0.15


class Cell(NamedTuple):
    """A cell of a shown row, with the name of its column."""

    label: str
    text: str
    start: int
    """Where the text begins in the shown row."""


def shown_cells(sentence: str) -> tuple[Cell, ...]:
    """The cells of a row shown as `name: value, name: value`; empty for a sentence."""
    pairs = list(_PAIR.finditer(sentence))
    if not pairs or pairs[0].start() != 0 or (len(pairs) == 1 and not _is_line(sentence)):
        return ()
    if any(value.kind is ValueKind.DATE for pair in pairs for value in values(pair["label"])):
        return ()  # an entry of a diary (2025年3月1日：开工) is no row
    ends = [pair.start() for pair in pairs[1:]] + [len(sentence)]
    return tuple(
        Cell(pair["label"].strip(), sentence[pair.end() : end].strip(), pair.end())
        for pair, end in zip(pairs, ends, strict=True)
    )


def withholds_amount(text: str) -> bool:
    """Whether a cell stands for an amount without giving one exactly: 面议, 约1,200.50, n/a, 5–8."""
    return _NO_AMOUNT.fullmatch(text.strip()) is not None or _INEXACT.match(text.strip()) is not None


def quoted_cells(sentence: ExtractedSentence) -> tuple[Cell, ...]:
    """All cells of a row that is quoted with its header, those that are not shown, too; empty for a sentence."""
    row, header = (sentence.quotes[0].text, sentence.quotes[-1].text) if len(sentence.quotes) > 1 else ("", "")
    if not (row.startswith("|") and header.startswith("|")):
        return ()
    pairs = zip(split_cells(header), split_cells(row), strict=False)
    return tuple(Cell(label, text, 0) for label, text in pairs)


def row_unit(cells: Sequence[Cell]) -> str:
    """What the row says in a column of units or currencies; empty where it has none."""
    named = (cell.text for cell in cells if cell.label.strip() and UNIT_LABEL.fullmatch(cell.label.strip()))
    return next(named, "")


def column_at(sentence: str, place: int) -> str:
    """The name of the column, without its unit, that a place of a shown row belongs to; empty for a sentence."""
    behind = [cell for cell in shown_cells(sentence) if cell.start <= place]
    return _UNIT.sub("", behind[-1].label).casefold() if behind else ""


def _is_line(sentence: str) -> bool:
    """Whether a single `label: value` is a line of a form and no sentence with a colon in it."""
    return len(sentence) <= _LONGEST_LINE and _CLAUSES.search(sentence) is None


def label_rating(label: str, question: QuestionAnalysis) -> float:
    """How clearly a question asks for a column: the share of its name that the question holds, and the other way."""
    name = _UNIT.sub("", label)
    words = content_words(name)
    asked = question.terms | question_terms(question.asked)
    if not words:
        return 0.0
    share = sum(word_share(word, asked) for word in words) / len(words)
    focus = [
        word
        for phrase in (*question.focus, *((question.kind,) if question.kind else ()))
        for word in content_words(phrase)
    ]
    held = terms(name)
    back = sum(word_share(word, held) for word in focus) / len(focus) if focus else 0.0
    return 0.6 * share + 0.4 * back if share >= _ASKED or back >= _ASKED else 0.0


def best_cell(rated: Sequence[tuple[Cell, float]]) -> Cell | None:
    """The cell with the clearly highest rating above 0."""
    ordered = sorted(rated, key=lambda pair: -pair[1])
    if not ordered or ordered[0][1] <= 0:
        return None
    runner_up = next((rating for cell, rating in ordered[1:] if cell.text != ordered[0][0].text), 0.0)
    return ordered[0][0] if ordered[0][1] - runner_up >= _CLEARLY else None
