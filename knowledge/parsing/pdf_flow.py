"""Joins the lines of a PDF into paragraphs and its tables over page breaks, and tells headings by their type."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from ..elements import ElementKind
from . import outline
from .lines import east_asian_share, ends_sentence, is_east_asian, join_lines, leads_to_page
from .numbering import looks_like_title, read_label, shape_of
from .pdf_furniture import PageContent
from .pdf_layout import Line, TableBox
from .tables import to_markdown

_LARGER = 1.12  # times the size of running text: from here a line is set as a heading
_LONGEST_HEADING = 70  # characters of Chinese; three times as many letters
_SAME_RULE = 4.0  # points by which a column rule may differ from page to page
_SURELY_TITLE = 18.0  # points: no running text is set as large, official Chinese letters use 16
_LINES_TO_JUDGE = 6  # distances of lines from which a page shows its own
_LOWEST_RANK = 85  # of bold lines without a label: below all labelled headings of that size
_CONTINUED = re.compile(r"[（(]?\s*(?:续表?|接上表|continued|cont\.?)\s*[\d.\-]*\s*[）)]?", re.IGNORECASE)


class Paragraph(NamedTuple):
    """Consecutive lines that belong together."""

    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The lines joined."""
        return join_lines([line.text for line in self.lines])


class Type(NamedTuple):
    """What running text looks like in a document: its size, distance of lines in sizes, and whether it is bold."""

    size: float
    pitch: float
    bold: bool
    pitches: dict[int, float]

    def pitch_on(self, page: int) -> float:
        """The distance on one page, where enough lines show it."""
        return self.pitches.get(page, self.pitch)


def type_of(lines: Sequence[Line]) -> Type:
    """The type that most characters are set in."""
    sizes: Counter[float] = Counter()
    bold = 0
    for line in lines:
        sizes[_rounded(line.size)] += len(line.text)
        bold += len(line.text) if line.bold else 0
    pitches: defaultdict[int, list[float]] = defaultdict(list)
    for above, below in pairwise(lines):
        if above.page == below.page and 0 < below.top - above.top < 3 * above.size:
            pitches[above.page].append((below.top - above.top) / above.size)
    every = [pitch for page in pitches.values() for pitch in page]
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    by_page = {page: median(found) for page, found in pitches.items() if len(found) >= _LINES_TO_JUDGE}
    return Type(size, median(every) if every else 1.5, bold * 2 > sizes.total(), by_page)


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def flow(pages: Sequence[PageContent]) -> list[outline.Part]:
    """The parts of a document whose pages have lost their running heads."""
    items = _joined_tables([item for page in pages for item in page.items])
    kind = type_of([item for item in items if isinstance(item, Line)])
    groups = _paragraphs(items, kind)
    levels = _levels([group for group in groups if isinstance(group, Paragraph)], kind)
    parts: list[outline.Part] = []
    for group in groups:
        if isinstance(group, Paragraph):
            parts.append(_part(group, kind, levels))
        else:
            parts += _table_parts(group)
    return parts


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


def _paragraphs(items: list[Line | TableBox], kind: Type) -> list[Paragraph | TableBox]:
    groups: list[Paragraph | TableBox] = []
    for item in items:
        last = groups[-1] if groups else None
        if isinstance(item, TableBox):
            groups.append(item)
        elif isinstance(last, Paragraph) and _goes_on(last, item, kind):
            groups[-1] = Paragraph((*last.lines, item))
        else:
            groups.append(Paragraph((item,)))
    return groups


def _goes_on(paragraph: Paragraph, line: Line, kind: Type) -> bool:
    """Whether a line continues the paragraph above it."""
    above = paragraph.lines[-1]
    if abs(above.size - line.size) > 0.1 * above.size or leads_to_page(above.text) or leads_to_page(line.text):
        return False
    if above.bold != line.bold and ((len(paragraph.lines) == 1 and looks_like_title(above.text)) or line.bold):
        return False
    if _is_larger(above, kind):
        return _same_block(above, line, kind) and read_label(line.text) is None and _may_wrap(above)
    ended = ends_sentence(above.text)
    if read_label(line.text) is not None and (ended or not _is_full(above)):
        return False
    if above.page != line.page or line.top < above.top:
        return _is_full(above) and not ended
    if not _same_block(above, line, kind) or not _is_full(above):
        return False
    indented = line.left > above.left + 1.2 * line.size and read_label(paragraph.lines[0].text) is None
    return not (ended and indented)


