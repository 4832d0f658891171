"""What is known when a decision is made: the block that was read, how it bears on the question, what is around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from ...knowledge.documents import Block, Document
from ...knowledge.evidence.models import Evidence
from ...knowledge.evidence.question import detect_language
from ...reading_state import Pointer, ReadingState, WhyRead
from ..by_rules.judge import Means
from ..recording import Step
from .deciding import unread
from .following import Shelf, next_block, pointer_to, referenced
from .judging import Bearing, bearing_of, means_of
from .opening import blocks_of, models_for, readable_documents
from .starting import asked_documents, found_for

MOST_OPTIONS = 8
"""Blocks that a model may choose from, those that it has read left out."""
_MOST_READ_OPTIONS = 4


class Looked(NamedTuple):
    """A block that was just read."""

    state: ReadingState
    step: Step
    source: Evidence
    bearing: Bearing
    means: Means
    shelf: Shelf

    @property
    def blocks(self) -> Sequence[Block]:
        """Those of its document."""
        return self.shelf.blocks_of(self.source.document)

    @property
    def language(self) -> str:
        """Of the question, `zh` or `en`."""
        return detect_language(self.state["question"])


def looked_at(state: ReadingState, step: Step) -> Looked:
    """The block that the state holds, judged."""
    source = cast(Evidence, state["current"])
    means = means_of(step.given, len(state["parts"]))
    # What the search found bears on the question by words or by vectors; of other blocks the words have to show it.
    least = 0.0 if source.score else step.given.settings.search.min_relevance
    bearing = bearing_of(source, state["parts"], state["verdicts"], state["combination"], means, least)
    return Looked(state, step, source, bearing, means, _shelf(state, step))


def _shelf(state: ReadingState, step: Step) -> Shelf:
    given = step.given
    known: dict[tuple[str, str], Sequence[Block]] = {}

    def documents() -> tuple[Document, ...]:
        among = asked_documents(state, given)
        found = readable_documents(state, given)
        return tuple(document for document in found if among is None or document.doc_id in among)

    def blocks_in(document: Document) -> Sequence[Block]:
        key = document.doc_id, document.version
        if key not in known:
            known[key] = blocks_of(given, document)
        return known[key]

    def best_in(document: Document) -> Sequence[Pointer]:
        inside = cast(ReadingState, {**state, "documents": (document.doc_id,)})
        return found_for(state["question"], inside, given)

    return Shelf(documents, blocks_in, best_in)


def options_at(at: Looked) -> tuple[Pointer, ...]:
    """What a model may choose from: the block behind, the blocks referred to, those that wait, then those read."""
    if models_for(at.state, at.step) is None:
        return ()
    following = next_block(at.source, at.blocks)
    behind = () if following is None else (pointer_to(following, at.source.document, WhyRead.NEXT),)
    named = referenced(at.source, at.source.block.text, at.shelf)
    fresh = unread((*behind, *named, *at.state["waiting"]), at.state["read"])
    again = tuple(pointer for pointer in at.state["opened"] if pointer.block_id not in {o.block_id for o in fresh})
    return (*fresh[:MOST_OPTIONS], *again[-_MOST_READ_OPTIONS:])
