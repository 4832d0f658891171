"""How the command line says that a document or version is no longer in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...knowledge.documents import Document


def age_of(document: Document) -> str:
    """A mark for a replaced version or a replaced document; empty for what holds."""
    marks = []
    if document.replaced_at is not None:
        begins = document.effective_from or document.published_at
        since = f" of {begins}" if begins else ""
        marks.append(f"version{since}, replaced {document.replaced_at.date()}")
    if document.superseded_by is not None:
        marks.append(f"replaced by {document.superseded_by}")
    return f"  [{'; '.join(marks)}]" if marks else ""
