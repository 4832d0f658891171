"""Whether the result of a tool answers a sub-question: it does, in its own words, with the confidence of the tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...decisions import Finding, SubTask, Sufficiency, TaskVerdict
from ...knowledge.documents import BlockKind
from ...knowledge.evidence.amounts import amounts
from ...knowledge.evidence.conflicts import find_conflict
from ...knowledge.evidence.models import Conflict, Evidence, Extract, ExtractedSentence
from ...knowledge.evidence.question import analyse_question
from ...knowledge.evidence.short_answer import short_answer
from ...knowledge.evidence.table_rows import read_rows, show_row
from ...knowledge.evidence.units import quote
from ...tools.choosing.rules import LOOKUP_MEMORY
from ...tools.results import is_result, is_result_id
from .judge import Means, part_name

_MOST_LINES = 20
"""Of a result that are shown; a longer table is cited as a whole, and told to be longer."""


def judge_results(
    task: SubTask, results: Sequence[Evidence], short: str, documents: Sequence[Evidence], means: Means
) -> TaskVerdict:
    """The verdict on a task whose tool brought a result of its own.

    Args:
        task: with earlier answers filled in.
        results: what the tool brought, as sources.
        short: the value or name that the tool found; empty: it is read from the first line.
        documents: what documents that were found for other tasks say; where one speaks of the same thing and says
            another value, that is a conflict. Empty: nothing to compare with.
        means: weights.
    """
    language = analyse_question(task.question).language
    sentences = tuple(sentence for source in results for sentence in _lines(source, language))[:_MOST_LINES]
    if not sentences:
        missing = (part_name(task.question),)
        return TaskVerdict(task_id=task.id, question=task.question, sufficiency=Sufficiency.MISSING, missing=missing)
    analysis = analyse_question(task.question)
    confidence = min(sentence.score for sentence in sentences)
    finding = Finding(
        sentences=sentences,
        confidence=confidence,
        short_answer=short or short_answer(analysis, sentences[0].text) or "",
    )
    verdict = TaskVerdict(task_id=task.id, question=task.question, sufficiency=Sufficiency.ANSWERED, finding=finding)
    if not documents:
        return verdict
    found = Extract(sentences=sentences[:1], confidence=confidence)
    conflict = find_conflict(analysis, (*results, *documents), found, idf=means.idf)
    if conflict is None:
        return verdict
    if task.tool == LOOKUP_MEMORY:
        decided = with_documents_first(conflict)
        sufficiency = Sufficiency.CONFLICTING if decided.preferred is None else Sufficiency.ANSWERED
        return verdict.model_copy(update={"sufficiency": sufficiency, "conflict": decided})
    return verdict.model_copy(update={"sufficiency": Sufficiency.CONFLICTING, "conflict": conflict})


def with_documents_first(conflict: Conflict) -> Conflict:
    """What was said before never holds against a document; between several documents nothing is decided here."""
    documents = [
        index
        for index, side in enumerate(conflict.sides)
        if not all(is_result_id(quote.block_id) for quote in side.statement.quotes)
    ]
    if len(documents) != 1:
        return conflict
    return conflict.model_copy(update={"preferred": documents[0], "reason": "documents_first"})


def results_among(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The sources that are results of tools and stand in no library."""
    return tuple(source for source in evidence if is_result(source.document))


def _lines(source: Evidence, language: str) -> Iterator[ExtractedSentence]:
    """A result line by line; a table row by row, with the header, and nothing of it left out."""
    text, score = source.block.text, max(0.0, min(source.score, 1.0))
    rows = read_rows(text) if source.block.kind is BlockKind.TABLE else []
    for row in rows:
        quotes = (quote(source, row.start, row.end), quote(source, row.header_start, row.header_end))
        yield ExtractedSentence(text=show_row(row, lambda _: 1.0, language), quotes=quotes, score=score)
    position = 0
    for line in () if rows else text.splitlines(keepends=True):
        start = position + len(line) - len(line.lstrip())
        said = line.strip()
        position += len(line)
        if said:
            yield ExtractedSentence(text=said, quotes=(quote(source, start, start + len(said)),), score=score)


def with_only_value(verdict: TaskVerdict) -> TaskVerdict:
    """A verdict whose first sentence holds one value and no other, so that it can be computed with."""
    if verdict.finding.short_answer or not verdict.finding.sentences:
        return verdict
    found = amounts(verdict.finding.sentences[0].text)
    if len({value.canonical for value in found}) != 1:
        return verdict
    finding = verdict.finding.model_copy(update={"short_answer": found[0].raw})
    return verdict.model_copy(update={"finding": finding})
