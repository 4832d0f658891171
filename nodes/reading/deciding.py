"""What to do after a block, by rules: take a note, go on, skip or stop, and which block comes next. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...decisions import DecidedBy
from ...knowledge.evidence.models import Span
from ...reading_state import Pointer, ReadBlock, ReadingAction, ReadingStop, WhyRead
from .judging import Bearing

MOST_REREADS = 2
"""A block that is read again more often points at a poor directory (S0 §6), and is not read another time."""
LEAST_COMPARED = 4
"""Blocks that rules read before they take a question to be answered: the first that answers is often not the best. With
one block 0.53 of 40 questions about what a document says were answered rightly, where one search answers 0.63."""
_FOLLOWED = (WhyRead.REFERENCE, WhyRead.START)


class Decision(NamedTuple):
    """What was decided after a block."""

    action: ReadingAction
    reason: str
    note: str = ""
    quotes: tuple[Span, ...] = ()
    answered: tuple[str, ...] = ()
    """Sub-questions that whoever decided takes to be answered."""
    next_block: str = ""
    """The id of the block that is to come next; empty: the first that waits."""
    decided_by: DecidedBy = DecidedBy.RULES


def decide_by_rules(bearing: Bearing, quotes: tuple[Span, ...], why: WhyRead, focus: Sequence[Span]) -> Decision:
    """Quote what bears on the question; go on where it is near; else skip.

    Args:
        bearing: of the block.
        quotes: where its sentences stand.
        why: what led to the block; what a note refers to is noted even if it does not repeat the question's words.
        focus: the part that was referred to.
    """
    if why in _FOLLOWED and focus:
        return Decision(ReadingAction.EXTRACT, "a note or the question refers to it", "", tuple(focus[:1]))
    if bearing.sentences:
        text = "\n".join(sentence.text for sentence in bearing.sentences)
        return Decision(ReadingAction.EXTRACT, "it bears on the question", text, quotes)
    if bearing.is_near:
        return Decision(ReadingAction.CONTINUE, "it comes near: what follows may answer")
    return Decision(ReadingAction.SKIP, "it does not bear on the question")


def times_read(block_id: str, read: Sequence[ReadBlock]) -> int:
    """How often a block has been read."""
    return sum(one.block_id == block_id for one in read)


def may_read(block_id: str, read: Sequence[ReadBlock]) -> bool:
    """Whether a block may be read once more."""
    return times_read(block_id, read) <= MOST_REREADS + 1


def is_reread_too_often(block_id: str, read: Sequence[ReadBlock]) -> bool:
    """Whether a block was read again more than twice."""
    return times_read(block_id, read) > MOST_REREADS + 1


def unread(pointers: Sequence[Pointer], read: Sequence[ReadBlock]) -> tuple[Pointer, ...]:
    """The pointers to blocks that have not been read, each block once, the first pointer to it."""
    known = {one.block_id for one in read}
    fresh = {pointer.block_id: pointer for pointer in reversed(pointers) if pointer.block_id not in known}
    return tuple(fresh[i] for i in dict.fromkeys(p.block_id for p in pointers) if i in fresh)


def why_stop(
    is_sufficient: bool, waiting: Sequence[Pointer], blocks_read: int, most: int, out_of_seconds: bool
) -> ReadingStop | None:
    """Why reading is over after a block; None: it goes on."""
    if is_sufficient:
        return ReadingStop.SUFFICIENT
    if out_of_seconds:
        return ReadingStop.SECONDS
    if blocks_read >= most:
        return ReadingStop.MAX_BLOCKS
    return None if waiting else ReadingStop.NOTHING_LEFT


def has_compared(read: Sequence[ReadBlock]) -> bool:
    """Whether enough was read to trust the first answer: four blocks, or the very place that the question names."""
    named = any(one.why is WhyRead.START and one.action is ReadingAction.EXTRACT for one in read)
    return named or len({one.block_id for one in read}) >= LEAST_COMPARED


def awaits_reference(waiting: Sequence[Pointer]) -> bool:
    """Whether a note refers to a block that has not been read."""
    return any(pointer.why in (*_FOLLOWED, WhyRead.TABLE) for pointer in waiting)
