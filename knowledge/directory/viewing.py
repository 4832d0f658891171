"""Shows a reader the directory of a library: whole where it fits, else what a question is about."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ..asking import documents_within
from ..documents import Caller
from ..query.models import SearchFilter
from ..text.normalise import has_chinese
from .models import DirectoryView
from .sources import Source
from .upper import add_names, add_upper_levels
from .wording import wording
from .writing import Writer

if TYPE_CHECKING:
    from ..library import Library

_LEAST_OF_A_BLOCK = 25
"""Tokens under which a block's line says too little for the whole to be worth showing."""
_UPPER_SHARE, _BLOCK_SHARE, _SECTION_SHARE = 0.25, 0.8, 0.9
"""Of the tokens: where domains end, where blocks end, where sections end; names of documents take the rest."""


def view_directory(
    library: Library,
    caller: Caller,
    *,
    question: str = "",
    tokens: int,
    within: SearchFilter | None = None,
    among: Collection[str] | None = None,
) -> DirectoryView:
    """The directory of what a caller may read, from the library down to its blocks.

    Where it does not fit it is narrowed: to the blocks that a search for the question finds, the blocks that stand
    beside them in their sections, the other sections of their documents, and the names of other documents. The counts
    of the upper levels are always those of everything that the caller may read within the bounds.

    Args:
        library: whose directory.
        caller: on whose behalf; nothing shows of what this caller may not read.
        question: what the reader looks for; empty: nothing in particular.
        tokens: of the text, estimated, at most.
        within: bounds on the documents.
        among: ids of the documents; None: all.
    """
    source = Source(library, caller, _bounded(library, caller, within, among), within)
    domains = source.domains()
    words = wording("zh" if has_chinese(question or source.some_names()) else "en")
    writer = Writer(source, question, tokens, words)
    blocks = sum(one.blocks for one in domains)
    if blocks * _LEAST_OF_A_BLOCK <= tokens:
        add_upper_levels(writer, domains, tokens)
        if writer.add_everything(blocks, tokens):
            return writer.view(is_whole=True)
        writer = Writer(source, question, tokens, words)
    add_upper_levels(writer, domains, int(_UPPER_SHARE * tokens))
    if question.strip():
        writer.add_found(int(_BLOCK_SHARE * tokens), int(_SECTION_SHARE * tokens))
    add_names(writer, domains)
    return writer.view(is_whole=not blocks)


def _bounded(
    library: Library, caller: Caller, within: SearchFilter | None, among: Collection[str] | None
) -> frozenset[str] | None:
    ids = None if among is None else frozenset(among)
    if within is None or within.is_empty:
        return ids
    left = documents_within([one.document for one in library.documents(caller)], within)
    admitted = frozenset(document.doc_id for document in left)
    return admitted if ids is None else ids & admitted
