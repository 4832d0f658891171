"""The document that a name on the command line means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import UsageError

if TYPE_CHECKING:
    from ...knowledge.documents import Caller, Document
    from ...knowledge.library import Library

_CANDIDATES = 5
_SIMILAR = 3
_LIKE = 70
"""Of 100: a name that holds what was typed has 90, one with a letter or two mistyped about as much."""


def find_document(library: Library, name: str, caller: Caller, kind: str = "document") -> Document:
    """The document of a name, title, path or id; `kind` is what messages say was looked for.

    Raises:
        UsageError: no document or several have it, of those that the caller may read.
    """
    documents = library.find_documents(name, caller)
    if len(documents) > 1:
        candidates = ", ".join(f"{document.name} ({document.doc_id})" for document in documents[:_CANDIDATES])
        raise UsageError(f"{name!r} is the name of {len(documents)} documents: {candidates}; give the id")
    if not documents:
        raise UsageError(
            f"no {kind} {name!r} here{_similar(library, name, caller)}: `veriloop sources` lists the documents"
        )
    return documents[0]


def _similar(library: Library, name: str, caller: Caller) -> str:
    """Documents that the caller may read and whose names are like this one, in words; empty where there are none."""
    from rapidfuzz import fuzz, process, utils  # noqa: PLC0415 - only a wrong name needs it

    documents = [summary.document for summary in library.documents(caller)]
    spellings = {(number, text): text for number, one in enumerate(documents) for text in (one.name, one.title)}
    found = process.extract(
        name, spellings, scorer=fuzz.WRatio, processor=utils.default_process, score_cutoff=_LIKE, limit=2 * _SIMILAR
    )
    names = list(dict.fromkeys(documents[number].name for _, _, (number, _) in found))[:_SIMILAR]
    return f" (like it: {', '.join(names)})" if names else ""
