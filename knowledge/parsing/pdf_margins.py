"""The outermost rows of PDF pages, where running heads and feet can stand; nothing else is ever taken for one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .pdf_layout import Line, TableBox
from .pdf_reading import PageContent

Item = Line | TableBox
Row = list[Item]

_MARGIN = 0.12  # share of the page's height at its top and bottom where running lines stand
_OUTERMOST = 2  # rows that may be running lines even twice as far inside
_MOST_ROWS = 4  # of a head or a foot
_MOST_TABLE_ROWS = 4  # of a head that is ruled as a table
_SAME_ROW = 0.3  # share of the lower one's height by which two things beside each other overlap
_LONGEST = 300  # characters of a running line; longer ones are text
_POSITION = 8.0  # points within which lines on different pages are at the same place


class Edges(NamedTuple):
    """The rows at a page's top and bottom that may be running lines, from the outside in, and what lies inside."""

    top: list[Row]
    bottom: list[Row]
    body: list[Item]

    def rows(self) -> list[Row]:
        """Those of both ends."""
        return self.top + self.bottom


def text_of(item: Item) -> str:
    """The text of a line or a table in one line."""
    return item.text if isinstance(item, Line) else " ".join(cell for row in item.grid for cell in row if cell)


def key_of(text: str) -> str:
    """A text without blanks, all its numbers alike."""
    return re.sub(r"\d+|[ivxlc]{2,}\b", "#", re.sub(r"\s+", "", text))


def slot_of(item: Item) -> int:
    """Where on a page something stands; sideways lines have no place of their own."""
    return 0 if isinstance(item, Line) and item.beside else round(item.top / _POSITION)


def letters_of(items: Sequence[Item]) -> int:
    """How many letters, digits and signs things hold together."""
    return sum(len(text_of(item)) for item in items)


def edges_of(page: PageContent) -> Edges:
    """What stands in the margins of a page; a row there ends what can lie farther out, as does a table of some size."""
    items = [item for item in page.items if not (isinstance(item, Line) and item.beside)]
    rows = _rows(items)
    top = _outer(rows, page.height, from_top=True)
    bottom = _outer(rows[len(top) :][::-1], page.height, from_top=False)
    outer = {id(item) for row in top + bottom for item in row}
    return Edges(top, bottom, [item for item in items if id(item) not in outer])


def is_at_top(item: Item, page: PageContent) -> bool:
    """Whether something stands in the upper half of its page."""
    return item.top < page.height / 2


def depth_of(item: Item, page: PageContent) -> float:
    """How far the inner end of something is from the nearest edge of its page, as a share of the page's height."""
    inner = item.bottom if is_at_top(item, page) else page.height - item.top
    return inner / max(page.height, 1.0)


def gap_of(row: Sequence[Item], within: Sequence[Item]) -> float:
    """By how much a row is set off from what lies farther inside, in its own heights; a lot if nothing does."""
    height = max(max(item.bottom - item.top for item in row), 1.0)
    gaps = [max(other.top - item.bottom, item.top - other.bottom) for other in within for item in row]
    return min(gaps, default=100 * height) / height


def sideways_on(page: PageContent) -> list[Item]:
    """The lines of a page that run in another direction than its text."""
    return [item for item in page.items if isinstance(item, Line) and item.beside]


def type_size(items: Sequence[Item]) -> float:
    """The type size of most letters, in points; 0 without lines."""
    sizes: Counter[float] = Counter()
    for item in items:
        if isinstance(item, Line):
            sizes[round(item.size * 2) / 2] += len(item.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _rows(items: Sequence[Item]) -> list[Row]:
    rows: list[Row] = []
    for item in sorted(items, key=lambda item: (item.top + item.bottom) / 2):
        if rows and _is_beside(rows[-1][-1], item):
            rows[-1].append(item)
        else:
            rows.append([item])
    return rows


def _is_beside(one: Item, other: Item) -> bool:
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap > _SAME_ROW * min(one.bottom - one.top, other.bottom - other.top)


def _outer(rows: Sequence[Row], height: float, *, from_top: bool) -> list[Row]:
    found: list[Row] = []
    for row in rows[:_MOST_ROWS]:
        inner = max(item.bottom for item in row) if from_top else height - min(item.top for item in row)
        deepest = _MARGIN * height * (2 if len(found) < _OUTERMOST else 1)
        if inner > deepest or not all(map(_is_short, row)):
            break
        found.append(row)
    return found


def _is_short(item: Item) -> bool:
    return len(text_of(item)) <= _LONGEST and (isinstance(item, Line) or len(item.grid) <= _MOST_TABLE_ROWS)
