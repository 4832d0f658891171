"""Recognises what is printed on every page and is not part of the text: running heads, feet, page numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median_low
from typing import NamedTuple

from ..elements import Furniture, FurnitureKind
from .pdf_layout import Line, TableBox
from .pdf_margins import (
    Edges,
    Item,
    Row,
    depth_of,
    edges_of,
    gap_of,
    is_at_top,
    key_of,
    letters_of,
    sideways_on,
    slot_of,
    text_of,
)
from .pdf_reading import PageContent
from .pdf_shared import (
    LEAST_PAGES,
    MANY_PAGES,
    MARGIN,
    SET_OFF,
    Seen,
    counts_on,
    is_on_most,
    offset_of,
    pages_with,
    repeats,
    seen_on,
)
from .pdf_tags import ARTIFACT
from .pdf_unrepeated import is_page_number, lone_heads

_HEADING_SIZE = 1.12  # times the size of the text, from which a line looks like a heading
_MOST_ARTIFACTS = 0.4  # share of a page's letters; where a program marks more, the mark means nothing
_WATERMARK_SHARE = 0.5  # of the pages, that large pale text stands on if it is no title
_MOST_FURNITURE = 0.5  # share of a page's letters that running lines make up on most of their pages
_FORM_SHARE = 0.6  # share of the body of a page that most pages have, numbers aside: they are one form
_LEAST_FORM = 3  # things in the body of a form
_LEAST_WORDS = 4  # letters of a table that says something
_LONGEST = 200  # characters kept of a running line


class Stripped(NamedTuple):
    """Pages without furniture, and the furniture."""

    pages: list[PageContent]
    furniture: list[Furniture]


class _Found(NamedTuple):
    kind: FurnitureKind
    key: str
    text: str
    page: int


def without_furniture(pages: Sequence[PageContent]) -> Stripped:
    """The pages without running lines and watermarks.

    Running lines stand in the outermost rows, at the same place on several pages, numbers aside, or in a band at the
    top or bottom that is set off from the text on most pages, or the file itself calls them so. On pages that are
    forms of each other, and where they would be most of what there is, only page numbers are taken for furniture.
    """
    edges = {page.number: edges_of(page) for page in pages}
    seen = seen_on(pages, edges)
    running = {page.number: _running(page, edges[page.number], seen) for page in pages}
    running = _believed(running, pages, edges)
    behind = _watermarks(pages)
    found: list[_Found] = []
    stripped: list[PageContent] = []
    for page in pages:
        marks = [line for line in _lines(page) if line.pale and line.text in behind]
        stamps = [line for line in _lines(page) if line.in_margin and line not in running[page.number]]
        found += [_found(item, page) for item in running[page.number]]
        found += [_Found(FurnitureKind.WATERMARK, text, text, page.number) for text in page.watermarks]
        found += [_Found(FurnitureKind.WATERMARK, line.text, line.text, page.number) for line in marks + stamps]
        dropped = set(map(id, [*running[page.number], *marks, *stamps]))
        stripped.append(page._replace(items=[item for item in page.items if id(item) not in dropped]))
    return Stripped(stripped, _grouped(found))


def _lines(page: PageContent) -> list[Line]:
    return [item for item in page.items if isinstance(item, Line)]


def _running(page: PageContent, edges: Edges, seen: Seen) -> list[Item]:
    """The running lines of a page by what its pages share or, in short documents, by how they look."""
    found = [item for item in sideways_on(page) if repeats(pages_with(item, seen), seen)]
    if seen.pages < LEAST_PAGES:
        found += lone_heads(page, edges)
    for rows in (edges.top, edges.bottom):
        inner: list[list[Item]] = [*rows[1:], edges.body] if rows else []
        for row, within in zip(rows, inner, strict=True):
            found += [item for item in row if _is_running(item, page, seen, gap_of(row, within))]
        found += _around(rows, inner, page, seen)
    return list({id(item): item for item in found}.values())


def _is_running(item: Item, page: PageContent, seen: Seen, gap: float) -> bool:
    found = pages_with(item, seen)
    if isinstance(item, TableBox):
        return len(found) >= max(LEAST_PAGES, MANY_PAGES * seen.pages) and _has_words(item)
    if _looks_like_heading(item, seen, gap) and not is_on_most(item, seen):
        return False
    if repeats(found, seen):
        return True
    if depth_of(item, page) > MARGIN:
        return False
    if gap >= SET_OFF and counts_on(item, found, seen):
        return True
    if _is_number(item, page, seen) or (is_at_top(item, page), slot_of(item)) in seen.bands:
        return True
    return item.tag == ARTIFACT and not _all_artifacts(page)


def _has_words(table: TableBox) -> bool:
    """Whether a table says something: rows of figures at the top of pages look alike, too."""
    return sum(character.isalpha() for character in text_of(table)) >= _LEAST_WORDS


def _looks_like_heading(line: Line, seen: Seen, gap: float) -> bool:
    return line.size >= _HEADING_SIZE * seen.size or (line.bold and gap < SET_OFF)


def _is_number(line: Line, page: PageContent, seen: Seen) -> bool:
    """Whether a line is a page number and, if it is a bare one, counts on with others."""
    offset = offset_of(line, page)
    return is_page_number(line.text) and (offset is None or seen.pages <= LEAST_PAGES or seen.offsets[offset] > 1)


def _around(rows: Sequence[Row], inner: Sequence[Sequence[Item]], page: PageContent, seen: Seen) -> list[Item]:
    """What stands beside, or farther out than, a page number or a line that most pages have, if text keeps away."""
    found: list[Item] = []
    for index, (row, within) in enumerate(zip(rows, inner, strict=True)):
        if gap_of(row, within) < SET_OFF or not any(_is_sure(item, page, seen) for item in row):
            continue
        near = [item for outer in rows[: index + 1] for item in outer]
        found += [item for item in near if isinstance(item, Line) and depth_of(item, page) <= MARGIN]
    return found


def _is_sure(item: Item, page: PageContent, seen: Seen) -> bool:
    if not isinstance(item, Line) or depth_of(item, page) > MARGIN:
        return False
    return is_on_most(item, seen) or _is_number(item, page, seen)


def _all_artifacts(page: PageContent) -> bool:
    lines = _lines(page)
    marked = sum(len(line.text) for line in lines if line.tag == ARTIFACT)
    return marked > _MOST_ARTIFACTS * sum(len(line.text) for line in lines)


def _believed(
    running: dict[int, list[Item]], pages: Sequence[PageContent], edges: dict[int, Edges]
) -> dict[int, list[Item]]:
    """The running lines that leave most of the text on most of their pages; of forms, the page numbers."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for page in pages:
        share = letters_of(running[page.number]) / max(letters_of(page.items), 1)
        for item in running[page.number]:
            shares[key_of(text_of(item))].append(share)
    forms = _are_forms(pages, edges)
    return {
        number: [
            item
            for item in own
            if is_page_number(text_of(item))
            or (not forms and median_low(shares[key_of(text_of(item))]) <= _MOST_FURNITURE)
        ]
        for number, own in running.items()
    }


