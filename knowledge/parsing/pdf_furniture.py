"""Recognises what is printed on every page and is not part of the text: running heads, feet, page numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .pdf_layout import Line, TableBox

_MARGIN = 0.12  # share of the page's height at its top and bottom where running lines stand
_OUTERMOST = 2  # lines from the top or bottom that may be running lines even farther inside
_LEAST_PAGES = 3
_LEAST_SHARE = 0.08  # of the pages: running heads may change with the chapter
_POSITION = 8.0  # points within which lines on different pages are at the same place
_PAGE_NUMBER = re.compile(
    r"(?:第?\s*\d{1,4}\s*页?(?:\s*[/／,，]?\s*(?:共|of|/)?\s*\d{1,4}\s*页?)?|[-–—·~]\s*\d{1,4}\s*[-–—·~]"
    r"|(?:page|p\.?|页码[:：]?)\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?|[ivxlc]{1,7})",
    re.IGNORECASE,
)


class PageContent(NamedTuple):
    """What was found on a page; height in points."""

    number: int
    height: float
    items: list[Line | TableBox]
    has_pictures: bool


def _marginal(page: PageContent) -> list[Line]:
    lines = sorted((item for item in page.items if isinstance(item, Line)), key=lambda line: line.top)
    outer = set(lines[:_OUTERMOST] + lines[-_OUTERMOST:])
    return [line for line in lines if (line in outer and _is_outside(line, page, 2)) or _is_outside(line, page, 1)]


def _is_outside(line: Line, page: PageContent, factor: float) -> bool:
    margin = _MARGIN * factor * page.height
    return line.bottom < margin or line.top > page.height - margin


def _key(line: Line) -> str:
    return re.sub(r"\d+|[ivxlc]{2,}\b", "#", re.sub(r"\s+", "", line.text))


def without_furniture(pages: Sequence[PageContent]) -> list[PageContent]:
    """The pages without running heads and feet: what stands at the same place on several pages, numbers aside."""
    places: Counter[tuple[str, int]] = Counter()
    for page in pages:
        places.update({(_key(line), _slot(line) + shift) for line in _marginal(page) for shift in (0, 1)})
    least = max(_LEAST_PAGES, round(_LEAST_SHARE * len(pages))) if len(pages) > 2 else 2
    return [_stripped(page, places, least, len(pages)) for page in pages]


def _slot(line: Line) -> int:
    return round(line.top / _POSITION)


def _stripped(page: PageContent, places: Counter[tuple[str, int]], least: int, pages: int) -> PageContent:
    dropped: set[Line] = set()
    for line in _marginal(page):
        key, slot = _key(line), _slot(line)
        repeated = max(places[key, slot], places[key, slot + 1]) >= min(least, max(pages, 2))
        numbered = _PAGE_NUMBER.fullmatch(line.text) is not None and _is_outside(line, page, 1)
        if repeated or numbered:
            dropped.add(line)
    kept = [item for item in page.items if isinstance(item, TableBox) or item not in dropped]
    return page._replace(items=kept)
