"""Names for tables and columns that stand in documents: letters, digits and underscores only, each once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from ...knowledge.documents import Document
from ...knowledge.evidence.evidence_tables import column_name

LONGEST_PART = 40
"""Characters of a name out of a document: it names, and has no room for more."""
_LONGEST_TABLE = 72
_NOT_IN_NAMES = re.compile(r"[\W_]+")
# By these SQLite numbers the rows of a table.
_TAKEN = frozenset({"rowid", "oid", "_rowid_"})
_MARKUP = re.compile(r"[*`]+")


def slug(text: str, longest: int = LONGEST_PART) -> str:
    """A text as a name, empty where it has neither letters nor digits. It never begins with a digit."""
    plain = _NOT_IN_NAMES.sub("_", unicodedata.normalize("NFKC", _MARKUP.sub("", text))).strip("_")[:longest]
    plain = plain.strip("_")
    return f"_{plain}" if plain[:1].isdigit() else plain


def document_slug(document: Document) -> str:
    """The beginning of the names of a document's tables."""
    return slug(PurePosixPath(document.name).stem) or slug(document.title) or "table"


def table_names(beginning: str, captions: Sequence[str]) -> tuple[str, ...]:
    """Names of a document's tables: the document's, and what stands above each where there are several."""
    if len(captions) == 1:
        return (beginning,)
    said = (f"{beginning}_{slug(caption)}" for caption in captions)
    return each_once(slug(name, _LONGEST_TABLE) if beginning[:1] != "_" else name for name in said)


def column_names(headings: Iterable[str]) -> tuple[str, ...]:
    """Names of columns by their headings without units."""
    named = (slug(column_name(heading)) or f"column_{number}" for number, heading in enumerate(headings, start=1))
    return each_once(f"{name}_" if name.casefold() in _TAKEN else name for name in named)


def each_once(names: Iterable[str]) -> tuple[str, ...]:
    """Names in any case that stand only once: a repeated one gets a number."""
    taken: set[str] = set()
    given: list[str] = []
    for name in names:
        candidate, number = name, 1
        while candidate.casefold() in taken:
            number += 1
            candidate = f"{name}_{number}"
        taken.add(candidate.casefold())
        given.append(candidate)
    return tuple(given)
