# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Which of the values in a quoted sentence or row is the one that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..text.dates import is_year
from ..text.normalise import fold_widths, has_chinese
from ..text.tokens import stem
from ..text.values import Value, ValueKind
from .amounts import MEASURED, amounts, cell_amount
from .names import names_in
from .nearest_value_hints import of_hinted_unit
from .phrases import chinese_words, content_words, english_words, word_share
from .question import QuestionAnalysis
from .question_words import GENERIC_NOUNS, WANTED_VALUES
from .shown_cells import Cell, best_cell, label_rating, row_unit, shown_cells, withholds_amount
from .synonyms import group_terms
from .terms import ValueKey, question_terms

# The best value must stand this much nearer to what is asked for than the best other one. On quoted sentences about
# 120 pairs of companies a lower ratio read more values, and wrong ones among them.
CLEARLY_NEARER = 1.2
# What is asked for counts twice as much as the other words of the question; a word that names any value counts little.
_FOCUS, _OTHER, _GENERIC = 2.0, 1.0, 0.3
# A value so many characters behind a word counts half as near as one right behind it.
_HALF_NEAR = {True: 8.0, False: 20.0}
# Characters of distance that a value before its word, a comma and the end of a sentence between them are worth.
_BEFORE, _COMMA, _STOP = 10, 16, 40
# A subject leads to all the values behind it in its sentence, so nearness counts for less.
_LONG_REACH = 3.0
# What a value before the subject's name keeps of the weight of one right behind it.
_OTHER_SUBJECT = 0.1
_CHANGED_FROM = re.compile(r"(?:[从由自]|\bfrom)\s*(?:[^\W\d]{0,4}的)?$", re.IGNORECASE)
_CHANGED_TO = re.compile(r"[^，。,;；\d]{0,10}(?:到|至|为|\bto)(?:了)?\s*", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:[-–—~～、/]|至|到|或者?|和|与|及|以及|\bto\b|\bor\b|\band\b)\s*", re.IGNORECASE)
_STATED = re.compile(
    r"(?P<thing>[^，,。;；：:、\s\d]{2,16}?)(?<!调整|变更|改变|提高|提升|延长|推迟|修改|更改|缩短|降低|扩大|修订)(?:均|都|各|分别|也|仅|只|共|约|将|应|就)*(?:为|是|达到?)了?$"
    r"|(?P<thing2>(?:[A-Za-z'’-]+ ){1,4}?)(?:reached|is|was|are|were|amounted to|stood at|totall?ed)\s$",
    re.IGNORECASE,
)
_COMMAS = re.compile(r"[，、](?=\D)|[;；]|,(?!\d)|\s(?:and|while|but)\s|而")
_STOPS = re.compile(r"[。！？!?\n]|\.(?=\s|$)")
# How long a thing is may be meant in characters or metres.
_HOW_LONG = re.compile(r"\bhow long\b", re.IGNORECASE)
_SIZES = frozenset({ValueKind.NUMBER, ValueKind.QUANTITY})


class Rated(NamedTuple):
    """A value and how near it stands to what is asked for; higher is nearer."""

    value: Value
    rating: float


def wanted_kinds(question: QuestionAnalysis) -> tuple[frozenset[ValueKind], ...]:
    """The kinds of values that answer, best first; those that have a size where the question does not say."""
    kinds = WANTED_VALUES.get(question.answer_type)
    if kinds is None:
        return (MEASURED,)
    of_size = _SIZES if _HOW_LONG.search(question.text) else frozenset()
    return tuple(tier for tier in (*kinds, of_size) if tier)


def rated_values(
    question: QuestionAnalysis, sentence: str, subject: str, tiers: Sequence[frozenset[ValueKind]], unit: str = ""
) -> list[Rated]:
    """The values of the first tier of kinds that the sentence has any of, with their ratings.

    Values that the question or the subject states are none. In a row only the cells of the asked column count; where
    that holds no value of the kind, no other cell stands in for it.

    Args:
        question: what is asked.
        sentence: a quoted sentence, or a row as it is shown.
        subject: the name that the question is about; may be empty.
        tiers: kinds of values, best first.
        unit: what the numbers of the row are measured in by a column that is not shown.
    """
    cells = shown_cells(sentence)
    known = frozenset(value.key for value in (*question.values, *amounts(question.text), *amounts(subject)))
    for kinds in tiers:
        found = (
            _in_cells(question, cells, kinds, known, row_unit(cells) or unit)
            if cells
            else _in_text(question, sentence, subject, kinds, known)
        )
        if found:
            return of_hinted_unit(question, found, lambda one: one.value)
    return []


