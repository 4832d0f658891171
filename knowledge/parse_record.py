"""What is kept with a document of how it was read, so that a person can look at it later."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .elements import Doubt, ElementKind, FileProperties, Furniture, FurnitureKind, ParsedDocument, ParseNote
from .quality import Quality, quality_of
from .text.normalise import well_formed

_MOST_FURNITURE = 200
_MOST_NOTES = 200
_MOST_HEADINGS = 20_000
_MOST_PAGES = 200
_LONGEST_TEXT = 300


class Doubts(BaseModel):
    """Parts of one document in which the same was guessed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Doubt
    count: int = Field(ge=1)
    pages: tuple[int, ...] = Field(default=(), description="the first 200 of them")


class HeadingMark(BaseModel):
    """A heading as it was recognised; its text is cut at 300 characters."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    level: int = Field(ge=1, le=9)
    text: str
    page: int | None = Field(default=None, ge=1)


class ParseRecord(BaseModel):
    """How a document was read: by what, how well, what was left out, guessed and not read."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reader: str
    seconds: float = Field(ge=0)
    furniture: tuple[Furniture, ...] = Field(default=(), description="the first 200; page numbers as one entry")
    notes: tuple[ParseNote, ...] = Field(default=(), description="the first 200")
    properties: FileProperties = FileProperties()
    headings: tuple[HeadingMark, ...] = Field(default=(), description="the first 20,000, in reading order")
    doubts: tuple[Doubts, ...] = Field(default=(), description="the most frequent first")
    quality: Quality

    def to_json(self) -> str:
        """As it is stored; halves of characters, which damaged fonts give, become replacement characters."""
        return well_formed(json.dumps(self.model_dump(mode="json"), ensure_ascii=False))

    @classmethod
    def from_json(cls, stored: str) -> ParseRecord | None:
        """What `to_json` has written; None if another version of this program wrote it in another form."""
        try:
            return cls.model_validate_json(stored)
        except ValidationError:
            return None


def record_of(parsed: ParsedDocument, seconds: float) -> ParseRecord:
    """The record of a parse.

    Args:
        parsed: the document as it was understood.
        seconds: how long reading it took.
    """
    headings = (element for element in parsed.elements if element.kind is ElementKind.HEADING)
    return ParseRecord(
        reader=parsed.reader,
        seconds=round(seconds, 3),
        furniture=tuple(_folded(parsed.furniture)),
        notes=parsed.notes[:_MOST_NOTES],
        properties=parsed.properties,
        headings=tuple(
            HeadingMark(level=heading.level or 1, text=heading.text[:_LONGEST_TEXT], page=heading.page)
            for heading in headings
        )[:_MOST_HEADINGS],
        doubts=_doubts(parsed),
        quality=quality_of(parsed),
    )


def _folded(furniture: Sequence[Furniture]) -> Iterable[Furniture]:
    """Page numbers differ from page to page and say nothing: one entry stands for all."""
    numbers = [one for one in furniture if one.kind is FurnitureKind.PAGE_NUMBER]
    others = [one for one in furniture if one.kind is not FurnitureKind.PAGE_NUMBER]
    for one in others[:_MOST_FURNITURE]:
        yield one.model_copy(update={"text": one.text[:_LONGEST_TEXT], "pages": one.pages[:_MOST_PAGES]})
    if numbers:
        pages = sorted({page for one in numbers for page in one.pages})
        first, last = numbers[0].text, numbers[-1].text
        text = first if len(numbers) == 1 else f"{first} … {last}"
        yield Furniture(kind=FurnitureKind.PAGE_NUMBER, text=text, pages=tuple(pages[:_MOST_PAGES]))


def _doubts(parsed: ParsedDocument) -> tuple[Doubts, ...]:
    doubted = [element for element in parsed.elements if element.doubt is not None]
    counts = Counter(element.doubt for element in doubted)
    return tuple(
        Doubts(
            kind=kind,
            count=count,
            pages=tuple(
                sorted({element.page for element in doubted if element.doubt is kind and element.page is not None})
            )[:_MOST_PAGES],
        )
        for kind, count in counts.most_common()
        if kind is not None
    )
