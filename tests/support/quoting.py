"""Sources and quotes for tests of what is read out of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from veriloop.knowledge.documents import Block, BlockKind, Document
from veriloop.knowledge.evidence.models import Evidence, ExtractedSentence, Quote, Span
from veriloop.knowledge.evidence.table_rows import read_rows, show_row


def source(
    text: str, *, marker: int = 1, title: str = "文件", section: tuple[str, ...] = (), ordinal: int = 0
) -> Evidence:
    """A block of a document that is called by its title."""
    document = Document(
        doc_id=title, version="1", title=title, source_uri=title, name=title, media_type="text/plain",
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    kind = BlockKind.TABLE if "| ---" in text else BlockKind.TEXT
    block = Block(block_id=f"b{marker}", doc_id=title, ordinal=ordinal, section_path=section, text=text, kind=kind)
    return Evidence(marker=marker, block=block, document=document, score=1.0)


def quoted(evidence: Evidence, text: str | None = None) -> ExtractedSentence:
    """A stretch of a source as a sentence of an answer; the whole block by default."""
    wanted = evidence.block.text if text is None else text
    return ExtractedSentence(
        text=wanted, quotes=(_quote(evidence, evidence.block.text.index(wanted), len(wanted)),), score=1
    )


def quoted_row(evidence: Evidence, index: int, language: str = "zh") -> ExtractedSentence:
    """A row of a source's table, shown with its column names."""
    row = read_rows(evidence.block.text)[index]
    quotes = (
        _quote(evidence, row.start, row.end - row.start),
        _quote(evidence, row.header_start, row.header_end - row.header_start),
    )
    return ExtractedSentence(text=show_row(row, lambda _: 1.0, language), quotes=quotes, score=1)


def _quote(evidence: Evidence, start: int, length: int) -> Quote:
    text = evidence.block.text[start : start + length]
    span = Span(start=start, end=start + length)
    return Quote(marker=evidence.marker, block_id=evidence.block.block_id, span=span, text=text)


def markdown(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
