"""Tells the headings of a PDF and their levels: by its own outline and tags, by type size, weight and numbering."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..elements import ElementKind
from .lines import east_asian_share, leads_to_page
from .numbering import Label, looks_like_title, read_label, shape_of
from .outline import DEEPEST_LEVEL
from .pdf_contents import is_contents_title
from .pdf_paragraphs import Paragraph, Type, is_larger, rounded
from .pdf_source import Bookmark
from .pdf_tags import heading_level

_LONGEST_HEADING = 70  # characters of Chinese; three times as many letters
_LONG_SENTENCE = 60  # letters; shorter headings may end with a full stop
_LOWEST_RANK = 85  # of bold lines without a label: below all labelled headings of that size
_NUMBER_RANK = 70  # of "1 Scope" and "1. Scope" as headings: above "1.1"
_CHINESE_RANK = 50  # of "一、"
_CLEARLY = 1.1  # times as large: not the same kind of heading
_BULLET_RANK = 90
_ITEM_RANK = 80
_LEAST_STATED = 2  # headings that the file's own outline or tags must name before they are relied on
_LEAST_CONSISTENT = 0.85  # share of labelled headings whose level is the usual one of their rank
_LEAST_SHARE = 0.3  # of the bookmarks that must be found as lines; others name pages or files
_CAPTION = re.compile(
    r"(?:[图表]|Table|TABLE|Figure|FIGURE|Fig\.|FIG\.|Chart|Diagram)\s*[A-Z]?[\d一二三四五六七八九十]+(?:\s*[-–—.．]\s*\d+)*(?!\d*\s*[章节条])"
)
_IN_BRACKETS = re.compile(r"[（(〔【][^（）()]*[）)〕】]")  # when and by whom something was issued
_CODE = re.compile(r"[{};=<>|\\]|\(\)|^[:$#>!]|\w\(|[!?]\s\w+$")
_NUMBER = re.compile(r"[1-9]\d?(?=\s+[^\W\d]|[\u4e00-\u9fff])")
_MATTER = frozenset(
    {"前言", "序言", "序", "引言", "绪论", "导言", "摘要", "结语", "结束语", "附言", "后记", "致谢", "参考文献"}
    | {"附录", "附件", "索引", "术语表", "修订记录", "版本记录", "声明", "免责声明", "目录", "目次", "目錄"}
    | {"preface", "foreword", "introduction", "abstract", "summary", "executivesummary", "conclusion", "conclusions"}
    | {"acknowledgements", "acknowledgments", "references", "bibliography", "glossary", "index", "appendix"}
    | {"appendices"}
)  # fmt: skip
"""Titles that stand beside the chapters, however they are set."""


class Heading(NamedTuple):
    """A paragraph that is a heading; `stated` is the level that the file itself gives it,
    `place` its index among the paragraphs."""

    place: int
    stated: int | None


def is_matter(text: str) -> bool:
    """Whether a title names the front or back matter or a table of contents rather than a document."""
    return _plain(text) in _MATTER or is_contents_title(text)


def levels_of(
    paragraphs: Sequence[Paragraph],
    kind: Type,
    bookmarks: Sequence[Bookmark],
    pictured: Collection[int] = (),
) -> dict[int, int]:
    """The levels of headings by their index among the paragraphs.

    Args:
        paragraphs: of the whole document.
        kind: the type of its running text.
        bookmarks: its own outline.
        pictured: pages that are pictures in a document of set type. The size of writing in a picture says nothing of
            its rank there: only a clear label makes a heading.
    """
    stated = _stated(paragraphs, bookmarks)
    trusted = _is_consistent(stated, paragraphs)
    chosen = {
        index
        for index, paragraph in enumerate(paragraphs)
        if index in stated
        or (_is_heading(paragraph, kind) and (paragraph.lines[0].page not in pictured or _is_labelled(paragraph.text)))
    }
    chosen |= _missing_siblings(paragraphs, chosen)
    headings = [Heading(index, stated.get(index) if trusted else None) for index in sorted(chosen)]
    return _nested(headings, paragraphs, kind)


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).lower()


def _stated(paragraphs: Sequence[Paragraph], bookmarks: Sequence[Bookmark]) -> dict[int, int]:
    """The levels that the file states, if enough of them can be found in its text."""
    by_outline = _in_outline(paragraphs, bookmarks)
    if len(by_outline) >= max(_LEAST_STATED, _LEAST_SHARE * len(bookmarks)):
        return by_outline
    tagged = {
        index: level
        for index, paragraph in enumerate(paragraphs)
        if (level := heading_level(paragraph.lines[0].tag)) is not None and _is_short(paragraph.text)
    }
    return tagged if len(tagged) >= _LEAST_STATED else {}


def _is_consistent(stated: dict[int, int], paragraphs: Sequence[Paragraph]) -> bool:
    """Whether labels of one rank mostly have one level: outlines made by hand often have chapters on several."""
    levels: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for index, level in stated.items():
        rank = _rank(paragraphs[index].text)
        if rank is not None:
            levels[rank][level] += 1
    labelled = sum(counts.total() for counts in levels.values())
    usual = sum(counts.most_common(1)[0][1] for counts in levels.values())
    return usual >= _LEAST_CONSISTENT * labelled


def _in_outline(paragraphs: Sequence[Paragraph], bookmarks: Sequence[Bookmark]) -> dict[int, int]:
    wanted: dict[tuple[int | None, str], int] = {}
    for bookmark in bookmarks:
        wanted.setdefault((bookmark.page, _plain(bookmark.title)), bookmark.level)
    found: dict[int, int] = {}
    for index, paragraph in enumerate(paragraphs):
        page = paragraph.lines[0].page
        for title in _titles(paragraph):
            level = wanted.pop((page, title), None)
            if level is not None and _is_short(paragraph.text):
                found[index] = level
                break
    return found


def _titles(paragraph: Paragraph) -> list[str]:
    """How an outline may call a heading: whole, or without its label."""
    label = read_label(paragraph.text)
    number = _NUMBER.match(paragraph.text)
    rests = [label.rest] if label is not None else [paragraph.text[number.end() :]] if number else []
    return [_plain(paragraph.text), *(_plain(rest) for rest in rests if rest)]


def _is_short(text: str) -> bool:
    longest = _LONGEST_HEADING * (1 if east_asian_share(text) > 0.3 else 3)
    return len(text) <= longest and not leads_to_page(text)


def _is_heading(paragraph: Paragraph, kind: Type) -> bool:
    """By type and words alone."""
    text = paragraph.text
    label = read_label(text)
    if not _is_short(text) or len(paragraph.lines) > 3 or not _has_words(label.rest if label and label.rest else text):
        return False
    if _CAPTION.match(text) or _IN_BRACKETS.fullmatch(text) or (label is not None and label.rank >= _BULLET_RANK):
        return False
    bold = all(line.bold for line in paragraph.lines)
    shape = shape_of(text)
    if is_larger(paragraph.lines[0], kind):
        return not _ends_as_text(text) and (shape.kind is not ElementKind.LIST_ITEM or paragraph.lines[0].bold)
    if len(paragraph.lines) > 2:
        return False
    if bold and not kind.bold:
        return looks_like_title(label.rest if label and label.rest else text) and not _CODE.search(text)
    return shape.kind is ElementKind.HEADING


def _is_labelled(text: str) -> bool:
    """Whether a title stands behind the label of a division, an article or a section (第二章, 1.1, Section 4)."""
    label = read_label(text)
    return label is not None and label.rank < _ITEM_RANK and looks_like_title(label.rest)


def _ends_as_text(text: str) -> bool:
    return text.endswith(("。", "；", ";", "，", ",", "：", ":")) or (text.endswith(".") and len(text) > _LONG_SENTENCE)


def _has_words(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters >= 2 and letters * 2 >= len(text.replace(" ", ""))


def _missing_siblings(paragraphs: Sequence[Paragraph], chosen: set[int]) -> set[int]:
    """Paragraphs numbered between two headings as only a heading can be: 2.2 between 2.1 and 2.3."""
    numbers = {_decimal(paragraphs[index].text): index for index in chosen}
    numbers.pop((), None)
    found: set[int] = set()
    for index, paragraph in enumerate(paragraphs):
        number = _decimal(paragraph.text)
        if index in chosen or len(number) < 2:
            continue
        before = numbers.get((*number[:-1], number[-1] - 1), numbers.get(number[:-1]))
        after = numbers.get((*number[:-1], number[-1] + 1))
        label = read_label(paragraph.text)
        between = before is not None and after is not None and before < index < after
        if between and label is not None and looks_like_title(label.rest) and label.rest[:1].isalpha():
            found.add(index)
    return found


def _decimal(text: str) -> tuple[int, ...]:
    """The parts of a number such as 2.1.3; empty without one."""
    match = re.match(r"[1-9]\d?(?:[.．]\d{1,2})*(?![\d%])", text)
    return tuple(int(part) for part in re.split(r"[.．]", match.group())) if match else ()


def _rank(text: str) -> int | None:
    """The rank of a heading's label, None without one."""
    label: Label | None = read_label(text)
    if label is not None and label.rank != _ITEM_RANK:
        return label.rank
    return _NUMBER_RANK if label is not None or _NUMBER.match(text) else None


