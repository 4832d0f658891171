"""Recognises what is printed on every page and is not part of the text: running heads, feet, page numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..elements import Furniture, FurnitureKind
from .pdf_layout import Line, TableBox
from .pdf_reading import PageContent
from .pdf_tags import ARTIFACT

_MARGIN = 0.12  # share of the page's height at its top and bottom where running lines stand
_OUTERMOST = 2  # lines from the top or bottom that may be running lines even farther inside
_LEAST_PAGES = 3
_LEAST_SHARE = 0.08  # of the pages: running heads may change with the chapter
_MANY_PAGES = 0.4  # share of all pages
_LEAST_CLOSE = 0.7  # share of its pages that have another one beside them or beyond the next
_POSITION = 8.0  # points within which lines on different pages are at the same place
_BAND_PAGES = 0.6  # share of pages that have a line at one place, set off from the text: a head that changes
_BAND_GAP = 1.2  # times its height by which such a line is set off
_BAND_SHARED = 0.6  # share of those pages whose neighbours have the same line there
_MOST_ARTIFACTS = 0.4  # share of a page's letters; where a program marks more, the mark means nothing
_WATERMARK_SHARE = 0.5  # of the pages, that large pale text stands on if it is no title
_MOST_FURNITURE = 0.5  # share of a document's letters
_LONGEST_NUMBER = 4  # digits of a page number
_LONGEST = 200  # characters kept of a running line

_COUNT = r"[\dⅠ-Ⅻ一二三四五六七八九十百零〇]{1,4}"
_PAGE_NUMBER = re.compile(
    rf"(?:第\s*{_COUNT}\s*页\s*[/／,，、|]?\s*(?:[（(]?\s*[共总]\s*(?:计\s*)?{_COUNT}\s*页\s*[)）]?)?"
    rf"|[共总]\s*{_COUNT}\s*页\s*[/／,，、|]?\s*第\s*{_COUNT}\s*页"
    r"|(?:第?\s*)?\d{1,4}\s*页?(?:\s*(?:[/／,，|]|of)\s*(?:共\s*)?\d{1,4}\s*页?)?"
    r"|[-–—·~•|\[【(（]+\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—·~•|\]】)）]+"
    r"|(?:page|pg\.?|p\.?|页码[:：]?|页次[:：]?)\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?|[ivxlc]{1,7})",
    re.IGNORECASE,
)


class Stripped(NamedTuple):
    """Pages without furniture, and the furniture."""

    pages: list[PageContent]
    furniture: list[Furniture]


class _Found(NamedTuple):
    kind: FurnitureKind
    key: str
    text: str
    page: int


class _Seen(NamedTuple):
    """What the pages of a document have in common.

    On which pages a text stands at a place; on how many a number differs from the page's; the bands of changing heads;
    the least pages that make a running line; how many pages there are.
    """

    places: dict[tuple[str, int], set[int]]
    offsets: Counter[int | None]
    bands: set[tuple[bool, int]]
    least: int
    pages: int


def is_page_number(text: str) -> bool:
    """Whether a line is nothing but a page number, with or without the count of pages."""
    return _PAGE_NUMBER.fullmatch(text.strip()) is not None


def without_furniture(pages: Sequence[PageContent]) -> Stripped:
    """The pages without running lines and watermarks.

    Running lines stand at the same place on several pages, numbers aside, or in a band at the top or bottom that is
    set off from the text on most pages, or the file itself calls them so.
    """
    least = max(_LEAST_PAGES, round(_LEAST_SHARE * len(pages))) if len(pages) > 2 else 2
    offsets = Counter(_offset(line, page) for page in pages for line in _marginal(page))
    seen = _Seen(_places(pages), offsets, _bands(pages), min(least, max(len(pages), 2)), len(pages))
    behind = _watermarks(pages)
    running = {page.number: [line for line in _marginal(page) if _is_running(line, page, seen)] for page in pages}
    if _is_most(running, pages):
        running = {number: [line for line in own if is_page_number(line.text)] for number, own in running.items()}
    found: list[_Found] = []
    stripped: list[PageContent] = []
    for page in pages:
        marginal = running[page.number]
        marks = [line for line in _lines(page) if line.pale and line.text in behind]
        found += [_found(line, page) for line in marginal]
        found += [_Found(FurnitureKind.WATERMARK, text, text, page.number) for text in page.watermarks]
        found += [_Found(FurnitureKind.WATERMARK, line.text, line.text, page.number) for line in marks]
        dropped = {*marginal, *marks}
        kept = [item for item in page.items if isinstance(item, TableBox) or item not in dropped]
        stripped.append(page._replace(items=kept))
    return Stripped(stripped, _grouped(found))


def _is_most(running: dict[int, list[Line]], pages: Sequence[PageContent]) -> bool:
    """Whether more than half of a document would be furniture: forms and copies of one page are not."""
    dropped = sum(len(line.text) for lines in running.values() for line in lines)
    tables = sum(len("".join(map("".join, i.grid))) for page in pages for i in page.items if isinstance(i, TableBox))
    return dropped > _MOST_FURNITURE * (tables + sum(len(line.text) for page in pages for line in _lines(page)))


def _lines(page: PageContent) -> list[Line]:
    return [item for item in page.items if isinstance(item, Line)]


def _marginal(page: PageContent) -> list[Line]:
    lines = sorted((line for line in _lines(page) if not line.beside), key=lambda line: line.top)
    outer = set(lines[:_OUTERMOST] + lines[-_OUTERMOST:])
    beside = [line for line in _lines(page) if line.beside]
    return beside + [
        line for line in lines if (line in outer and _is_outside(line, page, 2)) or _is_outside(line, page, 1)
    ]


def _is_outside(line: Line, page: PageContent, factor: float) -> bool:
    margin = _MARGIN * factor * page.height
    return line.bottom < margin or line.top > page.height - margin


def _key(line: Line) -> str:
    return re.sub(r"\d+|[ivxlc]{2,}\b", "#", re.sub(r"\s+", "", line.text))


def _slot(line: Line) -> int:
    return 0 if line.beside else round(line.top / _POSITION)


def _places(pages: Sequence[PageContent]) -> dict[tuple[str, int], set[int]]:
    """The pages that have a line at a place; pages that are the same throughout show nothing and count once."""
    places: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    distinct = {tuple(line.text for line in _lines(page)): page for page in pages}
    for page in distinct.values():
        for line in _marginal(page):
            for shift in (0, 1):
                places[_key(line), _slot(line) + shift].add(page.number)
    return dict(places)


def _repeats(places: Sequence[set[int]], least: int, pages: int) -> bool:
    """Whether a line that stands at a place on some pages is a running one.

    It stands on many of all pages or, as heads of chapters do, mostly on neighbouring ones, left and right pages
    apart. Headings that happen to begin some pages are scattered.
    """
    found = max(places, key=len, default=set())
    if len(found) < least:
        return False
    close = sum(bool(found & {page - 2, page - 1, page + 1, page + 2}) for page in found)
    return len(found) >= _MANY_PAGES * pages or close >= _LEAST_CLOSE * len(found)


def _is_running(line: Line, page: PageContent, seen: _Seen) -> bool:
    key, slot = _key(line), _slot(line)
    places = [seen.places.get((key, at), set()) for at in (slot, slot + 1)]
    if _repeats(places, seen.least, seen.pages):
        return True
    if line.beside or not _is_outside(line, page, 1):
        return False
    offset = _offset(line, page)
    counts_on = offset is None or seen.pages <= _LEAST_PAGES or seen.offsets[offset] > 1
    if (is_page_number(line.text) and counts_on) or (_is_at_top(line, page), slot) in seen.bands:
        return True
    return line.tag == ARTIFACT and not _all_artifacts(page)


def _offset(line: Line, page: PageContent) -> int | None:
    """By how much a bare number differs from the number of its page."""
    return int(line.text) - page.number if line.text.isdecimal() and len(line.text) <= _LONGEST_NUMBER else None


def _is_at_top(line: Line, page: PageContent) -> bool:
    return line.top < page.height / 2


def _all_artifacts(page: PageContent) -> bool:
    lines = _lines(page)
    marked = sum(len(line.text) for line in lines if line.tag == ARTIFACT)
    return marked > _MOST_ARTIFACTS * sum(len(line.text) for line in lines)


def _bands(pages: Sequence[PageContent]) -> set[tuple[bool, int]]:
    """Top or bottom, and slot, of outermost lines that most pages have there, set off from the text.

    Heads with the names of sections change, but neighbouring pages share them; first lines of text always change.
    """
    if len(pages) < 2 * _LEAST_PAGES:
        return set()
    texts: defaultdict[tuple[bool, int], dict[int, str]] = defaultdict(dict)
    for page in pages:
        lines = sorted((line for line in _lines(page) if not line.beside), key=lambda line: line.top)
        for line, inner in _outermost(lines):
            gap = max(inner.top - line.bottom, line.top - inner.bottom)
            if gap >= _BAND_GAP * (line.bottom - line.top) and _is_outside(line, page, 1):
                for shift in (-1, 0, 1):
                    texts[_is_at_top(line, page), _slot(line) + shift][page.number] = _key(line)
    return {
        band
        for band, keys in texts.items()
        if len(keys) >= _BAND_PAGES * len(pages) and _shared(keys) >= _BAND_SHARED * len(keys)
    }


def _shared(keys: dict[int, str]) -> int:
    """On how many pages the same line stands as on the page before or behind, or the one beyond that."""
    return sum(any(keys.get(page + away) == key for away in (-2, -1, 1, 2)) for page, key in keys.items())


def _outermost(lines: list[Line]) -> list[tuple[Line, Line]]:
    """The first and the last line, each with the next one that is not beside it."""
    found: list[tuple[Line, Line]] = []
    for ordered in (lines, lines[::-1]):
        inner = next((line for line in ordered if abs(line.top - ordered[0].top) > line.size), None)
        if inner is not None:
            found.append((ordered[0], inner))
    return found


def _watermarks(pages: Sequence[PageContent]) -> set[str]:
    """Large pale texts that most pages have."""
    counts = Counter(text for page in pages for text in {line.text for line in _lines(page) if line.pale})
    return {text for text, count in counts.items() if count >= max(2, _WATERMARK_SHARE * len(pages))}


def _found(line: Line, page: PageContent) -> _Found:
    if is_page_number(line.text):
        return _Found(FurnitureKind.PAGE_NUMBER, "", line.text, page.number)
    kind = FurnitureKind.HEADER if _is_at_top(line, page) else FurnitureKind.FOOTER
    return _Found(kind, _key(line), line.text, page.number)


def _grouped(found: Iterable[_Found]) -> list[Furniture]:
    """One entry for what repeats, with the text of its first page."""
    texts: dict[tuple[FurnitureKind, str], str] = {}
    pages: defaultdict[tuple[FurnitureKind, str], set[int]] = defaultdict(set)
    for item in found:
        texts.setdefault((item.kind, item.key), item.text[:_LONGEST])
        pages[item.kind, item.key].add(item.page)
    return [Furniture(kind=key[0], text=text, pages=tuple(sorted(pages[key]))) for key, text in texts.items()]
