"""What there is to ask, for a model that writes statements."""

from __future__ import annotations

from ...errors import MissingExtraError
from ...knowledge.documents import Caller
from ...knowledge.evidence.phrases import content_words, word_share
from ...knowledge.evidence.terms import terms
from ...knowledge.library import Library
from ...knowledge.query.models import SearchFilter
from ..contracts import ToolError
from .models import Table
from .schema_text import listing
from .shelf import Offered, shelf_of, sources_for

LISTING_LIMIT = 4_000
"""Characters of tables with their columns and values, all sources together."""


def listing_for(
    library: Library, caller: Caller, within: SearchFilter | None, question: str, limit: int = LISTING_LIMIT
) -> str:
    """The tables that a question may be about, the likeliest of each source first; empty where there is none to read.

    What it says comes from documents and databases: it is to be fenced. Nothing stands in it that the caller may not
    read.
    """
    parts: list[str] = []
    sources = sources_for(library, caller, within)
    for offered in sources:
        try:
            tables = shelf_of(library).tables(offered, question)
        except (ToolError, MissingExtraError):
            continue
        asked = terms(question)
        ranked = sorted(tables, key=lambda table: -_nearness(table, asked))
        if text := listing(ranked, limit // len(sources)):
            parts.append(f"{_head(offered)}\n{text}")
    return "\n".join(parts)


def _head(offered: Offered) -> str:
    about = " ".join(offered.description.split())
    return f"source {offered.name} ({offered.source.dialect.value})" + (f": {about}" if about else "")


def _nearness(table: Table, asked: frozenset[str]) -> float:
    """How many of a question's words stand in a table's title, headings and values."""
    said = " ".join((table.title or table.name, *(column.label or column.name for column in table.columns)))
    words = content_words(said.replace("_", " "))
    values = frozenset(value.casefold() for column in table.columns for value in column.values)
    return sum(word_share(word, asked) for word in words) + sum(word in values for word in asked)
