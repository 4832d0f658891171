"""What a run leaves in memory: a conclusion that was checked, and what the user has said of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..context import Resources
from ..knowledge.documents import text_hash
from ..knowledge.memory import MemoryLabel, Said, memory_of, statement_in
from ..knowledge.text.normalise import well_formed
from ..state import AgentState, Answer, AnswerStatus, Citation
from ..tools.calculate import CALCULATE
from ..tools.lookup_memory import LOOKUP_MEMORY
from ..tools.results import RESULT_MEDIA_TYPE

LEAST_CONFIDENCE = 0.5
"""Of an answer that is remembered: one in doubt is better looked up again."""
_TAKES_BACK = frozenset({AnswerStatus.INSUFFICIENT, AnswerStatus.CONFLICT})
"""What the same question has been answered with before does not hold any more."""
_MARKER = re.compile(r"\s?\[\d+\]")
_FRAMED = {"zh": "问：{0} 答：{1}（依据：{2}）", "en": "Asked: {0} Answered: {1} (source: {2})"}


def remember_in_memory(state: AgentState, given: Resources, thread_id: str) -> None:
    """Keep what is worth it.

    Raises:
        LibraryError: the library cannot take it now.
    """
    memory = memory_of(given.library)
    for said in _worth_keeping(state):
        # What nobody would ever see again is not kept.
        if said.label is not MemoryLabel.USER_STATEMENT or can_be_noted(given, thread_id):
            memory.remember(said, given.caller, thread_id)
    answer = state["answer"]
    if answer.status in _TAKES_BACK and (given.filters is None or given.filters.is_empty):
        memory.withdraw(well_formed(state["question"]), given.caller, thread_id)


def can_be_noted(given: Resources, thread_id: str) -> bool:
    """Whether what users say of themselves can be found again: by the owner, by others in their conversation."""
    return given.caller.is_owner or bool(thread_id)


def _worth_keeping(state: AgentState) -> Iterator[Said]:
    question, trace_id = well_formed(state["question"]), state["trace_id"]
    statement = statement_in(question)
    if statement is not None:
        yield Said(MemoryLabel.USER_STATEMENT, statement, text_hash(statement), trace_id=trace_id)
    concluded = conclusion(state["answer"], question)
    if concluded is not None:
        yield concluded


def conclusion(answer: Answer, question: str) -> Said | None:
    """An answer that was found in full; None for any other, and for one that memory itself has given."""
    # A calculation is as true tomorrow as today, and quicker made again than looked up.
    results = [one for one in answer.citations if one.media_type == RESULT_MEDIA_TYPE and not _is_of(one, CALCULATE)]
    if answer.status is not AnswerStatus.ANSWERED or not answer.citations:
        return None
    if answer.confidence < LEAST_CONFIDENCE or answer.unsupported:
        return None
    if any(_is_of(one, LOOKUP_MEMORY) for one in results):
        return None
    documents = {one.doc_id: one.version for one in answer.citations if one.media_type != RESULT_MEDIA_TYPE}
    if not documents and not results:
        return None
    sources = ", ".join(dict.fromkeys(one.document for one in answer.citations))
    text = _FRAMED[answer.language].format(question, _MARKER.sub("", answer.text), sources)
    label = MemoryLabel.TEMPORARY if results else MemoryLabel.SYSTEM_CONCLUSION
    return Said(label, text, question, documents, answer.trace_id)


def _is_of(citation: Citation, tool: str) -> bool:
    return citation.media_type == RESULT_MEDIA_TYPE and citation.doc_id.startswith(f"result:{tool}:")


def documents_behind_memory(state: AgentState, given: Resources, thread_id: str) -> frozenset[str]:
    """The documents that the memories in a run rest on: its trace goes with them as with any that it has seen."""
    results = (one for one in state.get("results", ()) if one.trace_id == state["trace_id"])
    said = [hit.block.text for one in results if one.task.tool == LOOKUP_MEMORY for hit in one.hits]
    if not said:
        return frozenset()
    entries = memory_of(given.library).entries(given.caller, thread_id, -1)
    return frozenset(
        doc_id for entry in entries if any(entry.text in text for text in said) for doc_id in entry.documents
    )
