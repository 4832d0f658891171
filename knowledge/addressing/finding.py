"""Where a numbered part begins and ends in a document, over the borders of its blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..documents import Block
from ..evidence.models import Span
from .labels import Kind, Label, item_of_line, label_of_line
from .question import Address

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_SENTENCE_END = re.compile(r"[。；;！？!?.：:]\s*$")
_TABLE_NOTE = re.compile(r"\s*(?:注|附注|备注|说明|Notes?|Remarks?)\s*[\d①]?\s*[：:.]", re.IGNORECASE)
_RANKS = {Kind.ANNEX: 0, Kind.SCHEDULE: 0, Kind.PART: 1, Kind.CHAPTER: 2, Kind.SECTION: 3, Kind.CLAUSE: 4}
_LOWEST = 9
# A line of a table of contents has nothing under it, and ends like no sentence.
_CONTENTS = 2
# So many numbers may be lost between two that follow each other (a label that the parser did not read).
_MOST_LOST = 3
_INSTEAD: dict[Kind, tuple[Kind, ...]] = {
    Kind.PART: (Kind.LISTED, Kind.NUMBER),
    Kind.CHAPTER: (Kind.LISTED, Kind.NUMBER),
    Kind.SECTION: (Kind.NUMBER, Kind.CLAUSE),
    Kind.CLAUSE: (Kind.NUMBER, Kind.SECTION),
    Kind.NUMBER: (Kind.CLAUSE, Kind.SECTION),
    Kind.SCHEDULE: (Kind.TABLE, Kind.ANNEX),
    Kind.TABLE: (Kind.SCHEDULE,),
}
"""How else a document may write a label of a kind, where it has none of that kind at that depth."""


class Line(NamedTuple):
    """A line of a document's text with what it begins with."""

    block: int
    start: int
    end: int
    text: str
    label: Label | None

    @property
    def is_table(self) -> bool:
        """Whether it is a line of a Markdown table."""
        return self.text.lstrip().startswith("|")


class Stretch(NamedTuple):
    """A part of a part: what of it stands in one block."""

    block: Block
    span: Span
    label: Label | None
    """That its first line begins with."""


class Outline(NamedTuple):
    """A document line by line."""

    blocks: Sequence[Block]
    lines: tuple[Line, ...]
    counts: Counter[tuple[Kind, int]]
    """How many labels there are of each kind and depth."""


def outline_of(blocks: Sequence[Block]) -> Outline:
    """The lines of a document with their labels.

    Args:
        blocks: all of the document, in reading order.
    """
    lines = tuple(_lines(blocks))
    return Outline(blocks, lines, Counter((x.label.kind, len(x.label.number)) for x in lines if x.label is not None))


def _lines(blocks: Sequence[Block]) -> Iterator[Line]:
    for number, block in enumerate(blocks):
        for match in _LINE.finditer(block.text):
            yield Line(number, match.start(), match.end(), match.group(), label_of_line(match.group()))


def find(address: Address, outline: Outline) -> tuple[Stretch, ...]:
    """The whole of a part, up to the next label of its level; empty where the document has none of this label."""
    found = [_within(address, outline, at) for at in _starts(address.label, outline)]
    lines = max(found, key=lambda one: len(one) if one else -1, default=()) if _is_contents(found) else _first(found)
    return tuple(stretches_of(lines, outline))


def is_numbered_like(address: Address, outline: Outline) -> bool:
    """Whether a document has labels of this kind and depth at all."""
    depth = len(address.label.number)
    kinds = (address.label.kind, *_INSTEAD.get(address.label.kind, ()))
    return any(outline.counts[kind, depth] > 1 for kind in kinds) or address.label.kind in (
        Kind.ANNEX,
        Kind.SCHEDULE,
        Kind.TABLE,
    )


