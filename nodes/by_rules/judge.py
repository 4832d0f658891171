"""Whether the evidence of a sub-question answers it, by rules: the quotes that answer, what is missing, conflicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...decisions import Finding, SubTask, Sufficiency, TaskVerdict
from ...knowledge.evidence.amounts import amounts
from ...knowledge.evidence.conflicts import find_conflict, find_domain_statements
from ...knowledge.evidence.extract import Similarity, extract_answer
from ...knowledge.evidence.library_overview import library_overview
from ...knowledge.evidence.models import Evidence, Extract, ExtractedSentence
from ...knowledge.evidence.named_sections import named_section
from ...knowledge.evidence.named_tables import named_table
from ...knowledge.evidence.nearest_value import rated_values, wanted_kinds
from ...knowledge.evidence.overview import overview, without_asking
from ...knowledge.evidence.question import QuestionAnalysis, analyse_question
from ...knowledge.evidence.question_words import WANTED_VALUES, AnswerType
from ...knowledge.evidence.short_answer import description, short_answer
from ...knowledge.evidence.stated_values import row_with_values
from ...knowledge.evidence.table_sums import conclude_table
from ...knowledge.evidence.version_in_force import VersionInForce, version_in_force
from ...knowledge.evidence.whole_lists import with_whole_lists
from ...knowledge.questions.models import Combination
from ...knowledge.text.values import ValueKind
from ..messages import message
from .judge_editions import about_matter, matter_of
from .judge_operations import Met, leaves_arithmetic_open, met
from .judge_subjects import is_about_another, leaves_computing_open

TABLE_COMBINATIONS = frozenset(
    {Combination.SUM, Combination.AVERAGE, Combination.COUNT, Combination.LARGEST, Combination.SMALLEST}
)
# Parts whose answers stand side by side, so that one may be a whole section.
_ALONE = frozenset({Combination.SINGLE, Combination.LIST})
# Arithmetic over rows that were chosen by words: right where there is one table, less sure than a quoted sentence.
_TABLE_CONFIDENCE = 0.8
COMPARED = frozenset(
    {Combination.LARGER, Combination.SMALLER, Combination.EARLIER, Combination.LATER, Combination.DIFFERENCE}
)
# Between these a model is asked, where there is one: below, the evidence does not bear on the question; above, it
# answers.
GREY_BELOW, GREY_ABOVE = 0.2, 0.6
_QUESTION_MARKS = "？?。. "
# So many sentences are looked through for one with a value of the asked kind.
_READ_FOR_VALUE = 3
# Parts that only a value of their kind answers; a number or an id may be written in words.
_ONLY_VALUES = frozenset(
    {AnswerType.AMOUNT, AnswerType.PERCENTAGE, AnswerType.DATE, AnswerType.DURATION, AnswerType.NUMBER}
)


class Means(NamedTuple):
    """What judging needs of the library and the settings."""

    max_sentences: int
    min_confidence: float
    one_of_several: bool
    """Whether the task is one of several, so that its answer stands beside others."""
    idf: Callable[[str], float]
    similarity: Callable[[str], Similarity | None]
    summary_sentences: int = 5
    """How many sentences sum up a whole document."""


def judge_by_rules(task: SubTask, combination: Combination, evidence: Sequence[Evidence], means: Means) -> TaskVerdict:
    """The verdict on one task.

    What was found about another subject or edition does not answer. Where arithmetic is asked for and cannot be done, a
    row of the table is kept as a finding, and the part is named among what is missing.

    Args:
        task: with earlier answers filled in.
        combination: of the whole plan; arithmetic over a table is tried first where it asks for that.
        evidence: of this task, best first.
        means: limits and weights.
    """
    analysis = analyse_question(task.question)
    if combination in TABLE_COMBINATIONS:
        conclusion = conclude_table(combination, analysis, evidence)
        if conclusion is not None:
            finding = Finding(confidence=_TABLE_CONFIDENCE)
            return _verdict(task, Sufficiency.ANSWERED, finding, ()).model_copy(update={"conclusion": conclusion})
    if combination is Combination.VERSION:
        edition = version_in_force(analysis, evidence)
        if edition is not None:
            return _edition_verdict(task, edition, analysis.language)
    if said := _read_out(task, combination, analysis, evidence, means):
        return _verdict(task, Sufficiency.ANSWERED, Finding(sentences=said, confidence=said[0].score), ())
    if rest := without_asking(task.question):
        # 总结一下 and `outline` are no words that the evidence would hold.
        analysis = analyse_question(rest).model_copy(update={"answer_type": AnswerType.SUMMARY})
    found = _listed(analysis, _extracted(task, combination, analysis, evidence, means), evidence)
    found = _only_asked(task, combination, found)
    if not found.sentences or found.confidence < means.min_confidence:
        finding = Finding(confidence=found.confidence, missing=found.missing)
        return _verdict(task, Sufficiency.MISSING, finding, found.missing or (part_name(task.question),))
    if is_about_another(analysis, task.subject, found.sentences[0], evidence):
        finding = Finding(confidence=found.confidence / 2, missing=found.missing)
        return _verdict(task, Sufficiency.MISSING, finding, (part_name(task.question),))
    if leaves_computing_open(combination, found.sentences[0]):
        missing = tuple(dict.fromkeys((*found.missing, part_name(task.question))))
        found = found.model_copy(update={"missing": missing})
    return _with_conflict(task, analysis, evidence, found, means)


def _read_out(
    task: SubTask, combination: Combination, analysis: QuestionAnalysis, evidence: Sequence[Evidence], means: Means
) -> tuple[ExtractedSentence, ...]:
    """A whole document summed up, or a whole section that the question names; empty where it wants neither."""
    if said := library_overview(task.question, evidence) or overview(task.question, evidence, means.summary_sentences):
        return said
    if combination not in _ALONE:
        return ()
    return named_table(analysis, evidence, means.idf) or named_section(analysis, evidence, means.idf)


def _extracted(
    task: SubTask, combination: Combination, analysis: QuestionAnalysis, evidence: Sequence[Evidence], means: Means
) -> Extract:
    """The sentences that answer; of a narrow part one: a second one would bring another thing's value beside it."""

    def extracted(limit: int) -> Extract:
        similarity = means.similarity(task.question)
        return extract_answer(analysis, evidence, max_sentences=limit, idf=means.idf, similarity=similarity)

    if matter := matter_of(task, combination):
        # The edition is found; its name would only be sought in its own title.
        analysis = analyse_question(matter)
    is_compared = combination in COMPARED
    is_narrow = analysis.answer_type in WANTED_VALUES or is_compared or combination is Combination.CHAIN
    if not (means.one_of_several and is_narrow):
        return _only_the_name(analysis, extracted(means.max_sentences), means)
    best = extracted(1)
    told = row_with_values(analysis, evidence, score=best.confidence) if best.sentences else None
    if told is not None:
        return best.model_copy(update={"sentences": (told,)})
    if not best.sentences or not (is_compared or analysis.answer_type in _ONLY_VALUES):
        return best
    return _with_value(task, analysis, best, lambda: extracted(_READ_FOR_VALUE))