def _are_forms(pages: Sequence[PageContent], edges: dict[int, Edges]) -> bool:
    """Whether most pages have the text that most pages have, but for numbers: payslips, copies of one form."""
    bodies = [set(_keys(edges[page.number].body)) for page in pages]
    bodies = [body for body in bodies if len(body) >= _LEAST_FORM]
    counts = Counter(key for body in bodies for key in body)
    usual = {key for key, count in counts.items() if count * 2 > len(bodies)}
    alike = sum(len(body & usual) >= _FORM_SHARE * len(body) for body in bodies)
    return len(bodies) > 1 and alike * 2 > len(bodies)


def _keys(items: Sequence[Item]) -> Iterable[str]:
    for item in items:
        texts = [item.text] if isinstance(item, Line) else [cell for row in item.grid for cell in row]
        yield from (key for key in map(key_of, texts) if any(map(str.isalpha, key)))


def _watermarks(pages: Sequence[PageContent]) -> set[str]:
    """Large pale texts that most pages have."""
    counts = Counter(text for page in pages for text in {line.text for line in _lines(page) if line.pale})
    return {text for text, count in counts.items() if count >= max(2, _WATERMARK_SHARE * len(pages))}


def _found(item: Item, page: PageContent) -> _Found:
    text = text_of(item)
    if is_page_number(text):
        return _Found(FurnitureKind.PAGE_NUMBER, "", text, page.number)
    kind = FurnitureKind.HEADER if is_at_top(item, page) else FurnitureKind.FOOTER
    return _Found(kind, key_of(text), text, page.number)


def _grouped(found: Iterable[_Found]) -> list[Furniture]:
    """One entry for what repeats, with the text of its first page."""
    texts: dict[tuple[FurnitureKind, str], str] = {}
    pages: defaultdict[tuple[FurnitureKind, str], set[int]] = defaultdict(set)
    for item in found:
        texts.setdefault((item.kind, item.key), item.text[:_LONGEST])
        pages[item.kind, item.key].add(item.page)
    return [Furniture(kind=key[0], text=text, pages=tuple(sorted(pages[key]))) for key, text in texts.items()]
