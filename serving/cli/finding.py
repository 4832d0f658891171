"""The document that a name on the command line means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import UsageError

if TYPE_CHECKING:
    from ...knowledge.documents import Caller, Document
    from ...knowledge.library import Library

_CANDIDATES = 5


def find_document(library: Library, name: str, caller: Caller) -> Document:
    """The document of a name, title, path or id.

    Raises:
        UsageError: no document or several have it, of those that the caller may read.
    """
    documents = library.find_documents(name, caller)
    if len(documents) > 1:
        candidates = ", ".join(f"{document.name} ({document.doc_id})" for document in documents[:_CANDIDATES])
        raise UsageError(f"{name!r} is the name of {len(documents)} documents: {candidates}; give the id")
    if not documents:
        raise UsageError(f"no document {name!r} here: `veriloop sources` lists the documents")
    return documents[0]
