"""What of a passage is searched: the document's title and section path, a table's header, then the text."""

from __future__ import annotations

from .documents import Block, Document, Passage

_TABLE_HEAD_LINES = 2


def context_of(document: Document, block: Block) -> str:
    """Where a block stands, in words: the document's title and the section path."""
    return " ".join((document.search_title, *block.section_path)).strip()


def passage_text(block: Block, passage: Passage) -> str:
    """A passage's own text, with the header row of the table that it starts inside of."""
    header = _table_header(block.text, passage.start)
    text = block.text[passage.start : passage.end]
    return f"{header}\n{text}" if header else text


def searchable_text(document: Document, block: Block, passage: Passage) -> str:
    """The text behind a passage's terms and its vector.

    A small clause is hard to find without its title and section (measured on Chinese regulations: cutting at
    clauses without context loses a fifth of the hits among the first five), and a table's rows without its header.
    """
    return f"{context_of(document, block)}\n{passage_text(block, passage)}"


def _table_header(block_text: str, start: int) -> str:
    if start == 0 or not block_text.startswith("|", start):
        return ""
    lines = block_text[:start].splitlines()
    first = len(lines)
    while first and lines[first - 1].startswith("|"):
        first -= 1
    return lines[first] if len(lines) - first >= _TABLE_HEAD_LINES else ""
