"""What `query_graph` found for one relation, or between two entities: the sentences and rows that state it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...decisions import Finding, SubTask, Sufficiency, TaskVerdict
from ...knowledge.evidence.models import Evidence, ExtractedSentence
from ...knowledge.evidence.question import analyse_question
from ...knowledge.evidence.table_rows import read_rows, show_row
from ...knowledge.evidence.units import quote
from ...knowledge.search import Hit

_MOST_SENTENCES = 8
_LABEL_AND_VALUE = 2
_CONFIDENCE = 0.9
"""Of relations that rules read: 87 of 100 were right (docs/graph.md)."""


def judge_relations(task: SubTask, hits: Sequence[Hit], evidence: Sequence[Evidence], short: str) -> TaskVerdict | None:
    """The verdict on a task that asks for one relation; None where it asks for all of an entity, or found nothing.

    Args:
        task: with the call's arguments.
        hits: blocks with the stretches that state the relation in focus, the most telling first.
        evidence: the same blocks as numbered sources.
        short: what the relation leads to.
    """
    if not task.arguments.get("relation") or task.arguments.get("other"):
        return None
    language = analyse_question(task.question).language
    sentences = tuple(_sentences(hits, evidence, language))[:_MOST_SENTENCES]
    if not sentences:
        return None
    finding = Finding(sentences=sentences, confidence=_CONFIDENCE, short_answer=short)
    return TaskVerdict(task_id=task.id, question=task.question, sufficiency=Sufficiency.ANSWERED, finding=finding)


def _sentences(hits: Sequence[Hit], evidence: Sequence[Evidence], language: str) -> Iterator[ExtractedSentence]:
    sources = {source.block.block_id: source for source in evidence}
    told: set[str] = set()
    for hit in hits:
        source = sources.get(hit.block.block_id)
        for span in hit.focus if source is not None else ():
            sentence = _sentence(source, span.start, span.end, language) if source is not None else None
            if sentence is not None and sentence.text not in told:
                told.add(sentence.text)
                yield sentence


def _sentence(source: Evidence, start: int, end: int, language: str) -> ExtractedSentence | None:
    text = source.block.text
    for row in read_rows(text):
        if row.start == start:
            if len(row.cells) == _LABEL_AND_VALUE:
                # A form: its first row is no header of the others.
                joint = "：" if language == "zh" else ": "
                form = (quote(source, row.start, row.end),)
                return ExtractedSentence(text=joint.join(row.cells), quotes=form, score=1.0)
            quotes = (quote(source, row.start, row.end), quote(source, row.header_start, row.header_end))
            return ExtractedSentence(text=show_row(row, lambda _: 1.0, language), quotes=quotes, score=1.0)
    said = text[start:end]
    start += len(said) - len(said.lstrip())
    said = said.strip()
    return ExtractedSentence(text=said, quotes=(quote(source, start, start + len(said)),), score=1.0) if said else None
