"""Computes a conclusion from the quoted answers to the parts of a question: a comparison, an order, a difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from ..questions.models import Combination
from ..text.values import Value, ValueKind
from .amounts import DATED, MEASURED, amounts
from .bounds import Direction, bounds
from .comparatives import asked_end, comparative
from .conclusion_subjects import is_qualified, owns
from .conclusion_values import asks_for_loss, is_denied, is_loss, period_of, sort_of
from .conclusion_wording import Operands, difference_text, order_text
from .models import ExtractedSentence, Quote
from .nearest_value import Rated, nearest, rated_values, wanted_kinds
from .order import compare
from .paired_values import paired_values
from .question import QuestionAnalysis
from .question_words import AnswerType
from .shown_cells import column_at, quoted_cells, row_unit

# So many sentences of a part are read; what stands further down the list answers less surely.
_READ = 3
_LATER_SENTENCE = 0.9
_ORDERS = {
    Combination.LARGER: (MEASURED, 1),
    Combination.SMALLER: (MEASURED, -1),
    Combination.EARLIER: (DATED, -1),
    Combination.LATER: (DATED, 1),
}
_TIMED = frozenset({Combination.EARLIER, Combination.LATER})


class PartAnswer(NamedTuple):
    """A part of a question with the quotes that answer it, best first."""

    question: QuestionAnalysis
    subject: str
    """The name that the part is about; without one its answer cannot be told from those of the other parts."""
    sentences: tuple[ExtractedSentence, ...]


class Operand(BaseModel):
    """A value that a conclusion uses, with whose it is and where it stands."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    subject: str = Field(description="the name as the conclusion gives it; of a table row its label")
    text: str = Field(description="the value as in its source, a cell with the unit of its column")
    quotes: tuple[Quote, ...] = Field(min_length=1, description="the row and its header, or the sentence")


