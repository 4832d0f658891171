"""What is remembered of earlier questions, and the contract of the place where it is kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from ..documents import Caller


class MemoryLabel(StrEnum):
    """Who said what an entry says (S3 §5.3)."""

    USER_STATEMENT = "user_statement"
    """The user, of themselves or of what they prefer."""
    SYSTEM_CONCLUSION = "system_conclusion"
    """An answer that was checked against the documents that it cites."""
    TEMPORARY = "temporary"
    """An answer that rests on what a tool found at that moment."""


class MemoryEntry(BaseModel):
    """One thing that is remembered."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory_id: str
    thread_id: str = Field(default="", description="the conversation that it comes from; empty: none")
    label: MemoryLabel
    text: str
    created_at: datetime
    caller: Caller = Field(description="on whose behalf it was said: only the same rights see it")
    trace_id: str = Field(default="", description="of the run that it comes from")
    documents: Mapping[str, str] = Field(
        default_factory=dict, description="the documents that it rests on, with the versions that said so"
    )


class MemoryStore(Protocol):
    """Where entries are kept. They are shown only as long as each document that they rest on is there unchanged."""

    def put(self, entry: MemoryEntry, keep: int, temporary_since: datetime) -> bool:
        """Remember an entry; False if a document that it rests on has changed.

        An entry of the same id is replaced. The oldest beyond `keep` are forgotten, and temporary ones made before
        `temporary_since`.

        Raises:
            LibraryError: the library cannot be written now.
        """

    def seen_by(self, caller: Caller, thread_id: str, limit: int) -> list[MemoryEntry]:
        """The latest entries that a question of this caller in this conversation may see, newest first."""

    def everybodys(self, limit: int) -> list[MemoryEntry]:
        """The latest entries of all callers, newest first: for the owner, who holds the file."""

    def forget(self, memory_ids: Collection[str]) -> int:
        """Delete entries; how many there were."""
