"""Holds a model's word after a block against the block and against the rules: what does not hold, the rules decide."""

from __future__ import annotations

from collections.abc import Sequence

from ...decisions import DecidedBy
from ...knowledge.evidence.check import check_answer
from ...knowledge.evidence.models import Evidence, Span
from ...knowledge.text.normalise import normalise
from ...reading_state import Pointer, ReadingAction
from .by_model import ReadReply
from .deciding import Decision
from .judging import Bearing

_WORDED = (ReadingAction.EXTRACT, ReadingAction.STOP)


def decision_of(
    reply: ReadReply,
    source: Evidence,
    bearing: Bearing,
    by_rules: Decision,
    parts: Sequence[str],
    options: Sequence[Pointer],
    notes: int,
) -> Decision:
    """The decision that a reply makes.

    Args:
        reply: of the model.
        source: the block.
        bearing: of the block, by rules.
        by_rules: the rules' decision, whose quotes stand where the model's do not.
        parts: the ids of the sub-questions, in the order in which the model saw them.
        options: the blocks that it could choose from, in the order in which it saw them.
        notes: how many there were before.
    """
    quotes = quoted(reply, source) if reply.action in _WORDED else ()
    overlooked = bearing.is_sure and not quotes
    if reply.action in _WORDED or overlooked:
        quotes = quotes or (by_rules.quotes if bearing.sentences else ())
    answered = tuple(parts[number - 1] for number in reply.answered if 0 < number <= len(parts))
    has_notes = bool(quotes) or notes > 0
    # A stop is believed where the notes answer all that was asked; a note of nothing answers nothing.
    said_all = set(parts) <= set(answered) and has_notes
    action = _action(reply.action, bool(quotes), said_all)
    return Decision(
        action=action,
        reason=_reason(reply, action, overlooked and bool(quotes)),
        note=_note(reply, quotes, source) if quotes and not overlooked else by_rules.note if quotes else "",
        quotes=quotes,
        answered=answered if has_notes else (),
        next_block=_next(reply.next_block, options),
        decided_by=DecidedBy.LIGHT,
    )


def _action(said: ReadingAction, has_quotes: bool, said_all: bool) -> ReadingAction:
    if said_all:
        return ReadingAction.STOP
    if has_quotes:
        return ReadingAction.EXTRACT
    return said if said in (ReadingAction.CONTINUE, ReadingAction.SKIP) else ReadingAction.SKIP


def _reason(reply: ReadReply, action: ReadingAction, overlooked: bool) -> str:
    if overlooked:
        return "it answers, which the model overlooked"
    if action is not reply.action:
        return f"the model said {reply.action.value}, which does not hold"
    return "the model decided"


def quoted(reply: ReadReply, source: Evidence) -> tuple[Span, ...]:
    """Where the words that a model quotes stand in the block; empty where they do not."""
    if not reply.quote:
        return ()
    text = source.block.text
    at = text.find(reply.quote)
    if at >= 0:
        return (Span(start=at, end=at + len(reply.quote)),)
    (check,) = check_answer([(reply.quote, [source.marker])], [source])
    return tuple(quote.span for quote in check.quotes) if check.supported else ()


def _note(reply: ReadReply, quotes: Sequence[Span], source: Evidence) -> str:
    """The model's tidied words where the block bears them out, else the quote itself."""
    quote = "\n".join(source.block.text[span.start : span.end] for span in quotes)
    if not reply.note:
        return quote
    (check,) = check_answer([(reply.note, [source.marker])], [source])
    return reply.note if check.supported else quote


def _next(said: str, options: Sequence[Pointer]) -> str:
    """The block that a model chose from the list; empty for whatever is not in it."""
    word = normalise(said).strip(" []().#")
    if word.isdecimal() and len(word) <= 3 and 0 < int(word) <= len(options):
        return options[int(word) - 1].block_id
    return next((option.block_id for option in options if option.block_id == said.strip()), "")