def nearest(rated: Sequence[Rated]) -> Value | None:
    """The value that stands clearly nearest; None where several differ and none does."""
    ordered = sorted(rated, key=lambda one: -one.rating)
    if not ordered:
        return None
    other = next((one.rating for one in ordered[1:] if one.value.key != ordered[0].value.key), None)
    if other is not None and ordered[0].rating < CLEARLY_NEARER * other:
        return None
    return ordered[0].value if other is None or ordered[0].rating > 0 else None


def _in_cells(
    question: QuestionAnalysis,
    cells: Sequence[Cell],
    kinds: frozenset[ValueKind],
    known: frozenset[ValueKey],
    unit: str,
) -> list[Rated]:
    readable = [
        (cell, values)
        for cell in cells
        if (values := [value for value in _cell_values(cell, unit) if value.kind in kinds and value.key not in known])
    ]
    if not readable or _asks_for_unreadable(question, cells, [cell for cell, _ in readable]):
        return []
    chosen = readable[0][0] if len(readable) == 1 else _asked_cell(question, cells, [cell for cell, _ in readable])
    kept = [(cell, values) for cell, values in readable if chosen is None or cell is chosen]
    return [Rated(value, 1.0) for _, values in kept for value in values]


def _asks_for_unreadable(question: QuestionAnalysis, cells: Sequence[Cell], readable: Sequence[Cell]) -> bool:
    """Whether the question names a column of which the row gives no value (面议), and no column with one as clearly."""
    named = [(label_rating(cell.label, question), cell) for cell in cells if cell.label and cell.text]
    best = max((rating for rating, cell in named if cell in readable), default=0.0)
    return any(
        rating > best
        and cell not in readable
        and withholds_amount(cell.text)
        and cell.text.casefold() not in question.text.casefold()
        for rating, cell in named
    )


def _asked_cell(question: QuestionAnalysis, cells: Sequence[Cell], readable: Sequence[Cell]) -> Cell | None:
    """The cell of the asked column; in a form, where labels are cells, too, the one right of its label."""
    rated = [(cell, label_rating(cell.label, question)) for cell in readable]
    if any(rating > 0 for _, rating in rated):
        return best_cell(rated)
    behind = [cell for label, cell in pairwise(cells) if label.text and label.text in question.text]
    fitting = [cell for cell in behind if cell in readable]
    return fitting[0] if len(fitting) == 1 else None


def _cell_values(cell: Cell, unit: str) -> Iterator[Value]:
    whole = cell_amount(cell.label, cell.text, table_unit=unit)
    for value in (whole,) if whole is not None else amounts(cell.text):
        yield value._replace(start=cell.start + value.start, end=cell.start + value.end)


def _in_text(
    question: QuestionAnalysis, text: str, subject: str, kinds: frozenset[ValueKind], known: frozenset[ValueKey]
) -> list[Rated]:
    values = [
        value for value in amounts(text) if value.kind in kinds and value.key not in known and not _is_bare_year(value)
    ]
    if not values:
        return []
    weights = _weighted_words(question, subject)
    places = [(weight, places) for word, weight in weights.items() if (places := _places(word, text))]
    named = _subject_places(subject, text) if subject else []
    half = _HALF_NEAR[has_chinese(text)]
    rated = [
        Rated(
            value,
            _belongs(named, value, _others(subject, text), _LONG_REACH * half)
            + sum(w * max(half / (half + _distance(text, place, value)) for place in found) for w, found in places),
        )
        for value in values
        if not _is_left_behind(text, value, values) and not _is_of_another_thing(text, value, question)
    ]
    return list(_with_alternatives(text, rated))


def _with_alternatives(text: str, rated: Sequence[Rated]) -> Iterator[Rated]:
    """The values, those that are joined as a range or a choice (5至8万元, 5 or 8) all as near as the nearest of them."""
    index = 0
    while index < len(rated):
        end = index + 1
        while end < len(rated) and _JOINED.fullmatch(text[rated[end - 1].value.end : rated[end].value.start]):
            end += 1
        best = max(one.rating for one in rated[index:end])
        yield from (one._replace(rating=best) for one in rated[index:end])
        index = end


def _belongs(named: Sequence[tuple[int, int]], value: Value, others: Sequence[int], half: float) -> float:
    """How near a value stands behind the name of the subject.

    One before the name, or with another name in between, belongs to something else.
    """
    gaps = [
        value.start - end for _, end in named if value.start >= end and not any(end <= o < value.start for o in others)
    ]
    if gaps:
        return _FOCUS * half / (half + min(gaps))
    return _FOCUS * _OTHER_SUBJECT if named else 0.0


