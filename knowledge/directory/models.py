"""What a reader is shown of a library before it reads."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ..digest.models import Digest
from ..documents import Block, Document


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


Level = Literal["library", "domain", "document", "section", "block"]


class DirectoryLine(_Frozen):
    """One line of the directory."""

    level: Level
    label: str = Field(description="the name of the domain, document or section; of a block, its place")
    documents: int = Field(default=0, ge=0, description="under it")
    blocks: int = Field(default=0, ge=0, description="under it")
    doc_id: str = ""
    block_id: str = Field(default="", description="the block itself, or the first one under it")
    summary: str = Field(default="", description="of what stands under it, with its details")


class DirectoryEntry(_Frozen):
    """A block that may be read, with its digest."""

    block: Block
    document: Document
    digest: Digest


class DirectoryView(_Frozen):
    """The part of the directory that fits into a limit of tokens, narrowed by search where the whole does not."""

    lines: tuple[DirectoryLine, ...] = Field(description="from the library down, in reading order")
    entries: tuple[DirectoryEntry, ...] = Field(description="the blocks in it, most promising first")
    is_whole: bool = Field(description="whether nothing that the caller may read was left out")
    tokens: int = Field(ge=0, description="estimated, of `text`")
    text: str = Field(description="the lines as a reader is shown them; text of documents, so to be fenced")
