"""Numbers what the tools found: each block once a question, and which blocks belong to which task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..knowledge.documents import Block, Document
from ..knowledge.evidence.models import Evidence
from ..knowledge.search import Hit
from ..knowledge.text.counting import counted
from ..state import AgentState, TaskResult
from .messages import message

_SHOWN_PAGES = 12


def number_evidence(hits: Iterable[Hit], known: Sequence[Evidence] = ()) -> tuple[Evidence, ...]:
    """Evidence in the order of the hits, behind what is known already; each block and neighbour once."""
    found = {item.block.block_id: item for item in known}
    for hit in hits:
        for block in _in_reading_order(hit):
            focus = hit.focus if block is hit.block else ()
            earlier = found.get(block.block_id)
            if earlier is None:
                found[block.block_id] = Evidence(
                    marker=len(found) + 1, block=block, document=hit.document, score=hit.score, focus=focus
                )
            elif focus and not earlier.focus:
                found[block.block_id] = earlier.model_copy(update={"focus": focus, "score": hit.score})
    return tuple(found.values())


def _in_reading_order(hit: Hit) -> list[Block]:
    return sorted((hit.block, *hit.neighbours), key=lambda block: block.ordinal)


def results_of(state: AgentState) -> tuple[TaskResult, ...]:
    """What the tasks of the present plan have brought back."""
    begun = state.get("plan_from", 0)
    return tuple(result for result in state.get("results", ()) if result.round > begun)


def evidence_of(task_id: str, results: Iterable[TaskResult], evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence of one task over all its attempts, the last attempt's first."""
    by_block = {item.block.block_id: item for item in evidence}
    own = sorted((r for r in results if r.task.id == task_id), key=lambda r: -r.round)
    blocks = dict.fromkeys(block.block_id for r in own for hit in r.hits for block in _in_reading_order(hit))
    return tuple(by_block[block_id] for block_id in blocks)


def interleaved(groups: Sequence[Sequence[Evidence]]) -> tuple[Evidence, ...]:
    """The best of each task first, then each one's second best …, every block once."""
    longest = max((len(group) for group in groups), default=0)
    ordered = (group[at] for at in range(longest) for group in groups if at < len(group))
    return tuple({item.marker: item for item in ordered}.values())


def unread_notes(documents: Iterable[Document], language: str) -> tuple[str, ...]:
    """A note for each document with pages that could not be read: what is asked may stand there."""
    unread = {document.doc_id: document for document in documents if document.unread_pages}
    joint, rest = ("、", "等") if language == "zh" else (", ", ", …")
    notes = []
    for document in unread.values():
        pages = document.unread_pages
        shown = joint.join(map(str, pages[:_SHOWN_PAGES])) + (rest if len(pages) > _SHOWN_PAGES else "")
        count = str(len(pages)) if language == "zh" else counted(len(pages), "page")
        notes.append(message("unread_pages", language, document=document.name, counted=count, pages=shown))
    return tuple(notes)