def _others(subject: str, text: str) -> list[int]:
    """Where ids and organisations other than the subject stand."""
    names = [name for name in names_in(text) if name not in subject and subject not in name]
    ids = [value.start for value in amounts(text) if value.kind is ValueKind.IDENTIFIER and value.raw != subject]
    return [*ids, *(text.find(name) for name in names)]


def _is_of_another_thing(text: str, value: Value, question: QuestionAnalysis) -> bool:
    """Whether the sentence says in so many words what the value is of, and the question does not ask for that."""
    stated = _STATED.search(text[: value.start])
    thing = (stated["thing"] or stated["thing2"] or "").strip() if stated else ""
    words = content_words(thing)
    if not words:
        return False
    if has_chinese(thing) and thing[-2:] in question.text and thing[-2:] not in GENERIC_NOUNS:
        return False
    if words[-1] in GENERIC_NOUNS:
        return _says_another(words[:-1], question)
    asked = question.terms | question_terms(question.text)
    return word_share(words[-1], asked) == 0


def _says_another(words: Sequence[str], question: QuestionAnalysis) -> bool:
    """Whether what an amount is said to be of (投资 of 投资金额) has nothing of what the question wants the amount of."""
    wanted = [phrase for phrase in question.focus if phrase not in GENERIC_NOUNS]
    if not words or not wanted or len(wanted) == len(question.focus):
        return False
    asked = question_terms(wanted[0])
    return all(word_share(word, asked) == 0 for word in words)


def _is_left_behind(text: str, value: Value, values: Sequence[Value]) -> bool:
    """Whether a value is what something changed from: the 80% in 从80%提高到85%."""
    if not _CHANGED_FROM.search(text[: value.start]):
        return False
    later = [
        other for other in values if other.start >= value.end and (other.kind, other.unit) == (value.kind, value.unit)
    ]
    return bool(later) and _CHANGED_TO.fullmatch(text[value.end : later[0].start]) is not None


def _is_bare_year(value: Value) -> bool:
    return value.kind is ValueKind.NUMBER and is_year(value.raw)


def _weighted_words(question: QuestionAnalysis, subject: str) -> dict[str, float]:
    """The words of the question that lead to the value; those of the subject do so as a whole."""
    weights: dict[str, float] = {}
    of_subject = frozenset(content_words(subject))
    for weight, phrases in ((_FOCUS, question.focus), (_OTHER, question.phrases)):
        for word in (word for phrase in phrases for word in content_words(phrase)):
            if word not in of_subject:
                weights.setdefault(word, _GENERIC if word in GENERIC_NOUNS else weight)
    return weights


def _places(word: str, text: str) -> list[tuple[int, int]]:
    """Where a word, a synonym or most of it stands in a text."""
    folded = fold_widths(text)
    if has_chinese(word):
        found = [match.span() for match in re.finditer(re.escape(word), folded, re.IGNORECASE)]
        return found or _alike(word, text) or _parts(word, folded)
    found = [match.span() for match in re.finditer(rf"(?<![a-z0-9]){re.escape(word)}", folded, re.IGNORECASE)]
    return found or _alike(word, text)


def _alike(word: str, text: str) -> list[tuple[int, int]]:
    groups = group_terms(frozenset((word,)))
    if not groups:
        return []
    words = chinese_words(text) if has_chinese(text) else english_words(text)
    return [(w.start, w.end) for w in words if groups & group_terms(frozenset((stem(w.text.casefold()), w.text)))]


def _parts(word: str, text: str) -> list[tuple[int, int]]:
    pairs = {word[index : index + 2] for index in range(len(word) - 1)} if len(word) > 2 else set()
    return [match.span() for pair in sorted(pairs) for match in re.finditer(re.escape(pair), text, re.IGNORECASE)]


def _subject_places(subject: str, text: str) -> list[tuple[int, int]]:
    """Where the subject stands: HN-3200 not inside of HN-3200B."""
    pattern = rf"(?<![A-Za-z0-9-]){re.escape(subject)}(?![A-Za-z0-9])" if subject[-1:].isascii() else re.escape(subject)
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


def _distance(text: str, place: tuple[int, int], value: Value) -> float:
    start, end = place
    behind = value.start >= end
    between = text[end : value.start] if behind else text[value.end : start]
    borders = _COMMA * len(_COMMAS.findall(between)) + _STOP * len(_STOPS.findall(between))
    return len(between) + borders + (0 if behind else _BEFORE)
