"""How far a parse can be trusted: a score from 0 to 1, and what is wrong with it.

Each fault takes away a share of the score: its weight times the share of the document that it concerns. Weights order
the faults by what they cost a reader of answers: a page that was not read or cannot be read says nothing, a table
without header answers wrongly, a long text without headings is only found less well. They were set on a hundred files
of all formats so that a file which a person finds right stays above 0.9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from . import garbled
from .elements import Doubt, Element, ElementKind, NumberLoss, ParsedDocument, ParseNoteKind
from .parsing.tables import split_row

MOST_NAMED_PAGES = 50

_LONG_TEXT = 8_000
_MANY_PAGES = 5
_CROWDED = 0.9
_PAGED_FORMATS = ("application/pdf", "application/vnd.openxmlformats-officedocument.presentationml.presentation")
_UNREADABLE_SHARE = 0.1  # a text of which every tenth character is wrong is of no use
_TOLERATED_LOSS = 0.02
_USELESS_LOSS = 0.3
_FEWEST_LOST = 3


class Fault(StrEnum):
    """What can be wrong with a parse."""

    UNREAD = "unread"
    """pages that hold only pictures"""
    GARBLED = "garbled"
    """text that was decoded wrongly: fonts without a map, a wrong encoding, lost bytes"""
    SPACED = "spaced"
    """Chinese text with blanks between all characters: its words are not found"""
    EMPTY = "empty"
    """headings, paragraphs and tables without a letter or digit in them"""
    HEADLESS = "headless"
    """tables whose header is missing, or was put together by guessing"""
    RAGGED = "ragged"
    """tables with rows of several lengths or with empty columns"""
    LOST_NUMBERS = "lost_numbers"
    """numbers of the file's plain text that are missing in what was understood"""
    NO_HEADINGS = "no_headings"
    """a long text in which no heading was found"""
    CROWDED = "crowded"
    """one page of many that holds nearly all the text"""
    GUESSED = "guessed"
    """text whose order, columns or letters were guessed"""
    LEFT_OUT = "left_out"
    """parts that were not read: a bound was reached, or pictures and attachments inside"""


_WEIGHTS = {
    Fault.UNREAD: 0.9,
    Fault.GARBLED: 0.9,
    Fault.SPACED: 0.6,
    Fault.EMPTY: 0.4,
    Fault.HEADLESS: 0.5,
    Fault.RAGGED: 0.3,
    Fault.LOST_NUMBERS: 0.8,
    Fault.NO_HEADINGS: 0.1,
    Fault.CROWDED: 0.3,
    Fault.GUESSED: 0.2,
    Fault.LEFT_OUT: 0.3,
}


class QualityFinding(BaseModel):
    """One fault of a parse."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fault: Fault
    share: float = Field(ge=0, le=1, description="of the document, or of its tables, that it concerns")
    count: int = Field(ge=0, description="pages, characters, parts, tables or numbers")
    pages: tuple[int, ...] = Field(default=(), description="where, the first of them")
    detail: str = Field(default="", description="an example")


class Quality(BaseModel):
    """How far a parse can be trusted. A score above 0.9 is good; below 0.7 a person should look at it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float = Field(ge=0, le=1)
    findings: tuple[QualityFinding, ...] = Field(default=(), description="the gravest first")


def quality_of(parsed: ParsedDocument) -> Quality:
    """Score a parse. Pure: the same parse has the same score."""
    findings = [finding for check in _CHECKS for finding in check(parsed)]
    score = 1.0
    for finding in findings:
        score *= 1 - _WEIGHTS[finding.fault] * finding.share
    findings.sort(key=lambda finding: -_WEIGHTS[finding.fault] * finding.share)
    return Quality(score=round(score, 3), findings=tuple(findings))


def _found(
    fault: Fault, share: float, count: int, pages: Iterable[int | None] = (), detail: str = ""
) -> Iterator[QualityFinding]:
    named = sorted({page for page in pages if page is not None})[:MOST_NAMED_PAGES]
    if count:
        yield QualityFinding(
            fault=fault, share=round(min(max(share, 0.0), 1.0), 4), count=count, pages=tuple(named), detail=detail
        )


