"""Joins the lines of a PDF into paragraphs, also over page breaks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from .lines import ends_sentence, is_east_asian, join_lines, leads_to_page
from .numbering import looks_like_title, read_label
from .pdf_layout import Line, TableBox

_LARGER = 1.12  # times the size of running text: from here a line is set as a heading
_SURELY_TITLE = 18.0  # points: no running text is set as large, official Chinese letters use 16
_LINES_TO_JUDGE = 6  # distances of lines from which a page shows its own
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")


class Paragraph(NamedTuple):
    """Consecutive lines that belong together; `compounds` are the document's words with a hyphen of their own."""

    lines: tuple[Line, ...]
    compounds: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The lines joined."""
        return join_lines([line.text for line in self.lines], self.compounds)


class Type(NamedTuple):
    """What running text looks like in a document: its size, distance of lines in sizes, and whether it is bold."""

    size: float
    pitch: float
    bold: bool
    pitches: dict[int, float]

    def pitch_on(self, page: int) -> float:
        """The distance on one page, where enough lines show it."""
        return self.pitches.get(page, self.pitch)


def type_of(lines: Sequence[Line]) -> Type:
    """The type that most characters are set in."""
    sizes: Counter[float] = Counter()
    bold = 0
    for line in lines:
        sizes[rounded(line.size)] += len(line.text)
        bold += len(line.text) if line.bold else 0
    pitches: defaultdict[int, list[float]] = defaultdict(list)
    for above, below in pairwise(lines):
        if above.page == below.page and 0 < below.top - above.top < 3 * above.size:
            pitches[above.page].append((below.top - above.top) / above.size)
    every = [pitch for page in pitches.values() for pitch in page]
    size = sizes.most_common(1)[0][0] if sizes else 10.0
    by_page = {page: median(found) for page, found in pitches.items() if len(found) >= _LINES_TO_JUDGE}
    return Type(size, median(every) if every else 1.5, bold * 2 > sizes.total(), by_page)


def rounded(size: float) -> float:
    """A type size to half a point."""
    return round(size * 2) / 2


def paragraphs_of(items: Sequence[Line | TableBox], kind: Type) -> list[Paragraph | TableBox]:
    groups: list[Paragraph | TableBox] = []
    for item in items:
        last = groups[-1] if groups else None
        if isinstance(item, TableBox):
            groups.append(item)
        elif isinstance(last, Paragraph) and _goes_on(last, item, kind):
            groups[-1] = Paragraph((*last.lines, item))
        else:
            groups.append(Paragraph((item,)))
    return groups


def _goes_on(paragraph: Paragraph, line: Line, kind: Type) -> bool:
    """Whether a line continues the paragraph above it."""
    above = paragraph.lines[-1]
    if abs(above.size - line.size) > 0.1 * above.size or leads_to_page(above.text) or leads_to_page(line.text):
        return False
    if above.bold != line.bold and ((len(paragraph.lines) == 1 and looks_like_title(above.text)) or line.bold):
        return False
    if is_larger(above, kind):
        return _same_block(above, line, kind) and read_label(line.text) is None and _may_wrap(above)
    ended = ends_sentence(above.text)
    if read_label(line.text) is not None and (ended or not _is_full(above)):
        return False
    if above.page != line.page or line.top < above.top:
        return _is_full(above) and not ended
    if not _same_block(above, line, kind) or not _is_full(above):
        return False
    indented = line.left > above.left + 1.2 * line.size and read_label(paragraph.lines[0].text) is None
    return not (ended and indented)


def _same_block(above: Line, line: Line, kind: Type) -> bool:
    """Whether two lines follow each other at the usual distance."""
    return (
        0 <= line.top - above.top < max(1.35 * kind.pitch_on(line.page), 1.6) * above.size and line.page == above.page
    )


def _is_full(line: Line) -> bool:
    """Whether a line reaches so far right that its last word may have pushed the next one down."""
    missing = line.edge - line.right
    if line.text and is_east_asian(line.text[-1]):
        return missing < 2.5 * line.size
    return missing < (0.12 if ends_sentence(line.text) else 0.3) * (line.edge - line.start)


def _may_wrap(line: Line) -> bool:
    """Whether a line set as a heading is long enough to have been broken; two short ones are two headings."""
    return line.right - line.left > 8 * line.size


def is_larger(line: Line, kind: Type) -> bool:
    return line.size >= _LARGER * kind.size or (line.size >= _SURELY_TITLE and looks_like_title(line.text))


def compounds_of(texts: Iterable[str]) -> frozenset[str]:
    """The words written with a hyphen in the middle of a line, in lower case; one at a line's end may be a break."""
    return frozenset(word.lower() for text in texts for word in _COMPOUND.findall(text))
