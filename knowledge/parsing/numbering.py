"""Recognises the labels that Chinese and English documents number their parts with.

A label's rank orders it among the others (a chapter ranks before a section): only the order has a meaning.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from ..elements import ElementKind
from .lines import ends_sentence, is_east_asian, leads_to_page

MAX_TITLE_EAST_ASIAN = 30
"""Characters up to which a labelled Chinese line can be a title; clauses are longer."""
MAX_TITLE_LATIN = 90
"""The same for alphabetic scripts, where one Chinese character takes about three letters."""


_MOST_WORDS_BEFORE_STOP = 6
"""Words of an English title that may end with a full stop; a line of more is a sentence."""


class _Role(StrEnum):
    DIVISION = "division"  # a heading, with or without a title behind the label
    TITLED = "titled"  # a heading only if a short title follows, otherwise running text
    ITEM = "item"  # an entry of a list, whatever follows


class Label(NamedTuple):
    """A visible number or label at the start of a line."""

    text: str
    rest: str
    rank: int
    is_heading: bool
    is_item: bool


class Shape(NamedTuple):
    """What a line is, judged by its words alone; the rank is that of its label, if it is a heading."""

    kind: ElementKind
    rank: int | None


class _Pattern(NamedTuple):
    expression: re.Pattern[str]
    rank: int
    role: _Role


_COUNT = r"[一二三四五六七八九十百千零〇○两壹贰叁肆伍陆柒捌玖拾\d]+"
_BREAK = r"(?=[\s:：、.．—–\-]|$)"
_DOT = r"(?:[.．](?!\d))?(?![\d.．%])"
_LATIN_COUNT = r"(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,7}|[A-Z])"


def _pattern(expression: str, rank: int, role: _Role) -> _Pattern:
    return _Pattern(re.compile(expression), rank, role)


_PATTERNS: tuple[_Pattern, ...] = (
    _pattern(rf"第\s*{_COUNT}\s*(?:编|篇|卷|部分)(?:之{_COUNT})?(?!之)", 10, _Role.DIVISION),
    _pattern(rf"(?:PART|Part|BOOK|Book|TITLE)\s+{_LATIN_COUNT}{_BREAK}", 10, _Role.DIVISION),
    _pattern(
        rf"附\s*[件录表则](?:\s*[{_COUNT[1:-2]}A-Z]{{1,3}}(?=[\s:：、.．—\-(（《\u4e00-\u9fff]|$)|\s*$)",
        15,
        _Role.DIVISION,
    ),
    _pattern(
        rf"(?:ANNEX|Annex|APPENDIX|Appendix|SCHEDULE|Schedule|EXHIBIT|Exhibit)(?:\s+{_LATIN_COUNT}{_BREAK}|\s*$)",
        15,
        _Role.DIVISION,
    ),
    _pattern(rf"第\s*{_COUNT}\s*章", 20, _Role.DIVISION),
    _pattern(rf"(?:CHAPTER|Chapter)\s+{_LATIN_COUNT}{_BREAK}", 20, _Role.DIVISION),
    _pattern(rf"第\s*{_COUNT}\s*节", 30, _Role.DIVISION),
    _pattern(rf"(?:SECTION|Section)\s+{_LATIN_COUNT}{_BREAK}", 35, _Role.TITLED),
    _pattern(rf"(?:ARTICLE|Article|CLAUSE|Clause)\s+{_LATIN_COUNT}{_BREAK}", 34, _Role.TITLED),
    _pattern(rf"第\s*{_COUNT}\s*条(?:之{_COUNT})?", 40, _Role.TITLED),
    _pattern(r"[一二三四五六七八九十百]{1,4}\s*[、．.]", 50, _Role.TITLED),
    _pattern(r"[（(]\s*[一二三四五六七八九十百]{1,4}\s*[）)]", 60, _Role.TITLED),
    _pattern(rf"[1-9]\d?(?:[.．]\d{{1,2}}){{3,5}}{_DOT}", 73, _Role.TITLED),
    _pattern(rf"[1-9]\d?(?:[.．]\d{{1,2}}){{2}}{_DOT}", 72, _Role.TITLED),
    _pattern(rf"[1-9]\d?[.．]\d{{1,2}}{_DOT}", 71, _Role.TITLED),
    _pattern(r"[1-9]\d?\s*(?:[、．]|\.(?!\d)|[)）](?!\d))", 80, _Role.ITEM),
    _pattern(r"[（(]\s*(?:\d{1,3}|[a-z]|[ivx]{1,5})\s*[）)]", 81, _Role.ITEM),
    _pattern(r"[a-z]\s*[)）]", 82, _Role.ITEM),
    _pattern(r"[①-⑳⑴-⒇]", 83, _Role.ITEM),
    _pattern(r"[•●○■◆▪▸➢✓·‧∙\uf0b7\uf06c\uf0d8](?=\s*\S)", 90, _Role.ITEM),
    _pattern(r"[-*–—](?=\s+\S)", 91, _Role.ITEM),
)

_SEPARATORS = " \t\u3000:：.．、—–-"
_MEASURE = re.compile(
    r"(?:倍|万|亿|元|米|千(?!分)|个(?!人)|年(?![度终会假休底龄])|月(?!度)|日(?![常期程志历])|吨|%|％|‰|[a-z]{1,3}\b|GB\b|MB\b|[VAWNΩ]\b|×|x\s*\d)"
)


def read_label(line: str) -> Label | None:
    """The label that a line starts with, or None."""
    stripped = line.strip()
    for pattern in _PATTERNS:
        match = pattern.expression.match(stripped)
        if match is None:
            continue
        label, rest = match.group(), stripped[match.end() :]
        heading = _is_heading(pattern, label, rest, stripped)
        return Label(label, rest.lstrip(_SEPARATORS), pattern.rank, heading, pattern.role is _Role.ITEM)
    return None


def shape_of(line: str) -> Shape:
    """Heading, list item or paragraph, judged by the label and the length of a line that stands alone."""
    label = read_label(line)
    if label is None or leads_to_page(line):
        return Shape(ElementKind.PARAGRAPH, None)
    if label.is_heading:
        return Shape(ElementKind.HEADING, label.rank)
    if label.is_item or label.text[0] in "（(":
        return Shape(ElementKind.LIST_ITEM, None)
    return Shape(ElementKind.PARAGRAPH, None)


def looks_like_title(text: str) -> bool:
    """Whether a text is short enough for a title and does not end or run on as a sentence does."""
    if not text or ends_sentence(text) or text[-1] in "，,、":
        return False
    east_asian = sum(map(is_east_asian, text))
    if east_asian * 3 > len(text):
        return len(text) <= MAX_TITLE_EAST_ASIAN and not any(mark in text for mark in "。；，！？")
    return len(text) <= MAX_TITLE_LATIN and ". " not in text and "; " not in text


def _is_heading(pattern: _Pattern, label: str, rest: str, line: str) -> bool:
    if pattern.role is _Role.ITEM or leads_to_page(line):
        return False
    title = rest.strip(_SEPARATORS)
    if not title:
        return label[0] in "第附" or (label[0].isascii() and label[0].isalpha())
    if rest.rstrip().endswith(".") and len(title.split()) > _MOST_WORDS_BEFORE_STOP:
        return False
    if label[0].isdigit() and (_MEASURE.match(title) or not title[0].isalpha()):
        return False
    if rest[0] not in _SEPARATORS and not _may_touch(label, title):
        return False
    return looks_like_title(title) and (is_east_asian(title[0]) or not title[0].islower())


def _may_touch(label: str, title: str) -> bool:
    """Whether a title may follow its label without a gap; "第五条规定" in running text is no heading."""
    if label[0] in "第":
        return label[-1] in "编章节篇" and not title.startswith(("的", "规", "所", "至", "、", "和", "或"))
    return not label[-1].isascii() or is_east_asian(title[0])
