"""Recognises tables of contents, with or without leader dots and page numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ..elements import Furniture, FurnitureKind
from .lines import leads_to_page
from .pdf_layout import Line, TableBox
from .pdf_tags import CONTENTS

Item = Line | TableBox

_TITLE = re.compile(
    r"(?:[图表]\s*(?:表)?\s*)?目\s*[录次錄]|(?:插图|附图|附表|图表|表格|图)\s*(?:清单|索引|目录)"
    r"|(?:table\s*of\s*)?contents|list\s*of\s*(?:tables|figures|appendices|exhibits|illustrations)",
    re.IGNORECASE,
)
_ENDS_WITH_PAGE = re.compile(r"^(?P<title>.*\D)[\s.…·]+(?P<page>\d{1,4}|[ivxlc]{1,6})\s*$", re.IGNORECASE)
_LEADER = re.compile(r"[.…·]{2,}\s*\d{1,4}$|…")
_LEAST_ENTRIES = 3
_MOST_BETWEEN = 2  # lines without a page number between entries: long titles run over two lines
_LEAST_RISING = 0.8  # share of steps from entry to entry on which page numbers do not fall; prices do
_LEAST_KNOWN = 0.7  # share of lines under the title "Contents" that occur as lines of the text again
_LONGEST_ENTRY = 120  # characters
_MOST_KEPT = 20_000  # characters of one table of contents that are kept


class WithoutContents(NamedTuple):
    """Items without tables of contents, and those."""

    items: list[Item]
    furniture: list[Furniture]


def is_contents_title(text: str) -> bool:
    """Whether a line is the title of a table of contents or a list of figures or tables."""
    return _TITLE.fullmatch(text.strip(" :：-—【】[]").strip()) is not None


def without_contents(items: Sequence[Item]) -> WithoutContents:
    """The items of a document without its tables of contents."""
    later = _later_lines(items)
    kept: list[Item] = []
    furniture: list[Furniture] = []
    index = 0
    while index < len(items):
        end = _end_of_contents(items, index, later)
        if end == index:
            kept.append(items[index])
            index += 1
            continue
        lines = [item for item in items[index:end] if isinstance(item, Line)]
        title = _title_above(kept)
        furniture.append(_furniture(title + lines))
        kept = kept[: len(kept) - len(title)]
        index = end
    return WithoutContents(kept, furniture)


def _furniture(lines: list[Line]) -> Furniture:
    text = "\n".join(line.text for line in lines)[:_MOST_KEPT]
    return Furniture(kind=FurnitureKind.CONTENTS, text=text, pages=tuple(sorted({line.page for line in lines})))


def _title_above(kept: list[Item]) -> list[Line]:
    above = kept[-1] if kept else None
    return [above] if isinstance(above, Line) and is_contents_title(above.text) else []


def _later_lines(items: Sequence[Item]) -> dict[str, int]:
    """Where each line occurs last, blanks and case aside."""
    return {_plain(item.text): index for index, item in enumerate(items) if isinstance(item, Line)}


def _plain(text: str) -> str:
    return re.sub(r"[\s.…·]+", "", text).lower()


def _end_of_contents(items: Sequence[Item], start: int, later: dict[str, int]) -> int:
    """The index behind the table of contents that begins at `start`, or `start` if none does."""
    first = items[start]
    if not isinstance(first, Line):
        return start
    titled = start > 0 and is_contents_title(getattr(items[start - 1], "text", ""))
    if not (titled or _is_entry(first) or first.tag == CONTENTS):
        return start
    ends = [_run_of_entries(items, start, titled)]
    if titled:
        ends.append(_run_of_known(items, start, later))
    return max(ends)


def _is_entry(line: Line) -> bool:
    return leads_to_page(line.text) or (bool(_LEADER.search(line.text)) and _page_of(line) is not None)


def _page_of(line: Line) -> str | None:
    """The page number at the end of a line."""
    match = _ENDS_WITH_PAGE.match(line.text)
    return match["page"] if match and len(line.text) <= _LONGEST_ENTRY else None


def _run_of_entries(items: Sequence[Item], start: int, titled: bool) -> int:
    """Entries that lead to a page; under a title also those without dots, and wherever the file says so."""
    end = start
    pages: list[int] = []
    entries = 0
    for index in range(start, len(items)):
        line = items[index]
        if not isinstance(line, Line) or index - end > _MOST_BETWEEN or is_contents_title(line.text):
            break
        number = _page_of(line)
        if line.tag == CONTENTS or _is_entry(line) or (titled and number is not None):
            entries += 1
            end = index + 1
            pages += [int(number)] if number is not None and number.isdecimal() else []
    rising = sum(one <= other for one, other in pairwise(pages))
    return end if entries >= _LEAST_ENTRIES and rising >= _LEAST_RISING * (len(pages) - 1) else start


def _run_of_known(items: Sequence[Item], start: int, later: dict[str, int]) -> int:
    """Lines under a title, without page numbers, that come again further on."""
    end = start
    known = 0
    for index in range(start, len(items)):
        line = items[index]
        if not isinstance(line, Line) or index - end > _MOST_BETWEEN or len(line.text) > _LONGEST_ENTRY:
            break
        if is_contents_title(line.text) or not _is_alone(items, index):
            break
        if later.get(_plain(line.text), index) > index:
            known += 1
            end = index + 1
    enough = known >= _LEAST_ENTRIES and known >= _LEAST_KNOWN * (end - start)
    return end if enough else start


def _is_alone(items: Sequence[Item], index: int) -> bool:
    """Whether a line comes for the first time, as an entry does; its second time is the heading itself."""
    text = _plain(getattr(items[index], "text", ""))
    earlier = items[max(index - 400, 0) : index]
    return not any(isinstance(item, Line) and _plain(item.text) == text for item in earlier)