def _starts(label: Label, outline: Outline) -> list[int]:
    """The lines that begin with a label, or in its stead with the way in which the document writes it."""
    depth = len(label.number)
    for kind in (label.kind, *_INSTEAD.get(label.kind, ())):
        wanted = label._replace(kind=kind)
        found = [at for at, line in enumerate(outline.lines) if line.label == wanted]
        if found:
            return found
        if outline.counts[kind, depth] > 1:
            return []
    return []


def _is_contents(found: Sequence[Sequence[Line]]) -> bool:
    """Whether the first place is a line of a table of contents: bare, while another place has a text."""
    first = found[0] if found else ()
    bare = len(first) < _CONTENTS and not any(_SENTENCE_END.search(line.text) for line in first)
    return bare and any(len(one) >= _CONTENTS for one in found)


def _first(found: Sequence[tuple[Line, ...]]) -> tuple[Line, ...]:
    return next((one for one in found if one), ())


def _within(address: Address, outline: Outline, at: int) -> tuple[Line, ...]:
    """The lines of the part that begins at a place, narrowed to what is named inside it."""
    table = address.label.kind is Kind.TABLE
    lines = _table(outline, at) if table else part_of(outline, at)
    for level, number in address.below:
        lines = _item(lines, number) if level == "项" else _paragraph(lines, number)
    return lines


def part_of(outline: Outline, at: int) -> tuple[Line, ...]:
    """From a label to the line before the next one of its level or of a higher one."""
    own = outline.lines[at].label
    assert own is not None  # the lines of `_starts` have one
    end, counted = at + 1, 0
    while end < len(outline.lines):
        label = outline.lines[end].label
        if label is not None and label.kind is Kind.NUMBER and len(label.number) == 1 and own.kind is Kind.NUMBER:
            number = int(label.number[0]) if label.number[0].isdecimal() else 0
            # The items of a list inside the part count from 1.
            is_item, counted = number == counted + 1 and len(own.number) > 1, number
            if is_item:
                end += 1
                continue
        if label is not None and _ends(own, label, outline):
            break
        end += 1
    return outline.lines[at:end]


def _ends(own: Label, other: Label, outline: Outline) -> bool:
    """Whether a label ends the part of another."""
    if own.holds(other) or other == own:
        return False
    if other.kind in (Kind.ANNEX, Kind.SCHEDULE):
        return own.kind is not Kind.TABLE
    if other.kind is own.kind:
        return _is_later(own, other)
    if other.kind is Kind.LISTED:
        return own.kind is Kind.NUMBER and len(own.number) == 1
    if other.kind is Kind.NUMBER:
        follows = _follows(own.number, other.number)
        return follows and own.kind is Kind.CLAUSE and not outline.counts[Kind.CLAUSE, len(other.number)]
    if other.kind is Kind.TABLE or own.kind in (Kind.ANNEX, Kind.SCHEDULE):
        return False
    return _rank(other.kind, outline) < _rank(own.kind, outline)


def _rank(kind: Kind, outline: Outline) -> int:
    """Chapters hold sections hold articles; where there are more sections than articles, articles hold sections."""
    sections, clauses = (sum(n for (k, _), n in outline.counts.items() if k is kind) for kind in _SWAPPED)
    if kind in _SWAPPED and sections > clauses > 0:
        kind = _SWAPPED[1 - _SWAPPED.index(kind)]
    return _RANKS.get(kind, _LOWEST - (kind is Kind.LISTED))


_SWAPPED = (Kind.SECTION, Kind.CLAUSE)


def _is_later(own: Label, other: Label) -> bool:
    """Whether a number of the same kind comes behind, or begins to count anew; an earlier one is only spoken of."""
    if own.kind is Kind.NUMBER:
        return _follows(own.number, other.number)
    mine, theirs = own.number[0], other.number[0]
    if not (mine.isdecimal() and theirs.isdecimal()):
        return True
    return int(theirs) >= int(mine) or int(theirs) == 1


