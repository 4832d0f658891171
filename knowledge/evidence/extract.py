"""Answers a question with sentences and table rows of its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..text.values import ValueKind
from .confidence import judge
from .headings import asks_for_names
from .models import Evidence, Extract, ExtractedSentence, Quote
from .question import QuestionAnalysis
from .question_words import AnswerType
from .scoring import Scored, Weigh, coverage, score_units, term_weights
from .table_rows import show_row
from .terms import question_terms, terms, value_keys
from .units import CLAUSE_LENGTH, Unit, cut_units, quote, widen_to_clause

# What, why, which rules, is it allowed: a rule and its exception are two clauses.
_OPEN = frozenset(
    {
        AnswerType.TEXT,
        AnswerType.REASON,
        AnswerType.SUMMARY,
        AnswerType.LIST,
        AnswerType.DEFINITION,
        AnswerType.YES_NO,
    }
)
# Below this confidence nothing is quoted: the evidence does not answer.
ANSWERED = 0.35
# A second unit must come this close to the best one (the score is a sum of weighted shares, some 15 to 25 for a good
# answer); one further away is only noise beside a clear answer. On the training halves of the four sets nearly
# every answer within the best two units is found within this distance, with a tenth to a quarter less text.
CLOSE = 3.5
# A unit beyond the number that a plain question gets must come this close: a larger distance found no more answers.
CLOSE_FURTHER = 3.0
# Share of the words that a sentence of another document must have in common to be the same rule once more.
_SAME_RULE = 0.9
# So many of the best candidates are compared by vectors, up to so many characters of each (about 40 ms each on a CPU).
COMPARED = 10
COMPARED_CHARACTERS = 180
# Points of score for a cosine of 1 above the candidates' mean. On 120 questions about regulations 45 puts the right
# clause first in .66 of the cases instead of .62, and among the first three in .84 instead of .81.
NEARNESS = 45.0

Similarity = Callable[[Sequence[str]], Sequence[float]]


class _Chosen(NamedTuple):
    """A unit that is quoted, and where else the same rule stands."""

    unit: Unit
    score: float
    twin: Unit | None = None


def extract_answer(
    question: QuestionAnalysis,
    evidence: Sequence[Evidence],
    *,
    max_sentences: int = 2,
    idf: Callable[[str], float] | None = None,
    similarity: Similarity | None = None,
) -> Extract:
    """The sentences or table rows that answer, quoted byte for byte, best first.

    Args:
        question: from `analyse_question`.
        evidence: numbered sources, best first.
        max_sentences: how many units (sentences, rows, lead-ins with their items) answer a plain question at most;
            see `allowed_units` for others.
        idf: weight of a search token in the library; without it rarity within the evidence counts.
        similarity: cosine of each text with the question; consulted for open questions only.
    """
    groups = [cut_units(source) for source in evidence]
    units = [unit for group in groups for unit in group]
    if not units or max_sentences < 1:
        return Extract(confidence=0.0, missing=question.focus)
    weigh = term_weights(units, idf)
    scored = score_units(question, groups, weigh)
    # A heading repeats the question better than any sentence, and answers it only where nothing else is there.
    # So does another question (of a list of questions and answers).
    ranked = [one for one in scored if not one.unit.is_heading and not _asks(one.unit)]
    ranked = ranked or [one for one in scored if not one.unit.only_names or asks_for_names(question.text)]
    if not ranked:
        return Extract(confidence=0.0, missing=question.focus)
    verdict = judge(question, ranked, groups, weigh)
    if verdict.confidence < ANSWERED:
        return Extract(confidence=verdict.confidence, missing=verdict.missing)
    compared = _by_meaning(question, ranked, similarity)
    chosen = _with_antecedent(_choose(question, compared, groups, max_sentences), groups, max_sentences)
    sentences = tuple(_show(question, one, verdict.confidence, weigh) for one in chosen)
    return Extract(sentences=sentences, confidence=verdict.confidence)


def _asks(unit: Unit) -> bool:
    return unit.text.rstrip(" \"'”’」』)）").endswith(("?", "？"))


def _by_meaning(
    question: QuestionAnalysis, ranked: Sequence[Scored], similarity: Similarity | None
) -> Sequence[Scored]:
    """The candidates for an open question in the order that their vectors suggest, too.

    How sure the answer is has been judged before, on the scale that was fitted without vectors.
    """
    if similarity is None or question.answer_type not in _OPEN:
        return ranked
    head, rest = ranked[:COMPARED], ranked[COMPARED:]
    near = similarity([one.unit.text[:COMPARED_CHARACTERS] for one in head])
    mean = sum(near) / len(near)
    moved = [one._replace(score=one.score + NEARNESS * (s - mean)) for one, s in zip(head, near, strict=True)]
    return [*sorted(moved, key=lambda one: -one.score), *rest]


def allowed_units(question: QuestionAnalysis, max_sentences: int) -> int:
    """How many units may answer a question: one more than `max_sentences` where it is open.

    A plain fact (a number, date, person, place …) stands in one sentence. What is to be done, whether it is allowed,
    under which conditions and why, is often spread over several clauses; the further unit has to be such a numbered
    clause and to come close to the best one. Who wants a single sentence gets one.
    """
    return max_sentences + 1 if question.answer_type in _OPEN and max_sentences > 1 else max_sentences


def _choose(
    question: QuestionAnalysis, ranked: Sequence[Scored], groups: Sequence[Sequence[Unit]], limit: int
) -> list[_Chosen]:
    by_block = {id(units[0].source): units for units in groups if units}
    allowed = allowed_units(question, limit)
    chosen: list[_Chosen] = []
    for one in ranked:
        if chosen and chosen[0].score - one.score > CLOSE:
            break
        # A plain fact is quoted as its sentence alone; the citation shows the clause around it.
        is_open = question.answer_type in _OPEN
        wide = widen_to_clause(one.unit, by_block[id(one.unit.source)]) if is_open else one.unit
        if _merged(chosen, wide) or _is_twin(chosen, wide):
            continue
        if len(chosen) >= allowed:
            break
        if len(chosen) >= limit and not (wide.starts_clause and chosen[0].score - one.score <= CLOSE_FURTHER):
            break
        if not any(_repeats(wide, other.unit) for other in chosen) and not _is_other_row(question, chosen, wide):
            chosen.append(_Chosen(wide, one.score))
    return chosen


def _is_other_row(question: QuestionAnalysis, chosen: Sequence[_Chosen], unit: Unit) -> bool:
    """Whether a further table row is beside the point: one value is asked for, and a better row is there.

    A question that names several ids gets a row for each.
    """
    if unit.row is None or not chosen or question.answer_type in _OPEN:
        return False
    ids = {value.key for value in question.values if value.kind is ValueKind.IDENTIFIER}
    held = {key for other in chosen for key in value_keys(other.unit.text)}
    wanted = (ids - held) & value_keys(unit.text)
    return not wanted and any(other.unit.row is not None for other in chosen)


def _with_antecedent(chosen: list[_Chosen], groups: Sequence[Sequence[Unit]], limit: int) -> list[_Chosen]:
    """Where room is left, a first sentence that begins with a pronoun takes along the sentence before it."""
    first = chosen[0].unit
    if len(chosen) >= limit or not first.starts_with_pronoun or first.position == 0:
        return chosen
    units = next(units for units in groups if units and units[0].source is first.source)
    before = units[first.position - 1]
    if before.row is not None or before.is_heading or first.end - before.start > CLAUSE_LENGTH:
        return chosen
    return [chosen[0]._replace(unit=first._replace(start=min(before.start, first.start))), *chosen[1:]]


def _merged(chosen: list[_Chosen], unit: Unit) -> bool:
    """Whether a unit overlaps with one that was chosen, which then takes it in."""
    for index, one in enumerate(chosen):
        other = one.unit
        if unit.source is other.source and unit.start < other.end and other.start < unit.end:
            joined = other._replace(start=min(unit.start, other.start), end=max(unit.end, other.end))
            chosen[index] = one._replace(unit=joined)
            return True
    return False


def _is_twin(chosen: list[_Chosen], unit: Unit) -> bool:
    """Whether another document says the same as a chosen unit, which then names both places."""
    for index, one in enumerate(chosen):
        other = one.unit
        if unit.source.document.doc_id == other.source.document.doc_id or unit.row or other.row:
            continue
        mine, theirs = terms(unit.text), terms(other.text)
        if len(mine & theirs) >= _SAME_RULE * max(len(mine), len(theirs)):
            chosen[index] = one if one.twin else one._replace(twin=unit)
            return True
    return False


def _repeats(unit: Unit, other: Unit) -> bool:
    mine, theirs = terms(unit.text), terms(other.text)
    return len(mine & theirs) > 0.8 * min(len(mine), len(theirs))


def _show(question: QuestionAnalysis, one: _Chosen, confidence: float, weigh: Weigh) -> ExtractedSentence:
    unit = one.unit
    if unit.row is None:
        quotes = (unit.quote(), *((one.twin.quote(),) if one.twin else ()))
        return ExtractedSentence(text=unit.text, quotes=quotes, score=confidence)
    asked = question.terms | question_terms(question.text)
    text = show_row(unit.row, lambda name: coverage(terms(name), asked, weigh), question.language)
    header: Quote = quote(unit.source, unit.row.header_start, unit.row.header_end)
    return ExtractedSentence(text=text, quotes=(unit.quote(), header), score=confidence)
