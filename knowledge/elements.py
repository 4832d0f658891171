"""What a parser hands over: the document's parts in reading order, before they are cut into blocks."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field


class ElementKind(StrEnum):
    """The role of a part of a document."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"


class Element(BaseModel):
    """One part of a document: a heading, a paragraph, a list item or a whole table.

    `text` is plain text for a heading, a paragraph or a list item (with its visible number or label, such as
    ``第十二条`` or ``3.2``), and a Markdown table for a table: one header row, one separator row, then the rows;
    merged cells' values repeated; a pipe inside a cell escaped as ``\\|``, a line break in a cell as ``<br>``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ElementKind
    text: str
    level: int | None = Field(default=None, ge=1, le=9, description="of a heading; 1 is the highest")
    page: int | None = Field(default=None, ge=1, description="1-based page, slide or sheet number")
    last_page: int | None = Field(default=None, ge=1, description="where it ends, if it runs over a page break")


class ParsedDocument(BaseModel):
    """A whole file as it was understood."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    media_type: str
    elements: tuple[Element, ...]
    title: str | None = Field(default=None, description="from the document itself, never from the file name")
    pages: int | None = Field(default=None, ge=0)
    unread_pages: tuple[int, ...] = Field(default=(), description="pages with pictures but no readable text")
    published_at: date | None = None


class Parser(Protocol):
    """Reads one kind of file. Implementations are stateless."""

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types that it reads."""

    def parse(self, path: Path, media_type: str) -> ParsedDocument:
        """Read a file.

        Raises:
            InputFileError: with the file's name, the reason and what to do; never any other exception.
        """
