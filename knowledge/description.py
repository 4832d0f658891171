"""What is said about a document beside its text."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, ConfigDict, Field

from .documents import Document


class Description(BaseModel):
    """What is said about a document: by who adds it, in a file beside it, in its front matter or its properties.

    None keeps what was known before, an empty text forgets it; a date that nobody states is read from the document.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    doc_type: str | None = None
    domain: str | None = None
    authority: int | None = Field(default=None, ge=0, le=100, description="higher wins where texts compete")
    published_at: date | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    title: str | None = None
    replaces: tuple[str, ...] | None = Field(default=None, description="titles of the documents that it replaces")

    def differs_from(self, document: Document) -> bool:
        """Whether it says anything that is not known of a document yet."""
        stated = {name: value for name, value in self if value is not None}
        return any(getattr(document, name) != (None if value == "" else value) for name, value in stated.items())