def _only_asked(task: SubTask, combination: Combination, found: Extract) -> Extract:
    """What was found without what the question leaves out or is about something else; what it leaves open is named."""
    matter = matter_of(task, combination)
    sentences = about_matter(matter, found.sentences) if matter else found.sentences
    how, kept = (Met.ALL, sentences) if combination in TABLE_COMBINATIONS else met(task.question, sentences)
    if how is Met.ALL and kept and not leaves_arithmetic_open(task.question, kept):
        return found.model_copy(update={"sentences": kept})
    missing = (*(found.missing if kept else ()), part_name(task.question))
    return found.model_copy(update={"sentences": kept, "missing": tuple(dict.fromkeys(missing))})


def _listed(question: QuestionAnalysis, found: Extract, evidence: Sequence[Evidence]) -> Extract:
    """What was found, with the whole list where several things are asked for."""
    if question.answer_type is not AnswerType.LIST:
        return found
    return found.model_copy(update={"sentences": with_whole_lists(found.sentences, evidence)})


def _with_value(task: SubTask, question: QuestionAnalysis, best: Extract, further: Callable[[], Extract]) -> Extract:
    """The best sentence that has a value of what is asked for, else one with any value of the kind, else none."""

    def is_of_it(one: ExtractedSentence) -> bool:
        return bool(rated_values(question, one.text, task.subject, wanted_kinds(question)))

    first = best.sentences[0]
    if _holds_value(question, first) and is_of_it(first):
        return best
    holding = [one for one in (first, *further().sentences) if _holds_value(question, one)]
    chosen = next((one for one in holding if is_of_it(one)), holding[0] if holding else None)
    if chosen is not None:
        return best.model_copy(update={"sentences": (chosen,)})
    return best.model_copy(update={"sentences": (), "confidence": best.confidence / 2})


