"""Takes footnotes out of the running text of PDF pages, so that they do not stand in the middle of a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .pdf_layout import Line, TableBox

Item = Line | TableBox

_MARK = re.compile(
    r"(?:\d{1,3}(?![\d.、）)%,])|[*∗†‡§¶]{1,3}|[①-⑳⑴-⒇]|[\[［〔【(（]\s*\d{1,3}\s*[\]］〕】)）]|注\s*\d*\s*[:：])\s*(?=\S)"
)
_SMALLER = 0.93  # times the size of running text, which footnotes are below
_LOWER_HALF = 0.45  # share of the page's height below which footnotes begin
_GAP = 2.2  # times its size by which a line may stand below the one before in one note


class WithoutNotes(NamedTuple):
    """The running text, and the lines of footnotes, each note's together, by page."""

    items: list[Item]
    notes: dict[int, list[list[Line]]]


def without_notes(items: Sequence[Item], size: float, heights: dict[int, float]) -> WithoutNotes:
    """Items without footnotes (small type behind a mark, at the foot of a column) and without sideways lines.

    Args:
        items: of a document in reading order.
        size: of running text, in points.
        heights: of pages, in points.
    """
    kept: list[Item] = []
    notes: dict[int, list[list[Line]]] = {}
    index = 0
    while index < len(items):
        item = items[index]
        if isinstance(item, Line) and item.beside:
            notes.setdefault(item.page, []).append([item])
            index += 1
            continue
        end = _end_of_block(items, index, size, heights)
        if end == index:
            kept.append(items[index])
            index += 1
            continue
        for line in items[index:end]:
            if isinstance(line, Line):
                own = notes.setdefault(line.page, [])
                if _MARK.match(line.text) or not own:
                    own.append([])
                own[-1].append(line)
        index = end
    return WithoutNotes(kept, notes)


def _end_of_block(items: Sequence[Item], start: int, size: float, heights: dict[int, float]) -> int:
    """The index behind the notes that begin here and end a column; `start` if none do."""
    first = items[start]
    if not isinstance(first, Line) or not _is_small(first, size) or not _MARK.match(first.text):
        return start
    if first.top < _LOWER_HALF * heights.get(first.page, 0.0):
        return start
    end = start + 1
    while end < len(items) and _goes_on(items[end - 1], items[end], size):
        end += 1
    following = items[end] if end < len(items) else None
    ends_column = following is None or following.page != first.page or following.top < first.top
    ends_column = ends_column or (isinstance(following, Line) and following.beside)
    return end if ends_column else start


def _goes_on(above: Item, below: Item, size: float) -> bool:
    if not isinstance(above, Line) or not isinstance(below, Line):
        return False
    near = above.page == below.page and 0 <= below.top - above.top < _GAP * above.size
    return near and _is_small(below, size)


def _is_small(line: Line, size: float) -> bool:
    return line.size <= _SMALLER * size and not line.bold
