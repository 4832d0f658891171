"""What travels through the ingest graph: one file at a time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypedDict

from pydantic import BaseModel, ConfigDict, Field

from ...knowledge.description import Description
from ...knowledge.documents import Document
from ...knowledge.elements import ParsedDocument, ParseOptions
from ...knowledge.library import Library
from ...knowledge.reading import CutDocument, DirectReader, Reader
from .closing import ClosedDocument


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


class BlockChange(BaseModel):
    """What became of the blocks of a document, or of many."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    added: int = Field(default=0, ge=0)
    kept: int = Field(default=0, ge=0, description="with their text, id and vectors")
    removed: int = Field(default=0, ge=0)

    def __add__(self, other: BlockChange) -> BlockChange:
        """Both together."""
        return BlockChange(
            added=self.added + other.added, kept=self.kept + other.kept, removed=self.removed + other.removed
        )


class IngestInput(TypedDict):
    """What the graph is given."""

    source: SourceFile


class IngestOutput(TypedDict):
    """What the graph returns; the seconds and the change only of files that came so far."""

    outcome: Outcome
    reason: str
    unread_pages: tuple[int, ...]
    change: BlockChange
    read_seconds: float
    split_seconds: float
    index_seconds: float


class IngestState(IngestInput, IngestOutput, total=False):
    """Everything in between; each field has one writer, but `outcome` and `reason`, which every node may settle."""

    document: Document
    """Written by `parse`."""
    parsed: ParsedDocument
    """Written by `parse`."""
    cut: CutDocument
    """Written by `split`."""


@dataclass(frozen=True, kw_only=True)
class IngestContext:
    """What an ingest run works on."""

    library: Library
    options: ParseOptions = field(default_factory=ParseOptions)
    reader: Reader = field(default_factory=DirectReader)
    gone: tuple[ClosedDocument, ...] = ()
    """Closed documents whose files have gone: a new one like them is not open to everyone."""
    turn: Callable[[], AbstractContextManager[object]] = nullcontext
    """Entered to write to the library: gives several runs their turns."""
