"""Reads the cells back from a table row as it is shown, and picks the ones that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..text.values import ValueKind
from .phrases import content_words, word_share
from .question import QuestionAnalysis
from .terms import question_terms, terms, values

_PAIR = re.compile(r"(?:^|，|,\s)(?P<label>[^，,：:*\n]{1,40}?)\s*(?:：|:\s)\s*")
_LONGEST_LINE = 60
_CLAUSES = re.compile(r"[，；;]|,\s|。.")
_UNIT = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
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
