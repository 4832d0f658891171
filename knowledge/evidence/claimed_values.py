"""Whether the numbers, dates, amounts, clauses and ids of a sentence stand in what it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import normalise
from ..text.values import Value, ValueKind, unreadable_amounts
from .models import Evidence, Fault, Quote
from .table_rows import read_rows
from .terms import ValueKey, values

_FAULT_KINDS: dict[ValueKind, str] = {
    ValueKind.NUMBER: "number",
    ValueKind.PERCENT: "number",
    ValueKind.ORDINAL: "number",
    ValueKind.QUANTITY: "amount",
    ValueKind.MONEY: "amount",
    ValueKind.DATE: "date",
    ValueKind.TIME: "date",
    ValueKind.DURATION: "duration",
    ValueKind.CLAUSE: "clause",
    ValueKind.IDENTIFIER: "identifier",
}
_MEASURED = frozenset({ValueKind.QUANTITY, ValueKind.MONEY, ValueKind.PERCENT, ValueKind.DURATION})
_CLAUSE_LABEL = re.compile(
    r"^\s*(?:第[一二三四五六七八九十百千零〇\d]{1,6}[条條](?:之[一二三四五六七八九十])?|(?:Article|Clause|Section)\s+\d+)",
    re.MULTILINE,
)
_COLUMN_UNIT = re.compile(r"[(（/,，:：]\s*(?:单位[:：])?\s*(?P<unit>[^()（）/,，:：\s]{1,8})\s*[)）]?\s*$")
_TABLE_UNIT = re.compile(r"(?:单位|单位为|Unit)\s*[:：]\s*(?P<unit>[^\s)）|]{1,8})")
_DIGITS = re.compile(r"\d[\d,.]*")


class Sourced(NamedTuple):
    """The values that a sentence may state: those of the stretches, and of the whole blocks around them."""

    near: frozenset[ValueKey]
    anywhere: frozenset[ValueKey]
    clauses: frozenset[ValueKey]
    """Labels of the clauses that the stretches stand in."""
    text: str


def source_values(quotes: Sequence[Quote], sources: Sequence[Evidence]) -> Sourced:
    """Collect what the cited blocks, their headings and titles say."""
    headings = frozenset(key for source in sources for key in _heading_keys(source))
    anywhere = headings.union(*(block_keys(source.block.text) for source in sources))
    blocks = {source.block.block_id: source.block.text for source in sources}
    near = headings.union(*(_quote_keys(quote, blocks[quote.block_id]) for quote in quotes))
    labels = frozenset(key for quote in quotes for key in _label(quote, blocks[quote.block_id]))
    return Sourced(near, anywhere, labels, "\n".join((*blocks.values(), *map(context_of, sources))))


def wrong_values(sentence: str, sourced: Sourced, *, verbatim: bool) -> Iterator[Fault]:
    """A fault for every value of the sentence that its source does not state.

    Args:
        sentence: the claim, without its markers.
        sourced: from `source_values`.
        verbatim: the sentence repeats its source nearly word for word, so each value must stand in that very
            stretch; a paraphrase may take values from all of the cited blocks.
    """
    held = normalise(sourced.text)
    unknown = (raw for raw in unreadable_amounts(sentence) if normalise(raw) not in held)
    yield from (Fault(kind="amount", detail=raw) for raw in unknown)
    allowed = sourced.near if verbatim else sourced.anywhere
    for value in values(sentence):
        known = allowed
        if value.kind is ValueKind.CLAUSE:
            known = sourced.near | sourced.clauses if sourced.clauses or verbatim else sourced.anywhere
        if not _stated(value, known, sourced):
            yield Fault(kind=_FAULT_KINDS[value.kind], detail=value.raw)


def _stated(value: Value, known: frozenset[ValueKey], sourced: Sourced) -> bool:
    if value.key in known:
        return True
    if value.kind is ValueKind.DATE:
        return _date_stated(value.canonical, {key[1] for key in known if key[0] is ValueKind.DATE})
    if value.kind is ValueKind.IDENTIFIER:
        return normalise(value.raw) in normalise(sourced.text)
    if value.kind is ValueKind.NUMBER:
        # A bare number is less than a counted one (3 for 3项), but never stands for money, time or per cent.
        return any(key[0] in (ValueKind.QUANTITY, ValueKind.ORDINAL) and key[1] == value.canonical for key in known)
    return False


def _date_stated(date: str, known: Iterable[str]) -> bool:
    """Whether a date, a less precise form of it, or its year and its day apart are known."""
    dates = set(known)
    if any(other.startswith(f"{date}-") for other in dates):
        return True
    if date.startswith("--"):
        return any(_day(other).startswith(date[2:]) for other in dates)
    year, _, rest = date.partition("-")
    return (
        bool(rest)
        and any(other.startswith(year) for other in dates)
        and any(other.startswith("--") and _day(other) == rest for other in dates)
    )


def _day(date: str) -> str:
    return date[2:] if date.startswith("--") else date.partition("-")[2]


def context_of(source: Evidence) -> str:
    """The headings above a source."""
    return "\n".join((source.document.title, *source.block.section_path))


def _keys(text: str) -> Iterator[ValueKey]:
    return (value.key for value in values(text))


def _heading_keys(source: Evidence) -> Iterator[ValueKey]:
    """The values of the headings above a source, and those of the document's title that identify it.

    A title may come from metadata, which nobody sees in the text: what it says of amounts and times is no evidence.
    """
    yield from _keys("\n".join(source.block.section_path))
    yield from (key for key in _keys(source.document.title) if key[0] not in _MEASURED)


@lru_cache(maxsize=512)
def block_keys(text: str) -> frozenset[ValueKey]:
    """The values of a block in canonical form, cells with the unit of their column."""
    return frozenset(_keys(text)).union(cell_keys(text, 0, len(text)))


def _quote_keys(quote: Quote, block: str) -> frozenset[ValueKey]:
    """The values of a quote; not those that are part of a value that goes on behind it (一年 of 一年半)."""
    whole = [value for value in values(block) if value.end > quote.span.end > value.start]
    cut = min((value.start for value in whole), default=quote.span.end) - quote.span.start
    kept = frozenset(value.key for value in values(quote.text) if value.end <= cut)
    return kept.union(cell_keys(block, quote.span.start, quote.span.end))


def cell_keys(block: str, start: int, end: int) -> Iterator[ValueKey]:
    """Cells of the rows in a stretch, read with the unit of their column or table."""
    whole = _TABLE_UNIT.search(block) if "|" in block else None
    for row in read_rows(block):
        if row.start >= end or row.end <= start:
            continue
        for name, cell in zip(row.names, row.cells, strict=False):
            column = _COLUMN_UNIT.search(name)
            units = [match["unit"] for match in (column, whole) if match]
            if units and _DIGITS.fullmatch(cell):
                yield from _keys(cell + units[0])


def _label(quote: Quote, block: str) -> Iterator[ValueKey]:
    before = [
        match.group()
        for match in _CLAUSE_LABEL.finditer(block, 0, quote.span.start + 12)
        if match.start() <= quote.span.start
    ]
    return _keys(before[-1]) if before else iter(())
