"""What a parser hands over: the document's parts in reading order, before they are cut into blocks."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from .description import Description


class ElementKind(StrEnum):
    """The role of a part of a document."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"


class Doubt(StrEnum):
    """What a reader had to guess in an element; people should look at it."""

    HEADER = "header"
    """a table's header was put together from what stands around it, or the first row was taken for it"""
    COLUMNS = "columns"
    """the columns of a table were told by alignment alone"""
    ORDER = "order"
    """the reading order was guessed"""
    RECOGNISED = "recognised"
    """the text was recognised in a picture (OCR)"""
    LAYOUT = "layout"
    """a table that seems to be used for layout was read as text"""


class FurnitureKind(StrEnum):
    """What is printed on pages but is not part of the text."""

    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"
    CONTENTS = "contents"
    WATERMARK = "watermark"


class Furniture(BaseModel):
    """A running head, page number, table of contents or watermark that was left out of the text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FurnitureKind
    text: str
    pages: tuple[int, ...] = Field(default=(), description="1-based, ascending")


class ParseNoteKind(StrEnum):
    """What a person should know about how a file was read."""

    HIDDEN = "hidden"
    """a hidden sheet, slide or column, which was read, too"""
    UNCOMPUTED = "uncomputed"
    """formulas whose values are not stored in the file"""
    CUT_SHORT = "cut_short"
    """a bound was reached; the rest was not read"""
    SIMPLIFIED = "simplified"
    """read in a plainer way than usual, since the usual one failed or would take too long"""
    UNREAD = "unread"
    """a part that could not be read: a picture, an attachment, an embedded object"""


class ParseNote(BaseModel):
    """One thing to know about how a file was read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ParseNoteKind
    detail: str = Field(default="", description="what it is about: a sheet, a cell range, an attachment's name")
    page: int | None = Field(default=None, ge=1)


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
    doubt: Doubt | None = Field(default=None, description="what was guessed, if anything")


class NumberLoss(BaseModel):
    """Numbers of a page, or of a whole file, in its plain text, and how many of them were not understood with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: int | None = Field(default=None, ge=1)
    counted: int = Field(ge=0)
    lost: int = Field(ge=0)
    examples: tuple[str, ...] = ()


class FileProperties(BaseModel):
    """What a file's own properties say; programs fill them in, often wrongly, so nothing else relies on them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = ""
    author: str = ""
    subject: str = ""
    keywords: tuple[str, ...] = ()
    created: datetime | None = None
    modified: datetime | None = None


class ParsedDocument(BaseModel):
    """A whole file as it was understood."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    media_type: str
    elements: tuple[Element, ...]
    title: str | None = Field(default=None, description="from the document itself, never from the file name")
    pages: int | None = Field(default=None, ge=0)
    unread_pages: tuple[int, ...] = Field(default=(), description="pages with pictures but no readable text")
    published_at: date | None = None
    reader: str = Field(default="", description="what has read it: the module's name, `unstructured` or `ocr`")
    furniture: tuple[Furniture, ...] = ()
    notes: tuple[ParseNote, ...] = ()
    properties: FileProperties = FileProperties()
    described: Description = Field(default=Description(), description="what its front matter says about it")
    number_losses: tuple[NumberLoss, ...] = Field(
        default=(), description="how it compares with the plain text of sampled pages"
    )


class ParseOptions(BaseModel):
    """How files are to be read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    passwords: tuple[SecretStr, ...] = Field(default=(), description="tried in this order on encrypted files")
    readers: dict[str, Literal["own", "unstructured"]] = Field(
        default_factory=dict, description="by file name ending with its dot: who reads such files where both can"
    )
    ocr: bool = Field(default=True, description="recognise the text of pictures where the extra `ocr` is installed")
    ocr_seconds: float = Field(
        default=300.0, gt=0, description="for recognising the pictures of a file; what is left is named as unread"
    )
    most_pages: int = Field(default=10_000, ge=1, description="of a file; what follows is not read")
    most_cells: int = Field(default=2_000_000, ge=1, description="of a workbook; what follows is not read")


class Parser(Protocol):
    """Reads one kind of file. Implementations are stateless."""

    @property
    def media_types(self) -> tuple[str, ...]:
        """The media types that it reads."""

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """Read a file.

        Raises:
            InputFileError: with the file's name, the reason and what to do; never any other exception.
        """
