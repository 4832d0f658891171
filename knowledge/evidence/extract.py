"""Answers a question with sentences and table rows of its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .confidence import judge
from .models import Evidence, Extract, ExtractedSentence, Quote
from .question import QuestionAnalysis
from .scoring import Scored, Weigh, coverage, score_units, term_weights
from .table_rows import show_row
from .terms import terms
from .units import UNIT_LENGTH, Unit, cut_units, quote, widen_to_clause

# Below this confidence nothing is quoted: the evidence does not answer.
ANSWERED = 0.35
# A further sentence must come this close to the best one (the score is a sum of weighted shares, 10 to 20 for a good
# answer); a sentence further away is only noise beside a clear answer.
CLOSE = 5.0


def extract_answer(
    question: QuestionAnalysis,
    evidence: Sequence[Evidence],
    *,
    max_sentences: int = 2,
    idf: Callable[[str], float] | None = None,
) -> Extract:
    """The sentences or table rows that answer, quoted byte for byte, best first.

    Args:
        question: from `analyse_question`.
        evidence: numbered sources, best first.
        max_sentences: how many units (sentences, rows, lead-ins with their items) at most.
        idf: weight of a search token in the library; without it rarity within the evidence counts.
    """
    groups = [cut_units(source) for source in evidence]
    units = [unit for group in groups for unit in group]
    if not units or max_sentences < 1:
        return Extract(confidence=0.0, missing=question.focus)
    weigh = term_weights(units, idf)
    scored = score_units(question, groups, weigh)
    # A heading repeats the question better than any sentence, and answers it only where nothing else is there.
    ranked = [one for one in scored if not one.unit.is_heading] or scored
    verdict = judge(question, ranked, groups, weigh)
    if verdict.confidence < ANSWERED:
        return Extract(confidence=verdict.confidence, missing=verdict.missing or question.focus[:1] or (question.text,))
    chosen = _with_antecedent(_choose(ranked, groups, max_sentences), groups, max_sentences)
    sentences = tuple(_show(question, one, verdict.confidence, weigh) for one in chosen)
    return Extract(sentences=sentences, confidence=verdict.confidence, missing=verdict.missing)


def _choose(ranked: Sequence[Scored], groups: Sequence[Sequence[Unit]], limit: int) -> list[Scored]:
    by_block = {id(units[0].source): units for units in groups if units}
    chosen: list[Scored] = []
    for one in ranked:
        if chosen and chosen[0].score - one.score > CLOSE:
            break
        wide = one._replace(unit=widen_to_clause(one.unit, by_block[id(one.unit.source)]))
        if _merged(chosen, wide):
            continue
        if len(chosen) == limit:
            break
        if not any(_repeats(wide.unit, other.unit) for other in chosen):
            chosen.append(wide)
    return chosen


def _with_antecedent(chosen: list[Scored], groups: Sequence[Sequence[Unit]], limit: int) -> list[Scored]:
    """Where room is left, a first sentence that begins with a pronoun takes along the sentence before it."""
    first = chosen[0].unit
    if len(chosen) >= limit or not first.starts_with_pronoun or first.position == 0:
        return chosen
    units = next(units for units in groups if units and units[0].source is first.source)
    before = units[first.position - 1]
    if before.row is not None or before.is_heading or first.end - before.start > UNIT_LENGTH:
        return chosen
    return [chosen[0]._replace(unit=first._replace(start=min(before.start, first.start))), *chosen[1:]]


def _merged(chosen: list[Scored], one: Scored) -> bool:
    """Whether a unit overlaps with one that was chosen, which then takes it in."""
    for index, other in enumerate(chosen):
        unit = other.unit
        if unit.source is one.unit.source and unit.start < one.unit.end and one.unit.start < unit.end:
            joined = unit._replace(start=min(unit.start, one.unit.start), end=max(unit.end, one.unit.end))
            chosen[index] = other._replace(unit=joined)
            return True
    return False


def _repeats(unit: Unit, other: Unit) -> bool:
    mine, theirs = terms(unit.text), terms(other.text)
    return len(mine & theirs) > 0.8 * min(len(mine), len(theirs))


def _show(question: QuestionAnalysis, one: Scored, confidence: float, weigh: Weigh) -> ExtractedSentence:
    unit = one.unit
    if unit.row is None:
        return ExtractedSentence(text=unit.text, quotes=(unit.quote(),), score=confidence)
    text = show_row(unit.row, lambda name: coverage(question.terms, terms(name), weigh), question.language)
    header: Quote = quote(unit.source, unit.row.header_start, unit.row.header_end)
    return ExtractedSentence(text=text, quotes=(unit.quote(), header), score=confidence)