def _unread(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    unread = parsed.unread_pages
    yield from _found(Fault.UNREAD, len(unread) / max(parsed.pages or 0, len(unread), 1), len(unread), unread)


def _garbled(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    found = [(element, garbled.garbling(element.text)) for element in parsed.elements]
    wrong = [(element, one) for element, one in found if one.characters]
    count, length = sum(one.characters for _, one in wrong), _length(parsed)
    if garbled.is_unlikely_chinese("".join(element.text for element in parsed.elements)):
        pages = [element.page for element in parsed.elements]
        yield from _found(Fault.GARBLED, 1.0, length, pages, "Chinese characters that no text consists of")
    else:
        example = wrong[0][1].example if wrong else ""
        pages = [element.page for element, _ in wrong]
        yield from _found(Fault.GARBLED, count / length / _UNREADABLE_SHARE, count, pages, example)


def _spaced(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    found = [(element, garbled.spaced_characters(element.text)) for element in parsed.elements]
    count = sum(number for _, number in found)
    han = sum(garbled.han_characters(element.text) for element in parsed.elements)
    pages = [element.page for element, number in found if number]
    yield from _found(Fault.SPACED, count / max(han, 1), count, pages)


def _empty(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    empty = [element for element in parsed.elements if not any(map(str.isalnum, element.text))]
    if len(empty) == 1 < len(parsed.elements):
        return  # a stray dot or rule
    pages = [element.page for element in empty]
    yield from _found(Fault.EMPTY, len(empty) / max(len(parsed.elements), 1), len(empty), pages)


class _Grid(NamedTuple):
    element: Element
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


def _grids(parsed: ParsedDocument) -> list[_Grid]:
    tables = [element for element in parsed.elements if element.kind is ElementKind.TABLE]
    found = ((table, [split_row(line) for line in table.text.split("\n")]) for table in tables)
    # The second line only separates the header from the rows.
    return [_Grid(table, rows[0], rows[2:]) for table, rows in found]


def _headless(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    grids = _grids(parsed)
    headless = [grid for grid in grids if _lacks_header(grid)]
    guessed = [grid for grid in grids if grid.element.doubt is Doubt.HEADER and not _lacks_header(grid)]
    pages = [grid.element.page for grid in (*headless, *guessed)]
    # A guessed header is right more often than not.
    share = (len(headless) + 0.3 * len(guessed)) / max(len(grids), 1)
    yield from _found(Fault.HEADLESS, share, len(headless) + len(guessed), pages)


def _lacks_header(grid: _Grid) -> bool:
    """Whether the first row names nothing: empty but for its corner, or numbers above numbers."""
    named = [cell for cell in grid.header if cell.strip()]
    if not named or (len(named) == 1 and len(grid.header) > 2):
        return True
    return bool(grid.rows) and not any(any(map(str.isalpha, cell)) for cell in grid.header)


def _ragged(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    grids = _grids(parsed)
    shares = [_ragged_share(grid) for grid in grids]
    pages = [grid.element.page for grid, share in zip(grids, shares, strict=True) if share]
    count = sum(share > 0 for share in shares)
    yield from _found(Fault.RAGGED, sum(shares) / max(len(grids), 1), count, pages)


def _ragged_share(grid: _Grid) -> float:
    """The share of rows that are not as long as the header, or of columns that have neither name nor content."""
    width = len(grid.header)
    uneven = sum(len(row) != width for row in grid.rows) / max(len(grid.rows), 1)
    columns = [[row[column] for row in (grid.header, *grid.rows) if column < len(row)] for column in range(width)]
    empty = sum(not any(cell.strip() for cell in column) for column in columns) / max(width, 1)
    return max(uneven, empty)


def _lost_numbers(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    counted = sum(one.counted for one in parsed.number_losses)
    losses = [one for one in parsed.number_losses if _is_loss(one)]
    lost = sum(one.lost for one in losses)
    share = lost / max(counted, 1) / _USELESS_LOSS
    examples = ", ".join(example for one in losses[:2] for example in one.examples[:3])
    yield from _found(Fault.LOST_NUMBERS, share, lost, [one.page for one in losses], examples)


def _is_loss(loss: NumberLoss) -> bool:
    return loss.lost >= _FEWEST_LOST and loss.lost > _TOLERATED_LOSS * loss.counted


def _no_headings(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    prose = sum(len(element.text) for element in parsed.elements if element.kind is not ElementKind.TABLE)
    has_heading = any(element.kind is ElementKind.HEADING for element in parsed.elements)
    yield from _found(Fault.NO_HEADINGS, 1.0, 0 if has_heading or prose < _LONG_TEXT else prose)


def _crowded(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    if parsed.media_type not in _PAGED_FORMATS or (parsed.pages or 0) < _MANY_PAGES:
        return
    by_page: dict[int, int] = {}
    for element in parsed.elements:
        if element.page is not None and element.last_page in (None, element.page):
            by_page[element.page] = by_page.get(element.page, 0) + len(element.text)
    fullest = max(by_page, key=lambda page: by_page[page], default=None)
    if fullest is not None and by_page[fullest] > _CROWDED * _length(parsed):
        yield from _found(Fault.CROWDED, 1.0, by_page[fullest], [fullest])


def _guessed(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    guessed = [element for element in parsed.elements if element.doubt not in (None, Doubt.HEADER)]
    share = sum(len(element.text) for element in guessed) / _length(parsed)
    yield from _found(Fault.GUESSED, share, len(guessed), [element.page for element in guessed])


def _left_out(parsed: ParsedDocument) -> Iterator[QualityFinding]:
    cut_short = [note for note in parsed.notes if note.kind is ParseNoteKind.CUT_SHORT]
    unread = [note for note in parsed.notes if note.kind is ParseNoteKind.UNREAD]
    notes = [*cut_short, *unread]
    # Pictures inside a text are common and seldom matter; a file that was not read to its end does.
    share = 1.0 if cut_short else min(len(unread) / max(len(parsed.elements), 1), 0.3)
    yield from _found(
        Fault.LEFT_OUT, share, len(notes), [note.page for note in notes], notes[0].detail if notes else ""
    )


def _length(parsed: ParsedDocument) -> int:
    return max(sum(len(element.text) for element in parsed.elements), 1)


_CHECKS: tuple[Callable[[ParsedDocument], Iterator[QualityFinding]], ...] = (
    _unread,
    _garbled,
    _spaced,
    _empty,
    _headless,
    _ragged,
    _lost_numbers,
    _no_headings,
    _crowded,
    _guessed,
    _left_out,
)
