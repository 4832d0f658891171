"""The things a library holds: documents, the blocks that are read, the passages that are searched."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import PurePosixPath

from pydantic import BaseModel, ConfigDict, Field

EVERYONE: frozenset[str] = frozenset()


def text_hash(text: str) -> str:
    """Content hash of a text: 32 hexadecimal digits of its SHA-256."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class DocumentStatus(StrEnum):
    """A stored version is in use (`active`), kept as history (`replaced`) or gone without text (`tombstone`)."""

    ACTIVE = "active"
    REPLACED = "replaced"
    TOMBSTONE = "tombstone"


class BlockKind(StrEnum):
    """What a block consists of."""

    TEXT = "text"
    TABLE = "table"
    LIST = "list"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Document(_Frozen):
    """One version of one source file.

    `doc_id` is derived from the source URI and survives changes of content; `version` is the content hash.
    `readers` names who may see it; empty means everyone.
    """

    doc_id: str
    version: str
    title: str
    source_uri: str
    name: str = Field(description="path as shown to people, relative to the folder that was added")
    media_type: str
    doc_type: str | None = None
    domain: str | None = None
    authority: int = Field(default=0, ge=0, le=100, description="higher wins where texts compete")
    published_at: date | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    updated_at: datetime
    readers: frozenset[str] = EVERYONE
    status: DocumentStatus = DocumentStatus.ACTIVE
    pages: int | None = Field(default=None, description="page count, where the format has pages")
    unread_pages: tuple[int, ...] = Field(default=(), description="1-based pages without readable text")
    replaces: tuple[str, ...] = Field(default=(), description="titles of the documents that it repeals or replaces")
    superseded_by: str | None = Field(
        default=None, description="name of the document that has replaced it, of those that who asks may read; not kept"
    )
    replaced_at: datetime | None = Field(default=None, description="when a newer version took its place here")
    statements: str | None = Field(
        default=None, exclude=True, repr=False, description="who said what of it, see `metadata.layers`"
    )

    @property
    def search_title(self) -> str:
        """What stands for the document in searches: its title, and its file name where that says more."""
        stem = PurePosixPath(self.name).stem
        return self.title if stem in self.title else f"{self.title} {stem}"


class Block(_Frozen):
    """A reading unit: 500 to 1,500 characters cut along headings, clauses and pages (S0 §3.1).

    A table is one block of its own however long it is, unless it must be split, and then its header is repeated.
    """

    block_id: str
    doc_id: str
    ordinal: int = Field(ge=0, description="position in the document; neighbours are ordinal ± 1")
    section_path: tuple[str, ...] = ()
    page_first: int | None = None
    page_last: int | None = None
    kind: BlockKind = BlockKind.TEXT
    text: str


class Passage(_Frozen):
    """A search unit: about 512 characters of one block, 64 of them shared with the one before (S4 §2.2)."""

    block_id: str
    start: int = Field(ge=0, description="offset of its first character in the block's text")
    end: int = Field(ge=0, description="offset behind its last character")


class Caller(_Frozen):
    """On whose behalf the library is read. It comes from the host application, never from a model or document."""

    readers: frozenset[str] = EVERYONE
    is_owner: bool = Field(default=False, description="the library's owner on this machine sees everything")

    @classmethod
    def owner(cls) -> Caller:
        """The person who holds the library's file."""
        return cls(is_owner=True)
