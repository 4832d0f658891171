"""What `query_sql` found in tables of documents, as sentences that quote the rows themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...decisions import Finding, SubTask, Sufficiency, TaskVerdict
from ...knowledge.evidence.models import Evidence, ExtractedSentence, Quote
from ...knowledge.evidence.question import analyse_question
from ...knowledge.evidence.table_rows import TableRow, read_rows, show_row
from ...knowledge.evidence.units import quote
from ...knowledge.search import Hit
from ...tools.results import is_result
from ...tools.sql.naming import column_names

_MOST_ROWS = 20
"""Of a selection that are shown."""
_MOST_BEHIND = 3
"""Rows that a computed value is quoted with, beside the statement that computed it."""


def judge_rows(task: SubTask, hits: Sequence[Hit], evidence: Sequence[Evidence], short: str) -> TaskVerdict | None:
    """The verdict on a task whose statement selected rows of documents; None where it selected none.

    Args:
        task: with its statement.
        hits: what it brought: blocks, with the rows in focus, in the order of the rows.
        evidence: the same blocks as numbered sources.
        short: the value or name that it found.
    """
    language = analyse_question(task.question).language
    shown = str(task.arguments.get("sql", "")).casefold()

    def relevance(name: str) -> float:
        return float(f'"{column_names([name])[0].casefold()}"' in shown)

    sentences = tuple(
        ExtractedSentence(text=show_row(row, relevance, language), quotes=_quotes(source, row), score=1.0)
        for source, row in _rows(hits, evidence)
    )[:_MOST_ROWS]
    if not sentences:
        return None
    finding = Finding(sentences=sentences, confidence=1.0, short_answer=short)
    return TaskVerdict(task_id=task.id, question=task.question, sufficiency=Sufficiency.ANSWERED, finding=finding)


def with_rows_behind(verdict: TaskVerdict, hits: Sequence[Hit], evidence: Sequence[Evidence]) -> TaskVerdict:
    """A verdict on a computed value that also quotes the first rows that it was computed from."""
    behind = [_quotes(source, row) for source, row in _rows(hits, evidence)][:_MOST_BEHIND]
    sentences = verdict.finding.sentences
    if not sentences or not behind:
        return verdict
    first = sentences[0].model_copy(update={"quotes": (*sentences[0].quotes, *(rows[0] for rows in behind))})
    finding = verdict.finding.model_copy(update={"sentences": (first, *sentences[1:])})
    return verdict.model_copy(update={"finding": finding})


def _rows(hits: Sequence[Hit], evidence: Sequence[Evidence]) -> Iterator[tuple[Evidence, TableRow]]:
    """The rows in focus, each with its source."""
    sources = {source.block.block_id: source for source in evidence}
    for hit in hits:
        source = sources.get(hit.block.block_id)
        if source is None or is_result(hit.document):
            continue
        rows = {row.start: row for row in read_rows(source.block.text)}
        yield from ((source, rows[span.start]) for span in hit.focus if span.start in rows)


def _quotes(source: Evidence, row: TableRow) -> tuple[Quote, Quote]:
    return quote(source, row.start, row.end), quote(source, row.header_start, row.header_end)
