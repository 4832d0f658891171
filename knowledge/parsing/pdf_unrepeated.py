"""Tells page numbers by their form, and running heads that no other page repeats, in short documents, by their look."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .lines import ends_sentence
from .pdf_layout import Line
from .pdf_margins import Edges, Item, Row, letters_of, text_of, type_size
from .pdf_reading import PageContent

_OUTER = 0.07  # share of the page's height from its edge: outside the usual margin of an inch
_GAP = 2.0  # times its height by which a row in the type of the text is set off from it
_SMALL_GAP = 1.2  # the same in smaller type, or with a page number
_SMALLER = 0.95  # times the size of the text
_LARGER = 1.2  # times the size of the text, from which a row is a title
_MOST_LETTERS = 0.5  # share of a page's letters

_COUNT = r"[\dⅠ-Ⅻ一二三四五六七八九十百零〇]{1,4}"
_PAGE_NUMBER = re.compile(
    rf"(?:第\s*{_COUNT}\s*页\s*[/／,，、|]?\s*(?:[（(]?\s*[共总]\s*(?:计\s*)?{_COUNT}\s*页\s*[)）]?)?"
    rf"|[共总]\s*{_COUNT}\s*页\s*[/／,，、|]?\s*第\s*{_COUNT}\s*页"
    r"|(?:第?\s*)?\d{1,4}\s*页?(?:\s*(?:[/／,，|]|of)\s*(?:共\s*)?\d{1,4}\s*页?)?"
    r"|[-–—·~•|\[【(（]+\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—·~•|\]】)）]+"
    r"|(?:page|pg\.?|p\.?|页码[:：]?|页次[:：]?)\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?|[ivxlc]{1,7})",
    re.IGNORECASE,
)
_WITH_NUMBER = re.compile(r"([1-9]\d{0,3})\s+(?=\D).*[^\W\d_].*|.*[^\W\d_].*\s([1-9]\d{0,3})")
"""A title with a page number before or behind it."""
_COPYRIGHT = re.compile(r"(?:©|\(c\)|copyright\b|版权所有)", re.IGNORECASE)


def is_page_number(text: str) -> bool:
    """Whether a line is nothing but a page number, with or without the count of pages."""
    return _PAGE_NUMBER.fullmatch(text.strip()) is not None


def number_in_head(text: str) -> int | None:
    """The number at one end of a line with other text, which may be its page's."""
    match = _WITH_NUMBER.fullmatch(text)
    return int(match.group(1) or match.group(2)) if match else None


def lone_heads(page: PageContent, edges: Edges) -> list[Item]:
    """Running lines of a page that has no like: outside the usual margin, set off, and not in larger type.

    The page must show that it has such lines: by a page number, alone or in one of them, by a copyright line, or by
    both a head and a foot.
    """
    size = type_size(edges.body)
    rows = {top: _apart(edges.top if top else edges.bottom, edges.body, page, size, top) for top in (True, False)}
    signed = any(map(_is_number_or_notice, edges.rows())) or any(_is_sign(row) for own in rows.values() for row in own)
    found = [item for own in rows.values() for row in own for item in row]
    if not (signed or all(rows.values())) or letters_of(found) > _MOST_LETTERS * letters_of(page.items):
        return []
    return found


def _is_number_or_notice(row: Row) -> bool:
    return any(is_page_number(text) or _COPYRIGHT.match(text) for text in map(text_of, row))


def _is_sign(row: Row) -> bool:
    return _is_number_or_notice(row) or any(number_in_head(text_of(item)) for item in row)


def _apart(rows: Sequence[Row], body: Sequence[Item], page: PageContent, size: float, top: bool) -> list[Row]:
    """The outermost rows up to the last one that is set off from what follows."""
    outer = []
    for row in rows:
        if not all(_is_outside(item, page, top) and isinstance(item, Line) for item in row):
            break
        outer.append(row)
    while outer:
        within = [item for row in rows[len(outer) :] for item in row] or body
        if _is_set_off(outer, within, size, top):
            return outer
        outer.pop()
    return []


def _is_outside(item: Item, page: PageContent, top: bool) -> bool:
    return item.bottom < _OUTER * page.height if top else item.top > (1 - _OUTER) * page.height


def _is_set_off(rows: Sequence[Row], within: Sequence[Item], size: float, top: bool) -> bool:
    lines = [item for row in rows for item in row if isinstance(item, Line)]
    if not within or any(line.bottom - line.top > _LARGER * size or ends_sentence(line.text) for line in lines):
        return False
    height = max(line.bottom - line.top for line in lines)
    if top:
        gap = min(item.top for item in within) - max(line.bottom for line in lines)
    else:
        gap = min(line.top for line in lines) - max(item.bottom for item in within)
    small = all(line.size <= _SMALLER * size for line in lines) or any(map(_is_sign, rows))
    return gap >= (_SMALL_GAP if small else _GAP) * height
