"""How far notes answer each sub-question, and whether a block bears on any, by the rules that judge evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...context import Resources
from ...decisions import Finding, SubTask, Sufficiency, TaskVerdict
from ...knowledge.evidence.models import Evidence, ExtractedSentence, Span
from ...knowledge.evidence.question import analyse_question
from ...knowledge.evidence.terms import terms
from ...knowledge.questions.models import Combination
from ...knowledge.searchable import context_of
from ..by_rules.judge import GREY_ABOVE, GREY_BELOW, Means, judge_by_rules, part_name
from ..tasks import filled, short_answers

_SETTLED = (Sufficiency.ANSWERED, Sufficiency.CONFLICTING)


class Bearing(NamedTuple):
    """How a block bears on the open sub-questions."""

    sentences: tuple[ExtractedSentence, ...] = ()
    """What it says about them, the surest first; empty: nothing."""
    parts: tuple[str, ...] = ()
    """The sub-questions that these are about."""
    confidence: float = 0.0
    """The highest of all parts."""

    @property
    def is_near(self) -> bool:
        """Whether it speaks of what is asked without answering."""
        return self.confidence >= GREY_BELOW

    @property
    def is_sure(self) -> bool:
        """Whether it answers without doubt."""
        return bool(self.sentences) and self.confidence >= GREY_ABOVE


def means_of(given: Resources, parts: int) -> Means:
    """What judging needs; without vectors, which would take half a second a block."""
    answer = given.settings.answer
    return Means(
        max_sentences=answer.max_sentences,
        min_confidence=answer.min_confidence,
        one_of_several=parts > 1,
        idf=given.library.idf(given.caller),
        similarity=lambda _: None,
        summary_sentences=answer.summary_sentences,
    )


def verdicts_on(
    parts: Sequence[SubTask], combination: Combination, evidence: Sequence[Evidence], means: Means
) -> tuple[TaskVerdict, ...]:
    """One verdict a sub-question; one that needs a name which is not found yet is missing."""
    found: list[TaskVerdict] = []
    for part in parts:
        asked = askable(part, found)
        found.append(judge_by_rules(asked, combination, evidence, means) if asked and evidence else _missing(part))
    return tuple(found)


def askable(part: SubTask, verdicts: Sequence[TaskVerdict]) -> SubTask | None:
    """The sub-question with the names that earlier ones brought; None while one of them is not known."""
    answers = short_answers(verdicts)
    return filled(part, answers) if all(name in answers for name in part.depends_on) else None


def _missing(part: SubTask) -> TaskVerdict:
    return TaskVerdict(
        task_id=part.id,
        question=part.question,
        sufficiency=Sufficiency.MISSING,
        finding=Finding(),
        missing=(part_name(part.question),),
    )


def bearing_of(
    source: Evidence,
    parts: Sequence[SubTask],
    verdicts: Sequence[TaskVerdict],
    combination: Combination,
    means: Means,
    least: float,
) -> Bearing:
    """What a block says about the sub-questions that can be asked by now.

    Args:
        source: the block.
        parts: the sub-questions.
        verdicts: on them, so far.
        combination: of the parts.
        means: of judging.
        least: the share of a sub-question's words that a block must hold to bear on it. How sure an extract is has been
            fitted to what a search finds; of any other block it says nothing.
    """
    said: list[tuple[float, str, tuple[ExtractedSentence, ...]]] = []
    for part in parts:
        asked = askable(part, verdicts)
        if asked is not None and (not least or share_of_words(asked.question, source, means.idf) >= least):
            finding = judge_by_rules(asked, _alone(combination), (source,), means).finding
            said.append((finding.confidence, part.id, finding.sentences))
    said.sort(key=lambda item: -item[0])
    quoted = {sentence.text: sentence for _, _, sentences in said for sentence in sentences}
    return Bearing(
        sentences=tuple(quoted.values()),
        parts=tuple(part for _, part, sentences in said if sentences),
        confidence=said[0][0] if said else 0.0,
    )


def _alone(combination: Combination) -> Combination:
    """One block is no table of all blocks, and no edition of a text by itself."""
    return Combination.LIST if combination is Combination.VERSION else combination


def share_of_words(question: str, source: Evidence, idf: Callable[[str], float]) -> float:
    """The share of a question's weight in words that a block, its headings and its title hold; 0 to 1."""
    wanted = {term: idf(term) for term in analyse_question(question).terms}
    total = sum(wanted.values())
    held = terms(f"{context_of(source.document, source.block)}\n{source.block.text}")
    return sum(weight for term, weight in wanted.items() if term in held) / total if total else 0.0


def spans_of(source: Evidence, sentences: Sequence[ExtractedSentence]) -> tuple[Span, ...]:
    """Where sentences stand in a block, each place once."""
    own = (quote.span for s in sentences for quote in s.quotes if quote.block_id == source.block.block_id)
    return tuple(dict.fromkeys(own))


def open_parts(parts: Sequence[SubTask], verdicts: Sequence[TaskVerdict]) -> tuple[str, ...]:
    """The sub-questions that are not answered, in their own words."""
    settled = {verdict.task_id for verdict in verdicts if verdict.sufficiency in _SETTLED}
    return tuple(part_name(part.question) for part in parts if part.id not in settled)


def doubtful_parts(parts: Sequence[SubTask], verdicts: Sequence[TaskVerdict]) -> tuple[str, ...]:
    """The sub-questions that are not answered, or not beyond doubt, in their own words."""
    sure = {v.task_id for v in verdicts if v.conclusion is not None or v.finding.confidence >= GREY_ABOVE}
    return open_parts(parts, [verdict for verdict in verdicts if verdict.task_id in sure])


def is_sure(parts: Sequence[SubTask], verdicts: Sequence[TaskVerdict]) -> bool:
    """Whether every sub-question is answered beyond doubt."""
    return not doubtful_parts(parts, verdicts)