class Conclusion(BaseModel):
    """What a rule computes from quoted values; `conclusion_check` computes it again from the quotes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    combination: Combination
    text: str = Field(description="one sentence in the language of the question")
    quotes: tuple[Quote, ...] = Field(description="every operand stands in them byte for byte")
    language: str = Field(pattern="^(zh|en)$")
    operands: tuple[Operand, ...] = Field(description="in the order of the parts, or of the rows")


class _Read(NamedTuple):
    value: Value
    sentence: ExtractedSentence


def conclude(
    combination: Combination, parts: Sequence[PartAnswer], language: str, *, asked: str = ""
) -> Conclusion | None:
    """Compare or subtract the values that answer the parts.

    Args:
        combination: larger, smaller, earlier, later or difference; None is returned for any other.
        parts: at least two, each about a subject of its own.
        language: `zh` or `en`, of the text that is made.
        asked: the whole question, whose word of comparison (便宜, heavier) the text takes up.

    Returns:
        None where a part has no clear value of its own subject, where the values are not of one kind, unit, period or
        column, or where their precision does not decide (2019-10 and 2019-10-05).
    """
    names = [part.subject for part in parts]
    if len(parts) < 2 or not all(names) or len(set(names)) < len(names):
        return None
    together: list[_Read | None] = [*_read_together(combination, parts)]
    read = together or [_read(combination, part, names) for part in parts]
    found = [one for one in read if one is not None]
    whole = " ".join((asked, *(part.question.text for part in parts)))
    if len(found) < len(parts) or _share_a_value(names, found) or not _are_alike(found, whole):
        return None
    operands = [(name, one.value) for name, one in zip(names, found, strict=True)]
    text = _text(combination, operands, language, asked, whole)
    return None if text is None else _conclusion(combination, text, language, names, found)


def _text(combination: Combination, operands: Operands, language: str, whole: str, asked: str) -> str | None:
    if combination is Combination.DIFFERENCE:
        return difference_text(operands, language, asked_end(whole, language))
    if combination not in _ORDERS:
        return None
    values = [value for _, value in operands]
    direction = _ORDERS[combination][1]
    leading = [value for value in values if _leads(value, values, direction)]
    if not leading:
        return None
    word = comparative(asked, combination, values[0].kind, language)
    return order_text(operands, [value in leading for value in values], word, language)


def _leads(value: Value, values: Sequence[Value], direction: int) -> bool:
    """Whether no value lies before this one, and each is comparable with it."""
    orders = [compare(value, other) for other in values]
    return all(order is not None and order * direction >= 0 for order in orders)


def _conclusion(
    combination: Combination, text: str, language: str, names: Sequence[str], found: Sequence[_Read]
) -> Conclusion:
    operands = tuple(
        Operand(subject=name, text=one.value.raw, quotes=one.sentence.quotes)
        for name, one in zip(names, found, strict=True)
    )
    quotes = tuple(dict.fromkeys(quote for operand in operands for quote in operand.quotes))
    return Conclusion(combination=combination, text=text, quotes=quotes, language=language, operands=operands)


def _are_alike(found: Sequence[_Read], asked: str) -> bool:
    """Whether the values are of one sort: equally bounded, of one period and column, no loss beside a gain."""
    losses = {is_loss(one.sentence.text, one.value) for one in found}
    return (
        len({_bound(one) for one in found}) == 1
        and len({period_of(one.sentence.text, one.value) for one in found}) == 1
        and len({sort_of(one.sentence.text, one.value) for one in found}) == 1
        and len({column_at(one.sentence.text, one.value.start) for one in found}) == 1
        and len(losses) == 1
        and (losses == {False} or asks_for_loss(asked))
    )


def _read(combination: Combination, part: PartAnswer, names: Sequence[str]) -> _Read | None:
    """The one value that answers a part, and the sentence that it stands in."""
    rated = [
        (Rated(one.value, one.rating * _LATER_SENTENCE**place), sentence)
        for place, sentence in enumerate(part.sentences[:_READ])
        for one in _rated(combination, part, sentence)
        if _is_its_own(part, names, sentence, one.value)
    ]
    value = nearest([one for one, _ in rated])
    return next((_Read(value, sentence) for one, sentence in rated if one.value == value), None) if value else None


def _read_together(combination: Combination, parts: Sequence[PartAnswer]) -> list[_Read]:
    """The values of all parts where one and the same sentence answers them, each subject with its own value."""
    firsts = [part.sentences[0] for part in parts if part.sentences]
    if len(firsts) < len(parts) or len({one.quotes for one in firsts}) > 1:
        return []
    kinds = frozenset().union(*(tier for part in parts for tier in _kinds(combination, part.question)))
    known = frozenset(value.key for part in parts for value in part.question.values)
    values = paired_values(firsts[0].text, [part.subject for part in parts], kinds, known)
    return [_Read(value, firsts[0]) for value in values]


def _share_a_value(names: Sequence[str], found: Sequence[_Read]) -> bool:
    """Whether two parts read the very same place of a sentence that does not name both of their subjects."""
    for index, one in enumerate(found):
        for other in range(index + 1, len(found)):
            is_same = one.sentence.quotes == found[other].sentence.quotes and one.value == found[other].value
            if is_same and not all(name in one.sentence.text for name in (names[index], names[other])):
                return True
    return False


def _is_its_own(part: PartAnswer, names: Sequence[str], sentence: ExtractedSentence, value: Value) -> bool:
    """Whether a value is the subject's and is not denied."""
    cells = quoted_cells(sentence)
    if cells:
        return not is_qualified(part.subject, [cell.text for cell in cells])
    if is_denied(sentence.text, value):
        return False
    others = [name for name in names if name != part.subject]
    return owns(part.subject, others, sentence.text, value, part.question.text)


def _is_about_another(subject: str, text: str) -> bool:
    """Whether a sentence names an id, and not that of the subject: HN-3200B where HN-3200 is meant."""
    wanted = {value.key for value in amounts(subject) if value.kind is ValueKind.IDENTIFIER}
    named = {value.key for value in amounts(text) if value.kind is ValueKind.IDENTIFIER}
    return bool(wanted and named) and not wanted & named


def _rated(combination: Combination, part: PartAnswer, sentence: ExtractedSentence) -> Iterator[Rated]:
    if _is_about_another(part.subject, sentence.text):
        return
    unit = row_unit(quoted_cells(sentence))
    for one in rated_values(part.question, sentence.text, part.subject, _kinds(combination, part.question), unit):
        written = sentence.text[one.value.start : one.value.end]
        if any(written in quote.text for quote in sentence.quotes):
            yield one


def _kinds(combination: Combination, question: QuestionAnalysis) -> tuple[frozenset[ValueKind], ...]:
    """The wanted kinds that can be compared that way: a part that asks when has no larger answer."""
    comparable = (
        MEASURED | DATED if combination is Combination.DIFFERENCE else _ORDERS.get(combination, (frozenset(), 0))[0]
    )
    if combination in _TIMED and question.answer_type is AnswerType.DURATION:
        comparable = comparable | {ValueKind.DURATION}  # what must be done within the shorter time is done earlier
    own = tuple(tier & comparable for tier in wanted_kinds(question) if tier & comparable)
    return own or ((comparable,) if comparable else ())


def _bound(one: _Read) -> Direction | None:
    if one.value.kind in DATED:
        return None
    return next(
        (bound.direction for bound in bounds(one.sentence.text) if bound.raw and bound.raw in one.value.raw), None
    )