def _only_the_name(question: QuestionAnalysis, found: Extract, means: Means) -> Extract:
    """The first sentence alone where it names who is asked for and other parts are answered beside it."""
    is_named = question.answer_type in (AnswerType.PERSON, AnswerType.ORGANISATION)
    if means.one_of_several and is_named and found.sentences and short_answer(question, found.sentences[0].text):
        return found.model_copy(update={"sentences": found.sentences[:1]})
    return found


def _holds_value(question: QuestionAnalysis, sentence: ExtractedSentence) -> bool:
    """Whether a sentence has a value of the asked kind that the question does not state itself."""
    kinds = frozenset[ValueKind]().union(*wanted_kinds(question))
    stated = {value.canonical for value in (*question.values, *amounts(question.text))}
    return any(value.kind in kinds and value.canonical not in stated for value in amounts(sentence.text))


def _edition_verdict(task: SubTask, edition: VersionInForce, language: str) -> TaskVerdict:
    text = message("version", language, document=edition.document.name, statement=edition.sentence.text)
    sentence = edition.sentence.model_copy(update={"text": text})
    finding = Finding(sentences=(sentence,), confidence=edition.confidence, short_answer=edition.document.search_title)
    return _verdict(task, Sufficiency.ANSWERED, finding, ())


def _with_conflict(
    task: SubTask, analysis: QuestionAnalysis, evidence: Sequence[Evidence], found: Extract, means: Means
) -> TaskVerdict:
    finding = Finding(
        sentences=found.sentences,
        confidence=found.confidence,
        missing=found.missing,
        short_answer=short_answer(analysis, found.sentences[0].text) or description(analysis),
    )
    conflict = find_conflict(analysis, evidence, found, idf=means.idf)
    if conflict is not None:
        verdict = _verdict(task, Sufficiency.CONFLICTING, finding, ())
        return verdict.model_copy(update={"conflict": conflict})
    verdict = _verdict(task, Sufficiency.PARTLY if found.missing else Sufficiency.ANSWERED, finding, found.missing)
    by_domain = find_domain_statements(analysis, evidence, found, idf=means.idf)
    return verdict.model_copy(update={"by_domain": by_domain}) if by_domain else verdict


def _verdict(task: SubTask, how: Sufficiency, finding: Finding, missing: tuple[str, ...]) -> TaskVerdict:
    return TaskVerdict(task_id=task.id, question=task.question, sufficiency=how, finding=finding, missing=missing)


def part_name(question: str) -> str:
    """A sub-question as it is named among what is missing."""
    return question.strip(_QUESTION_MARKS)


def is_grey(verdict: TaskVerdict) -> bool:
    """Whether the rules are unsure about a verdict."""
    sure = verdict.conflict is not None or verdict.conclusion is not None or verdict.by_domain
    return not sure and GREY_BELOW <= verdict.finding.confidence < GREY_ABOVE
