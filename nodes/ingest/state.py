"""What travels through the ingest graph: one file at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TypedDict

from pydantic import BaseModel, ConfigDict, Field

from ...knowledge.documents import Document
from ...knowledge.elements import ParsedDocument
from ...knowledge.library import Library
from ...knowledge.splitting import SplitDocument


class Outcome(StrEnum):
    """What became of a file."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FAILED = "failed"


class Description(BaseModel):
    """What the person who adds files says about them.

    None keeps what was known before, an empty text forgets it; a date that nobody states is read from the document.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    doc_type: str | None = None
    domain: str | None = None
    authority: int | None = Field(default=None, ge=0, le=100, description="higher wins where texts compete")
    published_at: date | None = None
    effective_from: date | None = None
    effective_to: date | None = None

    def differs_from(self, document: Document) -> bool:
        """Whether it says anything that is not known of a document yet."""
        stated = {name: value for name, value in self if value is not None}
        return any(getattr(document, name) != (None if value == "" else value) for name, value in stated.items())


class SourceFile(BaseModel):
    """A file to add.

    `readers` None keeps whom the version before was open to (a new document: everyone).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path
    name: str
    readers: frozenset[str] | None = None
    again: bool = False
    described: Description = Description()


class IngestInput(TypedDict):
    """What the graph is given."""

    source: SourceFile


class IngestOutput(TypedDict):
    """What the graph returns."""

    outcome: Outcome
    reason: str
    unread_pages: tuple[int, ...]


class IngestState(IngestInput, IngestOutput, total=False):
    """Everything in between; each field has one writer."""

    document: Document
    """Written by `parse`."""
    parsed: ParsedDocument
    """Written by `parse`."""
    split: SplitDocument
    """Written by `split`."""


@dataclass(frozen=True, kw_only=True)
class IngestContext:
    """What an ingest run works on."""

    library: Library
