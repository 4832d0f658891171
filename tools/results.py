"""A tool's result as a source that can be cited: a document of one block that lives as long as the run."""

from __future__ import annotations

from datetime import UTC, datetime

from ..knowledge.documents import Block, BlockKind, Document, text_hash
from ..knowledge.evidence.models import Span
from ..knowledge.search import Hit

RESULT_MEDIA_TYPE = "application/vnd.veriloop.result"
"""Of documents that are results of tools: they stand in no library."""
_PREFIX = "result:"


def result_hit(
    tool: str,
    source: str,
    text: str,
    *,
    title: str = "",
    kind: BlockKind = BlockKind.TEXT,
    section: tuple[str, ...] = (),
) -> Hit:
    """A result as a hit.

    Args:
        tool: the tool's name.
        source: what the user should take the result for, such as `sales.db` or `calculation`; shown with citations.
        text: the result in words, or as a Markdown table (`kind` is then TABLE, as in a library).
        title: of the result; default: `source`.
        kind: text or table.
        section: where in the source it stands, such as the query that was run.
    """
    version = text_hash(f"{tool}\n{source}\n{'/'.join(section)}\n{text}")
    doc_id = f"{_PREFIX}{tool}:{version}"
    document = Document(
        doc_id=doc_id,
        version=version,
        title=title or source,
        source_uri=doc_id,
        name=source,
        media_type=RESULT_MEDIA_TYPE,
        updated_at=datetime.now(UTC),
    )
    block = Block(block_id=doc_id, doc_id=doc_id, ordinal=0, section_path=section, kind=kind, text=text)
    return Hit(rank=1, score=1.0, block=block, document=document, focus=(Span(start=0, end=len(text)),))


def is_result_id(doc_id: str) -> bool:
    """Whether a document or block of this id is the result of a tool."""
    return doc_id.startswith(_PREFIX)


def is_result(document: Document) -> bool:
    """Whether a document is the result of a tool and stands in no library."""
    return document.media_type == RESULT_MEDIA_TYPE and is_result_id(document.doc_id)
