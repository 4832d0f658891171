"""Whether a reading of a file holds a fact, by one rule for all readers; blanks and wide characters do not count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from parsing_truth import CellFact, FileTruth, HeadingFact, OrderFact, PictureFact

Rows = tuple[tuple[str, ...], ...]
_GROUPING = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LONGEST_LINE = 200  # what is longer is a paragraph, in which standing together says nothing
_WHOLE_AS_DECIMAL = re.compile(r"^(-?\d+)\.0$")


class Piece(NamedTuple):
    """A part of a reading in order: a heading with its level, text, or a table's rows."""

    text: str = ""
    level: int | None = None
    rows: Rows = ()
    page: int | None = None


class Reading(NamedTuple):
    """What a reader made of a file.

    `names_header`: whether the first row of its tables is stated to be the header. A value then counts as standing
    under a header only if that row names it; of other readers, any row above may.
    """

    pieces: tuple[Piece, ...]
    unread: frozenset[int] = frozenset()
    names_header: bool = False
    has_levels: bool = True


class Marks(NamedTuple):
    """How many facts of each kind a reading holds; None where a reader does not give what is asked.

    `leaked` counts running lines in the text; `missed` names every fact that is not held.
    """

    cells: int = 0
    pairs: int = 0
    labels: int = 0
    relations: int | None = 0
    leaked: int = 0
    ordered: int = 0
    pictures: int = 0
    missed: tuple[str, ...] = ()


def squeezed(text: str) -> str:
    """The text without blanks, wide forms and commas between thousands."""
    dense = re.sub(r"\s", "", unicodedata.normalize("NFKC", text))
    return _GROUPING.sub("", dense)


def mark(truth: FileTruth, reading: Reading) -> Marks:
    """Compare a reading with what stands in the file."""
    cells = [fact for fact in truth.cells if _holds_cell(fact, reading)]
    pairs = [fact for fact in truth.cells if _holds_pair(fact, reading)]
    labels = [fact for fact in truth.headings if _holds_label(fact, reading)]
    checked = [fact for fact in truth.headings if fact.under]
    relations = [fact for fact in checked if _holds_relation(fact, reading)] if reading.has_levels else checked
    leaks = [line for line in truth.furniture if leaks_line(line, reading)]
    order = [fact for fact in truth.order if _holds_order(fact, reading)]
    pictures = [fact for fact in truth.pictures if _accounts_for(fact, reading)]
    return Marks(
        cells=len(cells),
        pairs=len(pairs),
        labels=len(labels),
        relations=len(relations) if reading.has_levels else None,
        leaked=len(leaks),
        ordered=len(order),
        pictures=len(pictures),
        missed=(
            *_missing("cell", truth.cells, cells),
            *_missing("header", [fact for fact in truth.cells if fact in cells], pairs),
            *_missing("label", truth.headings, labels),
            *_missing("level", [fact for fact in checked if fact in labels], relations),
            *(f"leaked: {line}" for line in leaks),
            *_missing("order", truth.order, order),
            *_missing("picture", truth.pictures, pictures),
        ),
    )


Fact = CellFact | HeadingFact | OrderFact | PictureFact


def _missing(kind: str, facts: Iterable[Fact], held: Sequence[Fact]) -> Iterator[str]:
    for fact in facts:
        if fact not in held:
            shown = (" / ".join(part) if isinstance(part, tuple) else str(part) for part in fact)
            yield f"{kind}: {' | '.join(shown)}"


def _holds_cell(fact: CellFact, reading: Reading) -> bool:
    return next(_places(fact, reading), None) is not None or _on_one_line(fact.value, fact.row, reading)


def _on_one_line(value: str, labels: Sequence[str], reading: Reading) -> bool:
    return any(len(line) <= _LONGEST_LINE and _states(line, value, labels) for line in _lines(reading))


def _holds_pair(fact: CellFact, reading: Reading) -> bool:
    """In a table the header stands in the value's column; on a line everything stands together."""
    for rows, row, column in _places(fact, reading):
        above = rows[: 1 if reading.names_header else row]
        named = squeezed("\n".join(line[column] for line in above if column < len(line)))
        if all(squeezed(part) in named for part in fact.header):
            return True
    return _on_one_line(fact.value, (*fact.header, *fact.row), reading)


class _Place(NamedTuple):
    rows: Rows
    row: int
    column: int


