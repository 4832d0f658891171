"""Opens one document or section of a directory: its blocks with their digests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..documents import Caller
from ..text.normalise import has_chinese
from .models import DirectoryView
from .sources import Source
from .wording import wording
from .writing import Writer

if TYPE_CHECKING:
    from ..library import Library


def open_document(
    library: Library,
    caller: Caller,
    doc_id: str,
    *,
    section: tuple[str, ...] | None = None,
    question: str = "",
    tokens: int,
) -> DirectoryView:
    """The directory of one document, or of one of its sections; empty where the caller may not read it.

    Args:
        library: in which it stands.
        caller: on whose behalf.
        doc_id: of the document.
        section: path of the section; None: all of the document.
        question: what the reader looks for, which decides what is shown of a digest; empty: nothing in particular.
        tokens: of the text, estimated, at most.
    """
    blocks = [block for block in library.blocks(doc_id, caller) if section is None or block.section_path == section]
    document = library.active_document(doc_id) if blocks else None
    source = Source(library, caller, frozenset((doc_id,)))
    named = source.some_names() if document is not None else ""
    writer = Writer(source, question, tokens, wording("zh" if has_chinese(question or named) else "en"))
    placed = [] if document is None else [(block, document) for block in blocks]
    is_whole = writer.add_document(placed, tokens)
    return writer.view(is_whole=is_whole)
