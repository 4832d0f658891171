"""Cuts evidence into what can be quoted as one piece of an answer: sentences, lead-ins with their items, table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..query.titles import joined
from ..text.sentences import split_sentences
from .headings import only_names
from .models import Evidence, Quote, Span
from .table_rows import TableRow, read_rows

LIST_LENGTH = 600
"""A lead-in and its items are quoted together up to so many characters, then it is cut behind an item."""
CLAUSE_LENGTH = 400
"""A sentence is quoted with all that stands before it in its clause up to so many characters."""
_LEAD_IN_END = re.compile(r"[：:]\s*$")
_ITEM = re.compile(
    r"\s*(?:[（(][一二三四五六七八九十百\d]{1,3}[）)]|[一二三四五六七八九十]{1,3}[、.．]|\d{1,2}(?:[、．)）]|\.(?!\d))|[①-⑳]|[-*•·●▪◦–]\s|[（(]?[a-zA-Z][)）.]\s?|[ivx]+[.)])"
)
_CLAUSE_START = re.compile(
    r"\s*(?:第[一二三四五六七八九十百千零〇\d]{1,6}[条條]|(?:Article|Clause|Section)\s+\d)", re.IGNORECASE
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s|第[一二三四五六七八九十百\d]+[编章节編節]\s?)")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+")
_HEADING_LENGTH = 40
# Of so large a part of the words of a title the first letter is a capital.
_TITLE_CASE = 0.7
LABEL = re.compile(
    r"\s*(?:[-*•]\s+|\d{1,2}[.、]\s*)?(?:\*\*|__)?(?P<label>[^\n：:*|，。,;；]{1,24})(?:\*\*|__)?\s*[：:](?:\*\*|__)?\s*(?=\S)"
)
"""A short label before a colon, as in a form or a list of facts."""
_SENTENCE_END = re.compile(r"[。！？!?；;.…：:][\"'”’」』）)\]】]*\s*$")
_PRONOUN = re.compile(
    r"\s*(?:它|其|该|此|这|这些|上述|前款|前述|他|她|該|這|(?:It|Its|This|That|These|Those|They|Their|He|His|She|Her|Such)\b)"
)


class Unit(NamedTuple):
    """A stretch of one block that is quoted as a whole."""

    source: Evidence
    start: int
    end: int
    position: int
    """Its place among the units of the block."""
    is_heading: bool
    starts_clause: bool
    starts_with_pronoun: bool
    row: TableRow | None = None
    only_names: bool = False
    """Whether it certainly is a heading, a title or a bare name, which answers nothing but a question for one."""

    @property
    def text(self) -> str:
        """The stretch as it stands in the block."""
        return self.source.block.text[self.start : self.end]

    def quote(self) -> Quote:
        """The stretch as a quote."""
        return quote(self.source, self.start, self.end)


def quote(source: Evidence, start: int, end: int) -> Quote:
    """A stretch of a source, byte for byte."""
    return Quote(
        marker=source.marker,
        block_id=source.block.block_id,
        span=Span(start=start, end=end),
        text=source.block.text[start:end],
    )


def cut_units(source: Evidence) -> list[Unit]:
    """The units of a block in order."""
    text = source.block.text
    rows = {row.start: row for row in read_rows(text)}
    above = frozenset(map(joined, (source.document.title, *source.block.section_path)))
    units: list[Unit] = []
    places = list(_joined(text))
    pieces = [text[start:end] for start, end in places]
    for index, (start, end) in enumerate(places):
        row = rows.get(start)
        if row is None and text[start:end].startswith("|") and text[start:end].endswith("|"):
            continue
        piece = pieces[index]
        heading = row is None and _is_heading(piece)
        names = row is None and only_names(pieces, index, above)
        units.append(
            Unit(
                source, start, end, len(units), names or (heading and not _ITEM.match(piece)),
                _CLAUSE_START.match(piece) is not None, _PRONOUN.match(piece) is not None, row, names,
            )
        )  # fmt: skip
    return units


def starts_item(line: str) -> bool:
    """Whether a line begins with the mark of an item: （一）, 1., (a), a dash."""
    return _ITEM.match(line) is not None


def _is_heading(piece: str) -> bool:
    """A chapter's line, a short line that does not end like a sentence, or a longer one In Title Case."""
    if LABEL.match(piece) is not None:
        return False
    if _HEADING.match(piece) is not None:
        return True
    if _SENTENCE_END.search(piece):
        return False
    capitals = [word[0].isupper() for word in _LATIN_WORD.findall(piece)]
    in_title_case = len(capitals) > 2 and sum(capitals) >= _TITLE_CASE * len(capitals)
    return len(piece) < _HEADING_LENGTH or (in_title_case and len(piece) < 2.5 * _HEADING_LENGTH)


@lru_cache(maxsize=4_096)
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((span.start, span.end) for span in split_sentences(text))


def _joined(text: str) -> Iterator[tuple[int, int]]:
    """Sentences, a lead-in together with the items behind it."""
    spans = _sentences(text)
    index = 0
    while index < len(spans):
        start, end = spans[index]
        index += 1
        if _LEAD_IN_END.search(text[start:end]):
            index, end = _with_items(text, spans, index, start, end)
        yield start, end


def _with_items(text: str, spans: Sequence[tuple[int, int]], index: int, start: int, end: int) -> tuple[int, int]:
    first = index
    while index < len(spans) and _ITEM.match(text[spans[index][0] : spans[index][1]]):
        if spans[index][1] - start > LIST_LENGTH:
            break
        end = spans[index][1]
        index += 1
    if end == spans[first - 1][1] and first < len(spans) and spans[first][1] - start <= LIST_LENGTH:
        return first + 1, spans[first][1]
    return index, end


def widen_to_clause(unit: Unit, units: Sequence[Unit]) -> Unit:
    """A unit of a clause with everything before it in the clause, if that stays short; otherwise the unit itself.

    The clause's first words say what the whole clause is about, and carry its number.
    """
    limit = CLAUSE_LENGTH if unit.end - unit.start <= CLAUSE_LENGTH else LIST_LENGTH
    for other in reversed(units[: unit.position + 1]):
        if unit.end - other.start > limit or other.row is not None:
            return unit
        if other.starts_clause:
            return unit._replace(start=other.start, starts_clause=True)
    return unit
