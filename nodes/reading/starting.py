"""Where a reading may begin: what the question names, then what the search of the library finds for each part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from ...context import Resources
from ...knowledge.addressing.question import addresses_in
from ...knowledge.directory import view_directory
from ...knowledge.documents import Block, Document
from ...knowledge.editions import edition_of
from ...knowledge.evidence.cross_references import labels_of_line, place_of, references_in
from ...knowledge.evidence.overview import without_asking
from ...knowledge.query.titles import joined
from ...knowledge.search import Hit
from ...knowledge.text.normalise import normalise
from ...reading_state import Pointer, ReadingState, WhyRead
from ...tools.addressing import addressed_parts
from .following import pointer_to
from .opening import blocks_of, readable_documents

_SUMMARY = 120
_JOINT = re.compile(r"[_\-（(\s]")
# A shorter name stands in too many questions.
_SHORTEST_NAME = 3
# Of the documents that the search found, so many are looked through for a clause that the question names.
_MOST_LOOKED_INTO = 3


def found_for(
    question: str, state: ReadingState, given: Resources, why: WhyRead = WhyRead.CANDIDATE
) -> tuple[Pointer, ...]:
    """The blocks that the search finds for a question, best first, within the documents that may be read."""
    among = asked_documents(state, given)
    if not question.strip() or among == frozenset():
        return ()
    result = given.library.search(
        without_asking(question) or question,
        k=given.settings.reading.max_blocks,
        caller=given.caller,
        among=among,
        filters=state.get("filters"),
        within=given.filters,
    )
    return tuple(pointer for hit in result.hits for pointer in _of_hit(hit, why))


def _of_hit(hit: Hit, why: WhyRead) -> Iterator[Pointer]:
    """The block that was found, then the neighbours that it runs into."""
    found = pointer_to(hit.block, hit.document, why)
    yield found.model_copy(update={"focus": hit.focus, "score": hit.score, "summary": _shortened(hit)})
    for block in hit.neighbours:
        yield pointer_to(block, hit.document, why).model_copy(update={"score": hit.score})


def _shortened(hit: Hit) -> str:
    start = hit.focus[0].start if hit.focus else 0
    return " ".join(hit.block.text[start : start + _SUMMARY].split())


def asked_documents(state: ReadingState, given: Resources) -> frozenset[str] | None:
    """The ids of the documents that the reading is kept to; None: all that the caller may read."""
    names = state.get("documents", ())
    if not names:
        return None
    found = (given.library.find_documents(name, given.caller) for name in names)
    return frozenset(document.doc_id for documents in found for document in documents)


def named_places(
    state: ReadingState, found: Sequence[Pointer], given: Resources, texts: Iterable[str]
) -> tuple[Pointer, ...]:
    """The clauses, annexes and tables that a question or a section's name spells out, in the documents it is about."""
    section = state.get("section", "")
    looked_up = addressed_parts(
        given.library,
        given.caller,
        state["question"],
        section=section,
        named=state.get("documents", ()),
        filters=state.get("filters"),
        within=given.filters,
    )
    if looked_up is not None and looked_up.hits:
        return tuple(
            pointer_to(hit.block, hit.document, WhyRead.START).model_copy(
                update={"focus": hit.focus, "score": hit.score}
            )
            for hit in looked_up.hits
        )
    if not section and _only_mentions(state["question"]):
        return ()
    documents = _in_question(state, found, given)
    places = [*_of_section(section, documents, given)] if section else []
    labels = {reference.label for text in texts for reference in references_in(text) if reference.label is not None}
    for document in documents:
        blocks = blocks_of(given, document)
        for label in sorted(labels):
            place = place_of(label, blocks)
            if place is not None:
                start = pointer_to(place.block, document, WhyRead.START)
                places.append(start.model_copy(update={"focus": (place.span,)}))
    return tuple({pointer.block_id: pointer for pointer in reversed(places)}.values())[::-1]


def _only_mentions(question: str) -> bool:
    """Whether a question names numbered parts only to say which rule is meant (违反第三条的怎么处理)."""
    addresses = addresses_in(question)
    return bool(addresses) and all(address.is_mention for address in addresses)


def _in_question(state: ReadingState, found: Sequence[Pointer], given: Resources) -> tuple[Document, ...]:
    """The documents that a question is about: those that it names, else those in which the search found most."""
    among = asked_documents(state, given)
    hits = {pointer.document.doc_id: pointer.document for pointer in found}
    if among is not None:
        rest = {d.doc_id: d for d in readable_documents(state, given) if d.doc_id in among}
        hits = {**hits, **{i: d for i, d in rest.items() if i not in hits}}
    asked = joined(state["question"])
    named = [document for document in hits.values() if _is_named(document, asked)]
    return tuple(named or hits.values())[:_MOST_LOOKED_INTO]


def _is_named(document: Document, asked: str) -> bool:
    """Whether a question holds the title of a document, or its name without edition (采购合同 for 采购合同_2025)."""
    names = (document.title, PurePosixPath(document.name).stem)
    titles = {joined(name) for name in names} | {edition_of(name).title for name in names}
    leads = {joined(_JOINT.split(name)[0]) for name in names}
    return any(len(name) >= _SHORTEST_NAME and name in asked for name in titles | leads)


def _of_section(section: str, documents: Iterable[Document], given: Resources) -> Iterator[Pointer]:
    """The blocks of the sections whose heading holds a name, or that begin with it as a label."""
    wanted = normalise(section)
    labels = labels_of_line(section)
    for document in documents:
        for block in blocks_of(given, document):
            if _is_in(block, wanted) or any(labels & labels_of_line(line) for line in block.text.splitlines()):
                yield pointer_to(block, document, WhyRead.START)


def _is_in(block: Block, wanted: str) -> bool:
    return any(wanted in normalise(heading) for heading in block.section_path)


def in_directory(state: ReadingState, waiting: Sequence[Pointer], tokens: int, given: Resources) -> tuple[Pointer, ...]:
    """The candidates, each with its digest, then the other blocks of the directory that fits into so many tokens."""
    among = asked_documents(state, given)
    if state.get("filters") is not None:
        readable = frozenset(document.doc_id for document in readable_documents(state, given))
        among = readable if among is None else among & readable
    view = view_directory(
        given.library, given.caller, question=state["question"], tokens=tokens, within=given.filters, among=among
    )
    entries = {entry.block.block_id: entry for entry in view.entries}
    known = tuple(
        one.model_copy(update={"summary": entries[one.block_id].digest.summary}) if one.block_id in entries else one
        for one in waiting
    )
    further = tuple(
        pointer_to(entry.block, entry.document, WhyRead.CANDIDATE).model_copy(update={"summary": entry.digest.summary})
        for block_id, entry in entries.items()
        if block_id not in {one.block_id for one in waiting}
    )
    return (*known, *further)