def _follows(own: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether 12.2, 12.2.1, 13 or 13.1 comes behind 12.1, a few lost numbers aside."""
    if not all(one.isdecimal() for one in (*own, *other)):
        return False
    for mine, theirs in zip(own, other, strict=False):
        if mine != theirs:
            return 0 < int(theirs) - int(mine) <= _MOST_LOST
    return False


def _table(outline: Outline, at: int) -> tuple[Line, ...]:
    """A caption with its table, over the blocks in which it goes on, and the notes under it."""
    lines = outline.lines
    end = at + 1
    while end < len(lines) and not lines[end].is_table and lines[end].label is None and end - at <= _CONTENTS:
        end += 1
    if end >= len(lines) or not lines[end].is_table:
        return _table_above(lines, at)
    header = lines[end].text.strip()
    while end < len(lines) and lines[end].is_table:
        begins_block = lines[end].block != lines[end - 1].block and lines[end - 1].is_table
        if begins_block and lines[end].text.strip() != header:
            break
        end += 1
    while end < len(lines) and _TABLE_NOTE.match(lines[end].text):
        end += 1
    return lines[at:end]


def _table_above(lines: tuple[Line, ...], at: int) -> tuple[Line, ...]:
    """The table over its caption; a caption without a table is that line alone."""
    start = at
    while start and lines[start - 1].is_table:
        start -= 1
    return lines[start : at + 1]


def _item(lines: Sequence[Line], number: str) -> tuple[Line, ...]:
    """The item of a part: （三） up to the next one."""
    begun: list[Line] = []
    for line in lines:
        item = item_of_line(line.text) or _bare_item(line)
        if begun and item is not None:
            break
        if begun or item == number:
            begun.append(line)
    return tuple(begun)


def _bare_item(line: Line) -> str | None:
    label = line.label
    return label.number[-1] if label is not None and label.kind is Kind.NUMBER else None


def _paragraph(lines: Sequence[Line], number: str) -> tuple[Line, ...]:
    """The paragraph of a part: its dotted number (12.2), its bracketed one, or its place among the paragraphs."""
    own = lines[0].label if lines else None
    if own is None:
        return ()
    deeper = (*own.number, number)
    inner = [at for at, line in enumerate(lines) if line.label is not None and line.label.number == deeper]
    if inner:
        behind = [at for at in range(inner[0] + 1, len(lines)) if _is_beside(lines[at], deeper)]
        return tuple(lines[inner[0] : behind[0] if behind else len(lines)])
    if _has_dotted(lines, own):
        return ()
    return _item(lines, number) or _nth_paragraph(lines, number) if not _starts_items(lines) else _item(lines, number)


def _is_beside(line: Line, number: tuple[str, ...]) -> bool:
    label = line.label
    return label is not None and len(label.number) <= len(number) and label.number != number


def _has_dotted(lines: Sequence[Line], own: Label) -> bool:
    return any(line.label is not None and own.holds(line.label) for line in lines)


def _starts_items(lines: Sequence[Line]) -> bool:
    """Whether the paragraphs of a part are numbered in brackets right below its heading: Article 5, (1), (2)."""
    return len(lines) > 1 and item_of_line(lines[1].text) == "1" and not _SENTENCE_END.search(lines[0].text)


def _nth_paragraph(lines: Sequence[Line], number: str) -> tuple[Line, ...]:
    """By counting: the line of the label is the first, items belong to the paragraph before them."""
    starts = [at for at, line in enumerate(lines) if item_of_line(line.text) is None and not line.is_table]
    wanted = int(number) - 1 if number.isdecimal() else -1
    if not 0 <= wanted < len(starts):
        return ()
    end = starts[wanted + 1] if wanted + 1 < len(starts) else len(lines)
    return tuple(lines[starts[wanted] : end])


def stretches_of(lines: Sequence[Line], outline: Outline) -> Iterator[Stretch]:
    """Lines as stretches of their blocks."""
    for number in dict.fromkeys(line.block for line in lines):
        own = [line for line in lines if line.block == number]
        yield Stretch(outline.blocks[number], Span(start=own[0].start, end=own[-1].end), own[0].label)
