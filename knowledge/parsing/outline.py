"""Turns what a reader collects into elements, and settles the levels of headings over the whole document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from ...errors import InputFileError
from ..description import Description
from ..elements import Doubt, Element, ElementKind, FileProperties, Furniture, ParsedDocument, ParseNote
from ..text.counting import counted
from .lines import clean, clean_line
from .numbering import looks_like_title, read_label, shape_of

DEEPEST_LEVEL = 9
_NUMBERED_RANK = 80  # of labels such as "1."


class Part(NamedTuple):
    """An element in the making.

    A heading has either a `level`, which the format itself states, or a `rank`, which only orders it among the
    headings that were recognised by their labels.
    """

    kind: ElementKind
    text: str
    level: int | None = None
    rank: int | None = None
    page: int | None = None
    last_page: int | None = None
    doubt: Doubt | None = None


class Told(NamedTuple):
    """What a reader has to say about a file beside its text."""

    furniture: Sequence[Furniture] = ()
    notes: Sequence[ParseNote] = ()
    properties: FileProperties = FileProperties()
    described: Description = Description()


def heading(text: str, level: int, page: int | None = None) -> Part:
    """A heading whose level the format states; levels outside 1 to 9 are brought inside."""
    return Part(ElementKind.HEADING, clean_line(text), level=min(max(level, 1), DEEPEST_LEVEL), page=page)


def table(markdown: str, page: int | None = None) -> Part:
    """A table that is already Markdown."""
    return Part(ElementKind.TABLE, markdown, page=page)


def item(text: str, page: int | None = None) -> Part:
    """An entry of a list, its number or label included."""
    return Part(ElementKind.LIST_ITEM, clean(text), page=page)


def paragraph(text: str, page: int | None = None) -> Part:
    """Running text that the format marks as such."""
    return Part(ElementKind.PARAGRAPH, clean(text), page=page)


def line(text: str, page: int | None = None) -> Part:
    """A line of which the format says nothing: its label decides whether it is a heading or a list item."""
    cleaned = clean(text)
    shape = shape_of(cleaned)
    return Part(shape.kind, cleaned, rank=shape.rank, page=page)


def promote_numbered(parts: Sequence[Part]) -> list[Part]:
    """Make headings of short numbered lines that number the whole text.

    ``1. Scope`` may be an entry of a list or a heading. It is a heading if such lines, each followed by other
    text, count from 1 upwards without a gap through the document, at least three of them.
    """
    found = [index for index, part in enumerate(parts[:-1]) if _leads_text(part, parts[index + 1])]
    numbers = [int(re.sub(r"\D.*", "", parts[index].text)) for index in found]
    if len(found) < 3 or numbers != list(range(1, len(found) + 1)):
        return list(parts)
    chosen = set(found)
    return [
        part._replace(kind=ElementKind.HEADING, rank=_NUMBERED_RANK) if index in chosen else part
        for index, part in enumerate(parts)
    ]


def _leads_text(part: Part, following: Part) -> bool:
    label = read_label(part.text) if part.kind is ElementKind.LIST_ITEM else None
    if label is None or label.rank != _NUMBERED_RANK or not looks_like_title(label.rest):
        return False
    below = read_label(following.text)
    return not label.rest[:1].islower() and (below is None or below.rank != _NUMBERED_RANK)


def settle(parts: Sequence[Part]) -> tuple[Element, ...]:
    """Elements with final levels: recognised headings go below the stated heading they stand under."""
    kept = [part for part in parts if part.text]
    ranks = sorted({part.rank for part in kept if _is_ranked(part) and part.rank is not None})
    elements: list[Element] = []
    stated = 0
    for part in kept:
        level = None
        if part.kind is ElementKind.HEADING:
            stated = part.level or stated
            level = part.level or min(stated + 1 + ranks.index(part.rank or 0), DEEPEST_LEVEL)
        elements.append(
            Element(
                kind=part.kind,
                text=part.text,
                level=level,
                page=part.page,
                last_page=part.last_page,
                doubt=part.doubt,
            )
        )
    return tuple(elements)


def _is_ranked(part: Part) -> bool:
    return part.kind is ElementKind.HEADING and part.level is None


def finish(
    path: Path,
    media_type: str,
    parts: Sequence[Part],
    *,
    title: str | None = None,
    pages: int | None = None,
    unread_pages: Sequence[int] = (),
    published_at: date | None = None,
    first_heading_names: bool = True,
    told: Told | None = None,
) -> ParsedDocument:
    """The parsed document.

    Args:
        first_heading_names: without a title, the first element gives it if it is an unlabelled heading.
        told: what else the reader has to say.

    Raises:
        InputFileError: if there is no text at all; the reason says whether pages hold pictures only.
    """
    said = told or Told()
    elements = settle(promote_numbered(parts))
    if not elements:
        raise InputFileError(str(path), _nothing(unread_pages))
    return ParsedDocument(
        media_type=media_type,
        elements=elements,
        title=clean_line(title or "") or (_first_heading(elements) if first_heading_names else None),
        pages=pages,
        unread_pages=tuple(unread_pages),
        published_at=published_at,
        furniture=tuple(said.furniture),
        notes=tuple(said.notes),
        properties=said.properties,
        described=said.described,
    )


def _first_heading(elements: tuple[Element, ...]) -> str | None:
    first = elements[0]
    return first.text if first.kind is ElementKind.HEADING and read_label(first.text) is None else None


def _nothing(unread_pages: Sequence[int]) -> str:
    if unread_pages:
        return (
            f"nothing to index: {counted(len(unread_pages), 'page')} of pictures alone, no text; "
            "recognise the text (OCR) and add the file again"
        )
    return "nothing to index: the file holds no readable text"