def _key(paragraph: Paragraph, kind: Type) -> tuple[float, int | None]:
    """Size, the largest first, and rank of the label."""
    size = rounded(paragraph.lines[0].size) if is_larger(paragraph.lines[0], kind) else kind.size
    rank = _rank(paragraph.text)
    return (-size, rank if rank is not None or size > kind.size else _LOWEST_RANK)


def _orders(headings: Sequence[Heading], paragraphs: Sequence[Paragraph], kind: Type) -> dict[int, int]:
    """How high each heading ranks by size first, then by label; without one it ranks as the highest of its size."""
    keys = {heading.place: _key(paragraphs[heading.place], kind) for heading in headings}
    highest = {
        size: min((r for s, r in keys.values() if s == size and r is not None), default=0) for size, _ in keys.values()
    }
    full = {index: (size, highest[size] if rank is None else rank) for index, (size, rank) in keys.items()}
    ordered = {key: place for place, key in enumerate(sorted(set(full.values())), 1)}
    orders = {index: ordered[key] for index, key in full.items()}
    divisions = [orders[index] for index in orders if (_rank(paragraphs[index].text) or _LOWEST_RANK) <= _NUMBER_RANK]
    if divisions:
        top = min(divisions)
        orders.update({i: max(order, top) for i, order in orders.items() if is_matter(paragraphs[i].text)})
    return orders


