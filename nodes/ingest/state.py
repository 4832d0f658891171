"""What travels through the ingest graph: one file at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypedDict

from pydantic import BaseModel, ConfigDict, Field

from ...knowledge.description import Description
from ...knowledge.documents import Document
from ...knowledge.elements import ParsedDocument, ParseOptions
from ...knowledge.library import Library
from ...knowledge.splitting import SplitDocument


class Outcome(StrEnum):
    """What became of a file."""

    ADDED = "added"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FAILED = "failed"


class SourceFile(BaseModel):
    """A file to add.

    `readers` None keeps whom the version before was open to (a new document: everyone).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Path
    name: str
    uri: str | None = Field(default=None, description="where it comes from, if it is not the file at `path`")
    readers: frozenset[str] | None = None
    again: bool = False
    described: Description = Description()

    @property
    def source_uri(self) -> str:
        """Where it comes from: what makes its id, and what it is known by when it is added again."""
        return self.uri or self.path.resolve().as_uri()


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
    options: ParseOptions = field(default_factory=ParseOptions)
