"""Takes the notes: of the block that was just read, and of an earlier one that answers only together with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...decisions import Sufficiency, TaskVerdict
from ...knowledge.evidence.models import Evidence, Quote, Span
from ...reading_state import ReadingNote
from .deciding import Decision
from .judging import verdicts_on
from .looking import Looked


class Noted(NamedTuple):
    """The notes after a decision, and how far they answer; its fields are those of the state."""

    evidence: tuple[Evidence, ...]
    near: tuple[Evidence, ...]
    notes: tuple[ReadingNote, ...]
    verdicts: tuple[TaskVerdict, ...]


def noted(at: Looked, decision: Decision) -> Noted:
    """The notes with what the block adds to them.

    Blocks that only came near are judged along: a table's note answers together with the table, by itself it does not.
    """
    state = at.state
    current = at.source.model_copy(update={"focus": decision.quotes}) if decision.quotes else at.source
    is_kept = bool(decision.quotes) or at.bearing.is_near
    pool = _pool(state["evidence"], state["near"], current if is_kept else None)
    verdicts = verdicts_on(state["parts"], state["combination"], pool, at.means)
    quoted = _quoted(verdicts)
    notes = {note.block.block_id: note for note in state["notes"]}
    if decision.quotes:
        notes[current.block.block_id] = _note(at, current, decision)
    for source in pool:
        block_id = source.block.block_id
        if block_id in quoted and block_id not in notes:
            notes[block_id] = _note_by_rules(source, quoted[block_id], verdicts)
    evidence = tuple(_with_focus(source, notes) for source in pool if source.block.block_id in notes)
    near = tuple(source for source in pool if source.block.block_id not in notes)
    return Noted(evidence, near, tuple(notes.values()), verdicts)


def _pool(evidence: Sequence[Evidence], near: Sequence[Evidence], current: Evidence | None) -> tuple[Evidence, ...]:
    known = {source.marker: source for source in (*evidence, *near)}
    if current is not None:
        known[current.marker] = current
    return tuple(known[marker] for marker in sorted(known))


def _quoted(verdicts: Sequence[TaskVerdict]) -> dict[str, tuple[Span, ...]]:
    """The stretches that the answers to the sub-questions rest on, by block."""
    found: dict[str, dict[Span, None]] = {}
    for quote in _quotes(verdicts):
        found.setdefault(quote.block_id, {})[quote.span] = None
    return {block_id: tuple(spans) for block_id, spans in found.items()}


def _quotes(verdicts: Sequence[TaskVerdict]) -> Iterator[Quote]:
    for verdict in verdicts:
        if verdict.sufficiency is Sufficiency.MISSING:
            continue
        for sentence in verdict.finding.sentences:
            yield from sentence.quotes
        if verdict.conclusion is not None:
            yield from verdict.conclusion.quotes


def _note(at: Looked, source: Evidence, decision: Decision) -> ReadingNote:
    return ReadingNote(
        text=decision.note or _said(source, decision.quotes),
        block=source.block,
        document=source.document,
        quotes=decision.quotes,
        parts=at.bearing.parts,
        score=source.score,
        decided_by=decision.decided_by,
    )


def _note_by_rules(source: Evidence, quotes: tuple[Span, ...], verdicts: Sequence[TaskVerdict]) -> ReadingNote:
    block_id = source.block.block_id
    parts = (v.task_id for v in verdicts if any(quote.block_id == block_id for quote in _quotes([v])))
    return ReadingNote(
        text=_said(source, quotes),
        block=source.block,
        document=source.document,
        quotes=quotes,
        parts=tuple(parts),
        score=source.score,
    )


def _said(source: Evidence, quotes: Sequence[Span]) -> str:
    return "\n".join(source.block.text[span.start : span.end] for span in quotes)


def _with_focus(source: Evidence, notes: dict[str, ReadingNote]) -> Evidence:
    return source.model_copy(update={"focus": notes[source.block.block_id].quotes})