def _same_block(above: Line, line: Line, kind: Type) -> bool:
    """Whether two lines follow each other at the usual distance."""
    return (
        0 <= line.top - above.top < max(1.35 * kind.pitch_on(line.page), 1.6) * above.size and line.page == above.page
    )


def _is_full(line: Line) -> bool:
    """Whether a line reaches so far right that its last word may have pushed the next one down."""
    missing = line.edge - line.right
    if line.text and is_east_asian(line.text[-1]):
        return missing < 2.5 * line.size
    return missing < (0.12 if ends_sentence(line.text) else 0.3) * (line.edge - line.start)


def _may_wrap(line: Line) -> bool:
    """Whether a line set as a heading is long enough to have been broken; two short ones are two headings."""
    return line.right - line.left > 8 * line.size


def _is_larger(line: Line, kind: Type) -> bool:
    return line.size >= _LARGER * kind.size or (line.size >= _SURELY_TITLE and looks_like_title(line.text))


def _is_heading(paragraph: Paragraph, kind: Type) -> bool:
    text = paragraph.text
    longest = _LONGEST_HEADING * (1 if east_asian_share(text) > 0.3 else 3)
    if len(text) > longest or len(paragraph.lines) > 3 or leads_to_page(text) or not _has_words(text):
        return False
    shape = shape_of(text)
    if _is_larger(paragraph.lines[0], kind):
        return not text.endswith(("。", "；", ";", "，", ",", "：", ":")) and (
            shape.kind is not ElementKind.LIST_ITEM or paragraph.lines[0].bold
        )
    if len(paragraph.lines) > 2:
        return False
    if all(line.bold for line in paragraph.lines) and not kind.bold:
        label = read_label(text)
        return looks_like_title(label.rest if label and label.rest else text)
    return shape.kind is ElementKind.HEADING


def _has_words(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters >= 2 and letters * 2 >= len(text.replace(" ", ""))


def _key(paragraph: Paragraph, kind: Type) -> tuple[float, int | None]:
    """Size, the largest first, and rank of the label."""
    label = read_label(paragraph.text)
    size = _rounded(paragraph.lines[0].size) if _is_larger(paragraph.lines[0], kind) else kind.size
    rank = label.rank if label is not None else None
    return (-size, rank if rank is not None or size > kind.size else _LOWEST_RANK)


def _levels(paragraphs: Sequence[Paragraph], kind: Type) -> dict[tuple[float, int | None], int]:
    """Levels of headings by size first, then by label; without a label they rank as the highest of their size."""
    keys = {_key(paragraph, kind) for paragraph in paragraphs if _is_heading(paragraph, kind)}
    highest = {
        size: min((rank for other, rank in keys if other == size and rank is not None), default=0) for size, _ in keys
    }
    ordered = sorted({(size, highest[size] if rank is None else rank) for size, rank in keys})
    levels = {key: min(index, outline.DEEPEST_LEVEL) for index, key in enumerate(ordered, 1)}
    return {(size, rank): levels[size, highest[size] if rank is None else rank] for size, rank in keys}


def _part(paragraph: Paragraph, kind: Type, levels: dict[tuple[float, int | None], int]) -> outline.Part:
    first, last = paragraph.lines[0].page, paragraph.lines[-1].page
    if _is_heading(paragraph, kind):
        return outline.heading(paragraph.text, levels[_key(paragraph, kind)], first)
    shape = shape_of(paragraph.text)
    is_item = shape.kind is ElementKind.LIST_ITEM
    part = outline.item(paragraph.text, first) if is_item else outline.paragraph(paragraph.text, first)
    return part._replace(last_page=last if last != first else None)
