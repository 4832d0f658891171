"""Numbers the sources of the sentences that hold, in the order in which they are cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..knowledge.documents import BlockKind
from ..knowledge.evidence.models import Evidence, Quote, SentenceCheck, Span
from ..state import Citation
from .messages import message

# How far the text around a quote may reach, to each side of it.
_CONTEXT_CHARACTERS = 600
_CLAUSE_START = re.compile(
    r"^\s*(?:第[〇零一二三四五六七八九十百千\d]+[章节条]|Article\s+\d+|\d+(?:\.\d+)+\s)", re.IGNORECASE
)
_FOREIGN_MARKER = re.compile(r"\[(\d+)\]")


class Cited(NamedTuple):
    """The sentences as they are shown, with markers, and what the markers stand for."""

    sentences: tuple[str, ...]
    citations: tuple[Citation, ...]


def cite(checks: Sequence[SentenceCheck], evidence: Sequence[Evidence]) -> Cited:
    """Markers from 1 in order of appearance; quotes of one block share a marker."""
    sources = {item.block.block_id: item for item in evidence}
    numbers: dict[str, int] = {}
    sentences: list[str] = []
    citations: dict[tuple[str, int, int], Citation] = {}
    for check in checks:
        if not check.supported:
            continue
        for quote in check.quotes:
            number = numbers.setdefault(quote.block_id, len(numbers) + 1)
            key = (quote.block_id, quote.span.start, quote.span.end)
            citations.setdefault(key, _citation(quote, number, sources[quote.block_id]))
        sentences.append(_without_markers(check.text) + _markers(numbers[quote.block_id] for quote in check.quotes))
    return Cited(tuple(sentences), tuple(sorted(citations.values(), key=lambda citation: citation.marker)))


def _without_markers(text: str) -> str:
    """A source's own references (见[3]) in another bracket, so that they are not taken for ours."""
    return _FOREIGN_MARKER.sub(r"［\1］", text)


def _markers(numbers: Iterable[int]) -> str:
    return "".join(f"[{number}]" for number in dict.fromkeys(numbers))


def _citation(quote: Quote, number: int, source: Evidence) -> Citation:
    block, document = source.block, source.document
    around = context_span(block.text, quote.span, block.kind)
    return Citation(
        marker=number,
        document=document.name,
        doc_id=document.doc_id,
        version=document.version,
        title=document.title,
        section_path=block.section_path,
        page=block.page_first,
        block_id=block.block_id,
        start=quote.span.start,
        end=quote.span.end,
        quote=quote.text,
        text=block.text[around.start : around.end],
        in_force_from=document.effective_from or document.published_at,
        replaced_at=document.replaced_at,
        superseded_by=document.superseded_by,
        media_type=document.media_type,
    )


def notes_on_age(citations: Iterable[Citation], language: str) -> tuple[str, ...]:
    """What the reader should know of sources that are no longer in force: a replaced version, a replaced document."""
    notes = []
    for one in {(citation.doc_id, citation.version): citation for citation in citations}.values():
        if one.replaced_at is not None:
            since = "…" if one.in_force_from is None else one.in_force_from.isoformat()
            until = one.replaced_at.date().isoformat()
            notes.append(message("replaced_version", language, document=one.document, since=since, until=until))
        if one.superseded_by is not None:
            notes.append(message("superseded", language, document=one.document, by=one.superseded_by))
    return tuple(notes)


def context_span(text: str, quote: Span, kind: BlockKind) -> Span:
    """The clause around a quote: back to the line with its label, on to the next label; lines stay whole.

    A table row's context is the row. Where no label is near, the context is the paragraph.
    """
    start = text.rfind("\n", 0, quote.start) + 1
    end = _line_end(text, quote.end)
    if kind is BlockKind.TABLE:
        return Span(start=start, end=end)
    start = _back_to_label(text, start)
    while end < len(text) and not _CLAUSE_START.match(text[end + 1 :]):
        following = _line_end(text, end + 1)
        if following - quote.end > _CONTEXT_CHARACTERS:
            break
        end = following
    return Span(start=start, end=end)


def _back_to_label(text: str, start: int) -> int:
    """The start of the clause that a line belongs to, or that line's own start if no label is near above."""
    candidate = start
    while not _CLAUSE_START.match(text[candidate:]):
        if candidate == 0 or start - candidate > _CONTEXT_CHARACTERS:
            return start
        candidate = text.rfind("\n", 0, candidate - 1) + 1
    return candidate


def _line_end(text: str, position: int) -> int:
    found = text.find("\n", position)
    return len(text) if found < 0 else found
