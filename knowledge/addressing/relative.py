"""References by place instead of number: 前款, 前条, 本条第二款, the preceding paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .finding import Line, Outline, Stretch, find, part_of, stretches_of
from .labels import HAN, Kind, Label, item_of_line, numbered
from .question import Address

_RELATIVE = re.compile(
    rf"(?P<own>本条)第(?P<number>{HAN}+|\d+)款|(?:前(?P<many>[一二两三])?|上一?)(?P<unit>[条條款])(?!件)"
    r"|\bthe (?:preceding|previous|foregoing) (?P<word>paragraph|clause|section|article)\b",
    re.IGNORECASE,
)
_MOST_BEFORE = 3
_PARTS = (Kind.CLAUSE, Kind.SECTION, Kind.NUMBER)


class RelativeReference(NamedTuple):
    """A reference by place: how many parts before the one that it stands in, or which paragraph of its own."""

    start: int
    before: int
    """Parts back; 0: the part itself."""
    is_paragraph: bool
    paragraph: str = ""


def relative_references(text: str) -> tuple[RelativeReference, ...]:
    """The references by place in a text, in order."""
    return tuple(_read(match) for match in _RELATIVE.finditer(text))


def _read(match: re.Match[str]) -> RelativeReference:
    if match["own"]:
        return RelativeReference(match.start(), 0, is_paragraph=True, paragraph="".join(numbered(match["number"])))
    many = numbered(match["many"]) if match["many"] and match["many"] != "两" else ("2",) if match["many"] else ("1",)
    is_paragraph = match["unit"] == "款" or (match["word"] or "").casefold() == "paragraph"
    return RelativeReference(match.start(), min(int(many[0]), _MOST_BEFORE), is_paragraph=is_paragraph)


def places_of(reference: RelativeReference, outline: Outline, block_id: str, start: int) -> tuple[Stretch, ...]:
    """What a reference by place leads to; empty where nothing stands there.

    Args:
        reference: from `relative_references`.
        outline: of the document.
        block_id: the block that the reference stands in.
        start: where the sentence with it begins in that block.
    """
    at = _line_at(outline, block_id, start)
    head = next((n for n in range(at, -1, -1) if _is_part(outline.lines[n].label)), None) if at is not None else None
    if at is None or head is None:
        return ()
    label = outline.lines[head].label
    assert label is not None  # asked by `_is_part`
    if reference.paragraph:
        return find(_address(label, reference.paragraph), outline)
    if not reference.is_paragraph or label.kind is Kind.NUMBER:
        earlier = _earlier(label, reference.before)
        return tuple(one for before in earlier for one in find(_address(before), outline))
    return tuple(stretches_of(tuple(_paragraphs_before(part_of(outline, head), outline.lines[at], reference)), outline))


def _line_at(outline: Outline, block_id: str, start: int) -> int | None:
    return next(
        (
            number
            for number, line in enumerate(outline.lines)
            if outline.blocks[line.block].block_id == block_id and line.start <= start <= line.end
        ),
        None,
    )


def _is_part(label: Label | None) -> bool:
    return label is not None and label.kind in _PARTS


def _address(label: Label, paragraph: str = "") -> Address:
    return Address(label, (("款", paragraph),) if paragraph else (), "", 0, 0)


def _earlier(label: Label, before: int) -> Iterator[Label]:
    """The labels of as many parts before one, the first of them first."""
    last = label.number[-1]
    if not last.isdecimal():
        return
    for number in range(max(int(last) - before, 1), int(last)):
        yield label._replace(number=(*label.number[:-1], str(number)))


def _paragraphs_before(lines: Sequence[Line], own: Line, reference: RelativeReference) -> Iterator[Line]:
    """The paragraphs of a part before the line with the reference, with their items."""
    before = lines[: lines.index(own)] if own in lines else ()
    starts = [at for at, line in enumerate(before) if item_of_line(line.text) is None and not line.is_table]
    if item_of_line(own.text) is not None:
        # An item stands in the paragraph right above it.
        before, starts = before[: starts[-1]] if starts else (), starts[:-1]
    yield from before[starts[-min(reference.before, len(starts))] :] if starts else ()
