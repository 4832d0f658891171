"""The numbered parts that a question names, looked up for the tools that search and read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from ..knowledge.addressing.lookup import LookedUp, Shelf, look_up
from ..knowledge.addressing.models import Addressed
from ..knowledge.addressing.question import addresses_in
from ..knowledge.asking import documents_within
from ..knowledge.documents import Caller, Document
from ..knowledge.editions import superseded_on
from ..knowledge.library import Library
from ..knowledge.query.models import SearchFilter
from ..knowledge.text.normalise import has_chinese
from .contracts import ToolOutput

_SEARCHED = 20
"""Blocks of a search by which the documents are ranked where a question names none."""
_NAMES_SHOWN = 5
_LACKING = {"zh": "《{document}》中没有{said}。", "en": "{document} has no {said}."}
_UNKNOWN = {"zh": "资料库中没有名为《{document}》的文件。", "en": "No document here is called {document}."}
_OTHERS = {
    "zh": "还有其他文件有{said}：{names}。如需查看，请写明文件名称。",
    "en": "Other documents have {said}, too: {names}. Name the document to see it.",
}


def addressed_parts(
    library: Library,
    caller: Caller,
    question: str,
    *,
    section: str = "",
    named: Sequence[str] = (),
    filters: SearchFilter | None = None,
    within: SearchFilter | None = None,
) -> LookedUp | None:
    """The parts that a question or a section's name spells out; None where neither does.

    Args:
        library: where they are looked up.
        caller: on whose behalf.
        question: in natural language.
        section: a label beside it.
        named: the documents by title or file name; empty: those that the question names.
        filters: which documents are asked about. Of another day than today the search alone answers.
        within: bounds that nothing can widen.
    """
    if not addresses_in(question) and not addresses_in(section):
        return None
    if _is_of_a_day(filters) or _is_of_a_day(within):
        return None
    among = {document.doc_id for name in named for document in library.find_documents(name, caller)}

    def documents() -> Sequence[Document]:
        readable = [summary.document for summary in library.documents(caller)]
        return documents_within(documents_within(readable, filters), within)

    asked = [document for document in documents() if document.doc_id in among] if named else []
    if named and not asked:
        return None
    shelf = Shelf(
        documents=documents,
        outdated=superseded_on(documents(), date.today()),
        blocks_of=lambda document: library.blocks(document.doc_id, caller),
        ranked=_ranked(library, caller, f"{question} {section}".strip(), documents, filters, within),
    )
    return look_up(question, shelf, section, asked)


def _is_of_a_day(filters: SearchFilter | None) -> bool:
    return filters is not None and filters.in_force_on is not None


def _ranked(
    library: Library,
    caller: Caller,
    query: str,
    documents: Callable[[], Sequence[Document]],
    filters: SearchFilter | None,
    within: SearchFilter | None,
) -> Callable[[], Sequence[Document]]:
    """The documents in the order of a search's first hits, then the rest in the order of their names."""

    def ranked() -> Sequence[Document]:
        allowed = {document.doc_id: document for document in documents()}
        found = library.search(
            query, k=_SEARCHED, caller=caller, among=allowed.keys(), filters=filters or SearchFilter(), within=within
        )
        first = dict.fromkeys(hit.document.doc_id for hit in found.hits if hit.document.doc_id in allowed)
        return [allowed[doc_id] for doc_id in (*first, *(one for one in allowed if one not in first))]

    return ranked


def settled_output(looked_up: LookedUp, question: str, library_version: int) -> ToolOutput:
    """The parts alone, or that they are not there: nothing has to be searched beside them."""
    return ToolOutput(
        hits=looked_up.hits,
        library_version=library_version,
        notes=notes_on(looked_up.addressed, question),
        addressed=looked_up.addressed,
    )


def with_parts(found: ToolOutput, looked_up: LookedUp, question: str) -> ToolOutput:
    """What was found, behind the parts that the question names."""
    ids = {hit.block.block_id for hit in looked_up.hits}
    score = max((hit.score for hit in found.hits), default=0.0)
    own = [hit.model_copy(update={"score": max(hit.score, score)}) for hit in looked_up.hits]
    both = (*own, *(hit for hit in found.hits if hit.block.block_id not in ids))
    ranked = tuple(hit.model_copy(update={"rank": rank}) for rank, hit in enumerate(both, start=1))
    notes = (*found.notes, *notes_on(looked_up.addressed, question))
    return found.model_copy(update={"hits": ranked, "notes": notes, "addressed": looked_up.addressed})


def notes_on(addressed: Addressed, question: str) -> tuple[str, ...]:
    """What the user should know of a look-up: what is not there, and where else such a part stands."""
    language = "zh" if has_chinese(question) else "en"
    notes = [lacking_line(said, document, language) for said, document in addressed.lacking]
    if addressed.others and addressed.is_whole:
        joint, rest = ("、", "等") if language == "zh" else (", ", ", …")
        names = joint.join(addressed.others[:_NAMES_SHOWN])
        names += rest if len(addressed.others) > _NAMES_SHOWN else ""
        notes.append(_OTHERS[language].format(said=addressed.parts[0].said, names=names))
    return tuple(notes)


def lacking_line(said: str, document: str, language: str) -> str:
    """That a document has no such part, or that there is no such document."""
    return (_LACKING if said else _UNKNOWN)[language].format(said=said, document=document)
