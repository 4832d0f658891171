"""Turns the pages of a PDF into the parts of a document: paragraphs, headings, tables joined over page breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..elements import Doubt, ElementKind, Furniture
from . import outline
from .numbering import shape_of
from .pdf_contents import WithoutContents, without_contents
from .pdf_headings import levels_of
from .pdf_layout import Line, TableBox
from .pdf_notes import without_notes
from .pdf_paragraphs import Paragraph, compounds_of, paragraphs_of, type_of
from .pdf_reading import PageContent
from .pdf_source import Bookmark
from .table_units import carry_units
from .tables import to_markdown

_SAME_RULE = 4.0  # points by which a column rule may differ from page to page
_CONTINUED = re.compile(r"[（(]?\s*(?:续表?|接上表|continued|cont\.?)\s*[\d.\-]*\s*[）)]?", re.IGNORECASE)


class Flowed(NamedTuple):
    """The parts of a document, and its tables of contents."""

    parts: list[outline.Part]
    furniture: list[Furniture]


def flow(pages: Sequence[PageContent], bookmarks: Sequence[Bookmark] = ()) -> Flowed:
    """The parts of a document whose pages have lost their running heads."""
    items = [item for page in pages for item in page.items]
    found = without_contents(items)
    if not found.items:  # nothing but a table of contents
        found = WithoutContents(items, [])
    kind = type_of([item for item in found.items if isinstance(item, Line)])
    body = without_notes(found.items, kind.size, {page.number: page.height for page in pages})
    compounds = compounds_of(line.text for line in found.items if isinstance(line, Line))
    groups = _with_notes(paragraphs_of(_joined_tables(body.items), kind), body.notes)
    groups = [group._replace(compounds=compounds) if isinstance(group, Paragraph) else group for group in groups]
    paragraphs = [group for group in groups if isinstance(group, Paragraph)]
    levels = levels_of(paragraphs, kind, bookmarks, _pictured(pages))
    parts: list[outline.Part] = []
    place = 0
    for group in groups:
        if isinstance(group, Paragraph):
            parts.append(_part(group, levels.get(place)))
            place += 1
        else:
            parts += _table_parts(group)
    return Flowed(carry_units(parts), found.furniture)


def _pictured(pages: Sequence[PageContent]) -> frozenset[int]:
    """The pages whose text was recognised in their picture, where most others have text of their own."""
    recognised = frozenset(page.number for page in pages if page.recognised)
    readable = sum(bool(page.items) and not page.recognised for page in pages)
    return recognised if len(recognised) <= readable else frozenset()


def _with_notes(groups: list[Paragraph | TableBox], notes: dict[int, list[list[Line]]]) -> list[Paragraph | TableBox]:
    """Footnotes behind the last thing that begins on their page, so behind a sentence that runs over its end."""
    placed: list[Paragraph | TableBox] = []
    waiting = sorted(notes.items())
    for group in groups:
        page = group.lines[0].page if isinstance(group, Paragraph) else group.page
        while waiting and waiting[0][0] < page:
            placed += [Paragraph(tuple(lines)) for lines in waiting.pop(0)[1]]
        placed.append(group)
    return placed + [Paragraph(tuple(lines)) for _, own in waiting for lines in own]


def _joined_tables(items: list[Line | TableBox]) -> list[Line | TableBox]:
    joined: list[Line | TableBox] = []
    last_pages: dict[int, int] = {}
    for item in items:
        if isinstance(item, TableBox):
            if joined and isinstance(joined[-1], Line) and _CONTINUED.fullmatch(joined[-1].text):
                joined.pop()
            above = joined[-1] if joined else None
            if isinstance(above, TableBox):
                reached = last_pages.get(len(joined) - 1, above.page)
                if _continues(above, item, reached):
                    joined[-1] = _appended(above, item)
                    last_pages[len(joined) - 1] = item.page
                    continue
        joined.append(item)
    return [
        item._replace(bottom=-last_pages[index]) if isinstance(item, TableBox) and index in last_pages else item
        for index, item in enumerate(joined)
    ]


def _continues(above: TableBox, below: TableBox, reached: int) -> bool:
    """Whether a table at the top of a page goes on with the one at the bottom of the page before."""
    if below.page != reached + 1 or len(above.grid[0]) != len(below.grid[0]) or below.titles:
        return False
    if above.grid[: above.header_rows] == below.grid[: above.header_rows]:
        return True
    same_place = len(above.rules) == len(below.rules) and all(
        abs(one - other) <= _SAME_RULE for one, other in zip(above.rules, below.rules, strict=True)
    )
    return same_place and bool(above.rules)


def _appended(above: TableBox, below: TableBox) -> TableBox:
    header = above.grid[: above.header_rows]
    repeated = below.grid[: above.header_rows] == header
    return above._replace(grid=above.grid + below.grid[above.header_rows if repeated else 0 :])


def _table_parts(box: TableBox) -> list[outline.Part]:
    last = round(-box.bottom) if box.bottom < 0 else None
    parts = [outline.paragraph(title, box.page) for title in box.titles]
    if len(box.grid) == 1:
        return [*parts, outline.paragraph(" ".join(cell for cell in box.grid[0] if cell), box.page)]
    part = outline.table(to_markdown(box.grid, box.header_rows), box.page)
    return [*parts, part._replace(last_page=last, doubt=box.doubt)]


def _part(paragraph: Paragraph, level: int | None) -> outline.Part:
    first, last = paragraph.lines[0].page, paragraph.lines[-1].page
    if level is not None:
        return outline.heading(paragraph.text, level, first)
    is_item = shape_of(paragraph.text).kind is ElementKind.LIST_ITEM
    part = outline.item(paragraph.text, first) if is_item else outline.paragraph(paragraph.text, first)
    doubt = Doubt.ORDER if paragraph.lines[0].beside else None
    return part._replace(last_page=last if last != first else None, doubt=doubt)
