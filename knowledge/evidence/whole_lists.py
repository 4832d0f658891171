"""A question for several things (哪些, which …) that is answered by items of a list gets the whole list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .models import Evidence, ExtractedSentence, Span
from .units import quote, starts_item

MOST_CHARACTERS = 2_000
"""A longer list stays as it was found."""
_LEAD_IN = re.compile(r"[：:]\s*$")
_LINE = re.compile(r"[^\n]*\S[^\n]*")


class _List(NamedTuple):
    """A lead-in with its items, over the blocks in which they stand."""

    places: tuple[tuple[Evidence, Span], ...]

    def holds(self, sentence: ExtractedSentence) -> bool:
        """Whether a sentence is the beginning of this list, or items of it."""
        return any(
            part.block_id == source.block.block_id and span.start <= part.span.start and part.span.start < span.end
            for part in sentence.quotes[:1]
            for source, span in self.places
        )


def with_whole_lists(
    sentences: Sequence[ExtractedSentence], evidence: Sequence[Evidence]
) -> tuple[ExtractedSentence, ...]:
    """The sentences, those that are part of a list with a lead-in replaced by all of it, each list once.

    Args:
        sentences: that answer, best first.
        evidence: that they are quoted from.
    """
    cited = {part.block_id for one in sentences for part in one.quotes}
    lists = [found for source in evidence if source.block.block_id in cited for found in _lists(source, evidence)]
    shown: list[ExtractedSentence] = []
    used: list[_List] = []
    for one in sentences:
        whole = next((found for found in lists if found.holds(one)), None)
        if whole is None:
            shown.append(one)
        elif whole not in used:
            used.append(whole)
            shown += _shown(whole, one)
    return tuple(shown)


def _shown(whole: _List, one: ExtractedSentence) -> Iterator[ExtractedSentence]:
    """The list, and what of the sentence stands before and behind it."""
    found = one.quotes[0]
    for source, span in whole.places:
        start, end = span.start, span.end
        if source.block.block_id == found.block_id:
            start, end = min(start, found.span.start), max(end, found.span.end)
        part = quote(source, start, end)
        yield ExtractedSentence(text=part.text, quotes=(part, *one.quotes[1:]), score=one.score)


def _lists(source: Evidence, evidence: Sequence[Evidence]) -> Iterator[_List]:
    lines = list(_LINE.finditer(source.block.text))
    for at, line in enumerate(lines[:-1] or lines):
        if not _LEAD_IN.search(line.group()):
            continue
        end = at + 1
        while end < len(lines) and starts_item(lines[end].group()):
            end += 1
        places = [(source, Span(start=line.start(), end=lines[end - 1].end()))]
        if end == len(lines):
            places += _behind(source, evidence)
        length = sum(span.end - span.start for _, span in places)
        if (end - at > 1 or len(places) > 1) and length <= MOST_CHARACTERS:
            yield _List(tuple(places))


def _behind(source: Evidence, evidence: Sequence[Evidence]) -> Iterator[tuple[Evidence, Span]]:
    """The items with which the next block goes on, where it was found."""
    following = next(
        (
            other
            for other in evidence
            if other.document.doc_id == source.document.doc_id and other.block.ordinal == source.block.ordinal + 1
        ),
        None,
    )
    if following is None:
        return
    lines = list(_LINE.finditer(following.block.text))
    count = next((at for at, line in enumerate(lines) if not starts_item(line.group())), len(lines))
    if count:
        yield following, Span(start=lines[0].start(), end=lines[count - 1].end())