class _Open(NamedTuple):
    """A heading under which the next ones may stand."""

    order: int
    rank: int | None
    stated: int | None
    size: float


def _nested(headings: Sequence[Heading], paragraphs: Sequence[Paragraph], kind: Type) -> dict[int, int]:
    """Levels from 1 without gaps: how many headings a heading stands under, and itself."""
    orders = _orders(headings, paragraphs, kind)
    levels: dict[int, int] = {}
    path: list[_Open] = []
    for heading in headings:
        paragraph = paragraphs[heading.place]
        own = _Open(orders[heading.place], _rank(paragraph.text), heading.stated, paragraph.lines[0].size)
        path = [*_above(path, own), own]
        levels[heading.place] = min(len(path), DEEPEST_LEVEL)
    return levels


def _above(path: list[_Open], own: _Open) -> list[_Open]:
    """The headings on the way to the last one that stay open over the next one."""
    if own.stated is not None:
        return [other for place, other in enumerate(path) if _stays_over(own.stated, own.size, path[: place + 1])]
    for depth in range(len(path) - 1, -1, -1):
        if _is_under(own, path[depth], path[:depth]):
            return path[: depth + 1]
    return []


def _stays_over(stated: int, size: float, path: list[_Open]) -> bool:
    """Whether the last of the path stands above a stated level: a higher stated one, or the title before them all."""
    last = path[-1]
    if last.stated is not None:
        return last.stated < stated
    return last.size > _CLEARLY * size and last.rank is None and all(other.stated is None for other in path)


def _is_under(own: _Open, other: _Open, above: list[_Open]) -> bool:
    """Whether a heading without a stated level stands below another that is still open."""
    if own.rank is not None and own.rank == other.rank:
        return False
    if own.rank is not None and other.rank is not None:
        if _family(own.rank) and _family(other.rank) and _family(own.rank) != _family(other.rank):
            return all(higher.rank != own.rank for higher in above)
        return other.rank < own.rank
    if other.stated is not None:
        return own.size < _CLEARLY * other.size
    return other.order < own.order


def _family(rank: int) -> int:
    """1 for 一、 and （一）, 2 for 1, 1.1 and 1.1.1; either may stand under the other. 0 for chapters and articles."""
    return 0 if rank < _CHINESE_RANK else 1 if rank < _NUMBER_RANK else 2
