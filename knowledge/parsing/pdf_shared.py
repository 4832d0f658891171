"""What the pages of a PDF have in common at their edges."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .pdf_margins import Edges, Item, depth_of, gap_of, is_at_top, key_of, sideways_on, slot_of, text_of, type_size
from .pdf_reading import PageContent
from .pdf_unrepeated import number_in_head

LEAST_PAGES = 3
_LEAST_SHARE = 0.08  # of the pages: running heads may change with the chapter
MANY_PAGES = 0.4  # share of all pages
_HEADING_PAGES = 0.6  # share of all pages, for lines that look like headings
_LEAST_CLOSE = 0.7  # share of its pages that have another one beside them or beyond the next
_BAND_PAGES = 0.6  # share of pages that have a line at one place, set off from the text: a head that changes
SET_OFF = 1.2  # times its height by which such a line is set off
_BAND_SHARED = 0.6  # share of those pages whose neighbours have the same line there
MARGIN = 0.12  # share of the page's height in which lines that do not repeat can be running lines
_LONGEST_NUMBER = 4  # digits of a page number


class Seen(NamedTuple):
    """What the pages of a document have in common.

    On which pages a text stands at a place; on how many a number differs from the page's; the bands of changing heads;
    the least pages that make a running line; how many pages there are; the size of their text. `numbers` are those at
    the ends of lines in the margins, by line and page.
    """

    places: dict[tuple[str, int], frozenset[int]]
    numbers: dict[str, dict[int, int]]
    offsets: Counter[int | None]
    bands: set[tuple[bool, int]]
    least: int
    pages: int
    size: float


def seen_on(pages: Sequence[PageContent], edges: dict[int, Edges]) -> Seen:
    """Compare the pages of a document; `edges` by page."""
    least = max(LEAST_PAGES, round(_LEAST_SHARE * len(pages))) if len(pages) > 2 else 2
    own = [{offset_of(item, page) for row in edges[page.number].rows() for item in row} for page in pages]
    return Seen(
        places=_places(pages, edges),
        numbers=_numbers(edges),
        offsets=Counter(offset for offsets in own for offset in offsets),
        bands=_bands(pages, edges),
        least=min(least, max(len(pages), 2)),
        pages=len(pages),
        size=type_size([item for page in pages for item in page.items]),
    )


def _places(pages: Sequence[PageContent], edges: dict[int, Edges]) -> dict[tuple[str, int], frozenset[int]]:
    """The pages that have a thing at a place; pages that are the same throughout show nothing and count once."""
    places: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    distinct = {tuple(map(text_of, page.items)): page for page in pages}
    for page in distinct.values():
        for item in [item for row in edges[page.number].rows() for item in row] + sideways_on(page):
            for shift in (0, 1):
                places[key_of(text_of(item)), slot_of(item) + shift].add(page.number)
    return {place: frozenset(found) for place, found in places.items()}


def _numbers(edges: dict[int, Edges]) -> dict[str, dict[int, int]]:
    found: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for page, own in edges.items():
        for text in (text_of(item) for row in own.rows() for item in row):
            number = number_in_head(text)
            if number is not None:
                found[key_of(text)][page] = number
    return dict(found)


def counts_on(item: Item, found: frozenset[int], seen: Seen) -> bool:
    """Whether a line with a number at its end stands on several pages, and the number grows from page to page."""
    numbers = seen.numbers.get(key_of(text_of(item)), {})
    own = [numbers[page] for page in sorted(found & numbers.keys())]
    return len(own) > 1 and all(after > before for before, after in pairwise(own))


def pages_with(item: Item, seen: Seen) -> frozenset[int]:
    """The pages that have the same thing at the same place."""
    key, slot = key_of(text_of(item)), slot_of(item)
    return max((seen.places.get((key, at), frozenset()) for at in (slot, slot + 1)), key=len)


def repeats(found: frozenset[int], seen: Seen) -> bool:
    """Whether what stands at a place on some pages is a running line.

    It stands on many of all pages or, as heads of chapters do, mostly on neighbouring ones, left and right pages
    apart. Headings that happen to begin some pages are scattered.
    """
    if len(found) < seen.least:
        return False
    return len(found) >= MANY_PAGES * seen.pages or _are_close(found)


# Every page of a long document asks this of the same running lines.
@lru_cache(maxsize=256)
def _are_close(found: frozenset[int]) -> bool:
    close = sum(bool(found & {page - 2, page - 1, page + 1, page + 2}) for page in found)
    return close >= _LEAST_CLOSE * len(found)


def offset_of(item: Item, page: PageContent) -> int | None:
    """By how much a bare number differs from the number of its page."""
    text = text_of(item)
    return int(text) - page.number if text.isdecimal() and len(text) <= _LONGEST_NUMBER else None


def is_on_most(item: Item, seen: Seen) -> bool:
    """Whether most pages have a thing, or most left or right ones if it has a number, as heads with page numbers do."""
    found = pages_with(item, seen)
    halves = 2 if any(map(str.isdigit, text_of(item))) and len({page % 2 for page in found}) == 1 else 1
    return len(found) >= max(LEAST_PAGES, _HEADING_PAGES * seen.pages / halves)


def _bands(pages: Sequence[PageContent], edges: dict[int, Edges]) -> set[tuple[bool, int]]:
    """Top or bottom, and slot, of outermost lines that most pages have there, set off from the text.

    Heads with the names of sections change, but neighbouring pages share them; first lines of text always change.
    """
    if len(pages) < 2 * LEAST_PAGES:
        return set()
    texts: defaultdict[tuple[bool, int], dict[int, str]] = defaultdict(dict)
    for page in pages:
        own = edges[page.number]
        for rows in filter(None, (own.top, own.bottom)):
            item = rows[0][0]
            if gap_of(rows[0], rows[1] if len(rows) > 1 else own.body) >= SET_OFF and depth_of(item, page) <= MARGIN:
                for shift in (-1, 0, 1):
                    texts[is_at_top(item, page), slot_of(item) + shift][page.number] = key_of(text_of(item))
    return {
        band
        for band, keys in texts.items()
        if len(keys) >= _BAND_PAGES * len(pages) and _shared(keys) >= _BAND_SHARED * len(keys)
    }


def _shared(keys: dict[int, str]) -> int:
    """On how many pages the same line stands as on the page before or behind, or the one beyond that."""
    return sum(any(keys.get(page + away) == key for away in (-2, -1, 1, 2)) for page, key in keys.items())
