"""Which documents a name in a question means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...knowledge.documents import Document
from ...knowledge.editions import edition_of
from ...knowledge.text.normalise import normalise

_JOINTS = re.compile(r"[\W_]+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
# A shorter name stands in too many titles.
_SHORTEST_NAME = 3
# A name that so many documents carry names none of them.
_MOST_NAMED = 8


def named_documents(name: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents whose title or file name holds a name, or is held by it; none where too many do."""
    wanted = _folded(name)
    if len(wanted) < _SHORTEST_NAME:
        return ()
    found = tuple(document for document in documents if _carries(document, wanted))
    return found if len(found) <= _MOST_NAMED else ()


def _carries(document: Document, wanted: str) -> bool:
    names = (_folded(document.title), _folded(_stem(document.name)))
    return any(wanted in name or (len(name) >= _SHORTEST_NAME and name in wanted) for name in names)


def editions_of_years(question: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents whose name carries a year that the question names, and whose title it mentions."""
    years = set(_YEAR.findall(normalise(question)))
    asked = _folded(question)
    return tuple(
        document
        for document in documents
        if years & set(_YEAR.findall(document.search_title)) and edition_of(_stem(document.name)).title in asked
    )


def _stem(name: str) -> str:
    return name.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _folded(text: str) -> str:
    return _JOINTS.sub("", normalise(text))