def _places(fact: CellFact, reading: Reading) -> Iterator[_Place]:
    """Where in tables the value is a cell of a row that holds all parts of the label."""
    value, label = _number(squeezed(fact.value)), [squeezed(part) for part in fact.row]
    for piece in reading.pieces:
        for number, row in enumerate(piece.rows):
            cells = [squeezed(cell) for cell in row]
            for column, cell in enumerate(cells):
                others = cells[:column] + cells[column + 1 :]
                if _number(cell) == value and all(any(part in other for other in others) for part in label):
                    yield _Place(piece.rows, number, column)


def _number(cell: str) -> str:
    return _WHOLE_AS_DECIMAL.sub(r"\1", cell)


def _lines(reading: Reading) -> Iterator[str]:
    """The lines of text; a table is not one, its cells are looked at in their rows."""
    for piece in reading.pieces:
        if not piece.rows:
            yield from (squeezed(line) for line in piece.text.split("\n"))


def _states(line: str, value: str, labels: Sequence[str]) -> bool:
    """Whether a line holds the labels, and the value not as a part of a longer number or word."""
    dense = squeezed(value)
    if not all(squeezed(label) in line for label in labels):
        return False
    rest = line
    for label in labels:
        rest = rest.replace(squeezed(label), " ", 1)
    before = r"(?<![\d.])" if dense[:1].isdigit() else ""
    after = r"(?![\d.]*\d)" if dense[-1:].isdigit() else ""
    return re.search(before + re.escape(dense) + after, rest) is not None


class _Entry(NamedTuple):
    text: str
    path: tuple[str, ...]


def _entries(reading: Reading) -> Iterator[_Entry]:
    """Every line of text with the headings that it stands under, the highest first."""
    path: list[tuple[int, str]] = []
    for piece in reading.pieces:
        if piece.level is not None:
            path = [entry for entry in path if entry[0] < piece.level]
        above = tuple(text for _, text in path)
        for line in piece.text.split("\n") if not piece.rows else ():
            yield _Entry(squeezed(line), above)
        if piece.level is not None:
            path.append((piece.level, squeezed(piece.text)))


def _holds_label(fact: HeadingFact, reading: Reading) -> bool:
    """Whether something begins with the label, in the text and not in a table of contents, whose lines are dotted."""
    return any(_is_labelled(entry, fact.label) for entry in _entries(reading))


def _is_labelled(entry: _Entry, label: str) -> bool:
    return entry.text.startswith(squeezed(label)) and "...." not in entry.text


def _holds_relation(fact: HeadingFact, reading: Reading) -> bool:
    # The label 5 begins 5 Experiments, not 5.1 and not 52.
    under = re.compile(re.escape(squeezed(fact.under)) + (r"(?![\d.])" if fact.under[-1:].isdigit() else ""))
    return any(
        _is_labelled(entry, fact.label) and any(under.match(heading) for heading in entry.path)
        for entry in _entries(reading)
    )


def leaks_line(line: str, reading: Reading) -> bool:
    """Whether a running line is in the text: ``=`` as a whole line, ``^`` at the beginning of one, ``*`` anywhere."""
    form, wanted = line[0], squeezed(line[1:])
    for found in _all_lines(reading):
        if (
            (form == "=" and found == wanted)
            or (form == "^" and found.startswith(wanted))
            or (form == "*" and wanted in found)
        ):
            return True
    return False


def _all_lines(reading: Reading) -> Iterator[str]:
    """Lines of text, and rows of tables that hold nothing but one text."""
    yield from _lines(reading)
    for piece in reading.pieces:
        for row in piece.rows:
            texts = {squeezed(cell) for cell in row if cell.strip()}
            if len(texts) == 1:
                yield from texts


def _holds_order(fact: OrderFact, reading: Reading) -> bool:
    whole = "".join(squeezed("".join(["".join(row) for row in piece.rows]) or piece.text) for piece in reading.pieces)
    first, later = whole.find(squeezed(fact.first)), whole.find(squeezed(fact.later))
    return 0 <= first < later


def _accounts_for(fact: PictureFact, reading: Reading) -> bool:
    """Whether a picture page is reported as unread, or its words are in the text."""
    if fact.page in reading.unread:
        return True
    on_page = [piece for piece in reading.pieces if piece.page == fact.page and (piece.text.strip() or piece.rows)]
    if not fact.says:
        return bool(on_page)
    texts = (squeezed("".join("".join(row) for row in piece.rows) or piece.text) for piece in reading.pieces)
    return squeezed(fact.says) in "".join(texts)
