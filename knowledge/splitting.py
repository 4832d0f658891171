"""Cuts a parsed document into blocks to read and passages to search.

Blocks follow the document's own borders (S0 §3.1): short clauses share a block with their neighbours under the
same heading, a long paragraph is cut at sentence ends, a table stays whole unless it is longer than `table_max`,
and then each part repeats the header. Passages are windows inside a block (S4 §2.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..configs.settings import SplittingSettings
from .documents import Block, BlockKind, Passage, text_hash
from .elements import Element, ElementKind, ParsedDocument
from .text.sentences import split_sentences

# A line of a Markdown table's head: the header row and the separator below it.
TABLE_HEADER_LINES = 2
# A line above a table that is no longer than this is its caption (表 3 技术参数, 单位：万元).
CAPTION_LENGTH = 60


class SplitDocument(NamedTuple):
    """A document's blocks in reading order, and the passages inside them."""

    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]


class _Piece(NamedTuple):
    """A part of a document that is never cut further."""

    text: str
    kind: BlockKind
    section_path: tuple[str, ...]
    page_first: int | None
    page_last: int | None
    opens_section: bool


@dataclass
class _Draft:
    """A block under construction."""

    pieces: list[_Piece] = field(default_factory=list)

    @property
    def length(self) -> int:
        return sum(len(piece.text) + 1 for piece in self.pieces)

    @property
    def section_path(self) -> tuple[str, ...]:
        """The deepest path that all of its pieces share; of one that starts with a heading, that heading's."""
        paths = [piece.section_path for piece in self.pieces]
        shared = paths[0]
        for path in paths[1:]:
            length = next((i for i, pair in enumerate(zip(shared, path, strict=False)) if pair[0] != pair[1]), None)
            shared = shared[: min(len(shared), len(path)) if length is None else length]
        return shared


def split_document(parsed: ParsedDocument, doc_id: str, settings: SplittingSettings) -> SplitDocument:
    """Cut a document.

    Args:
        parsed: the document as its parser understood it.
        doc_id: the document's stable id, part of every block id.
        settings: sizes in characters.
    """
    drafts = _group(_pieces(parsed.elements, settings), settings)
    blocks = tuple(_number(drafts, doc_id))
    passages = tuple(p for block in blocks for p in split_passages(block, settings))
    return SplitDocument(blocks, passages)


def _pieces(elements: Iterable[Element], settings: SplittingSettings) -> Iterator[_Piece]:
    path: list[tuple[int, str]] = []
    for element in elements:
        last_page = element.last_page or element.page
        if element.kind is ElementKind.HEADING:
            level = element.level or 1
            path = [entry for entry in path if entry[0] < level] + [(level, element.text)]
        section = tuple(text for _, text in path)
        kind = {
            ElementKind.TABLE: BlockKind.TABLE,
            ElementKind.LIST_ITEM: BlockKind.LIST,
        }.get(element.kind, BlockKind.TEXT)
        heading = element.kind is ElementKind.HEADING
        for text in _fit(element.text, kind, settings):
            yield _Piece(text, kind, section, element.page, last_page, heading)


def _fit(text: str, kind: BlockKind, settings: SplittingSettings) -> Iterator[str]:
    if kind is BlockKind.TABLE:
        yield from split_table(text, settings.table_max)
    elif len(text) <= settings.block_max:
        if text.strip():
            yield text
    else:
        yield from _split_long(text, settings.block_max)


def split_table(markdown: str, limit: int) -> Iterator[str]:
    """A Markdown table, cut between rows where it is longer than `limit`, each part with the header in front."""
    if len(markdown) <= limit:
        yield markdown
        return
    lines = markdown.split("\n")
    header, rows = lines[:TABLE_HEADER_LINES], lines[TABLE_HEADER_LINES:]
    head_length = sum(len(line) + 1 for line in header)
    part: list[str] = []
    length = head_length
    for row in rows:
        if part and length + len(row) + 1 > limit:
            yield "\n".join([*header, *part])
            part, length = [], head_length
        part.append(row)
        length += len(row) + 1
    yield "\n".join([*header, *part])


def _split_long(text: str, limit: int) -> Iterator[str]:
    start = 0
    end = 0
    for span in _bounded_spans(text, limit):
        if span[1] - start > limit and end > start:
            yield text[start:end].strip()
            start = span[0]
        end = span[1]
    if text[start:].strip():
        yield text[start:].strip()


def _bounded_spans(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Sentences as offsets; one longer than `limit` is cut at `limit`."""
    for span in split_sentences(text):
        for start in range(span.start, span.end, limit):
            yield start, min(start + limit, span.end)


def _group(pieces: Iterable[_Piece], settings: SplittingSettings) -> Iterator[_Draft]:
    draft = _Draft()
    for piece in pieces:
        if draft.pieces and _closes(draft, piece, settings):
            lead = _table_lead(draft) if piece.kind is BlockKind.TABLE else []
            if len(lead) < len(draft.pieces):
                yield _Draft(draft.pieces[: len(draft.pieces) - len(lead)])
            draft = _Draft(lead)
        draft.pieces.append(piece)
    if draft.pieces:
        yield draft


def _table_lead(draft: _Draft) -> list[_Piece]:
    """What belongs to the table that follows: its caption or unit line, and headings right above."""
    lead: list[_Piece] = []
    for piece in reversed(draft.pieces):
        caption = piece.kind is BlockKind.TEXT and len(piece.text) <= CAPTION_LENGTH
        if not (piece.opens_section or (caption and not lead)):
            break
        lead.insert(0, piece)
    return lead


def _closes(draft: _Draft, piece: _Piece, settings: SplittingSettings) -> bool:
    """Whether a piece starts a new block."""
    last = draft.pieces[-1]
    if last.opens_section and piece.kind is not BlockKind.TABLE:
        # A heading never stands alone at the end of a block.
        return draft.length + len(piece.text) > settings.block_max and len(draft.pieces) > 1
    if BlockKind.TABLE in (piece.kind, last.kind):
        return not (piece.kind is BlockKind.TABLE and _only_headings(draft))
    if draft.length + len(piece.text) > settings.block_max:
        return True
    if piece.opens_section:
        return draft.length >= settings.block_min or _leaves_top_section(draft, piece)
    return False


def _only_headings(draft: _Draft) -> bool:
    return all(piece.opens_section for piece in draft.pieces)


def _leaves_top_section(draft: _Draft, piece: _Piece) -> bool:
    """Blocks that only share the document's title do not mix, unless the title is all there is."""
    here, there = draft.pieces[0].section_path, piece.section_path
    return bool(here) and bool(there) and here[0] != there[0]


def _number(drafts: Iterable[_Draft], doc_id: str) -> Iterator[Block]:
    seen: dict[str, int] = {}
    for ordinal, draft in enumerate(drafts):
        text = "\n".join(piece.text for piece in draft.pieces)
        digest = text_hash(text)
        seen[digest] = seen.get(digest, 0) + 1
        pages = [p for piece in draft.pieces for p in (piece.page_first, piece.page_last) if p is not None]
        yield Block(
            block_id=text_hash(f"{doc_id}\n{digest}\n{seen[digest]}")[:16],
            doc_id=doc_id,
            ordinal=ordinal,
            section_path=draft.section_path,
            page_first=min(pages, default=None),
            page_last=max(pages, default=None),
            kind=_kind(draft),
            text=text,
        )


def _kind(draft: _Draft) -> BlockKind:
    kinds = {piece.kind for piece in draft.pieces if not piece.opens_section}
    if BlockKind.TABLE in kinds:
        return BlockKind.TABLE
    return BlockKind.LIST if kinds == {BlockKind.LIST} else BlockKind.TEXT


def split_passages(block: Block, settings: SplittingSettings) -> Iterator[Passage]:
    """Windows of at most `passage` characters, cut at sentence or row ends, sharing up to `overlap` characters."""
    spans = list(_bounded_spans(block.text, settings.passage))
    start = 0
    while start < len(spans):
        stop = start + 1
        while stop < len(spans) and spans[stop][1] - spans[start][0] <= settings.passage:
            stop += 1
        yield Passage(block_id=block.block_id, start=spans[start][0], end=spans[stop - 1][1])
        if stop >= len(spans):
            return
        start = _overlap_start(spans, start, stop, settings.overlap)


def _overlap_start(spans: list[tuple[int, int]], start: int, stop: int, overlap: int) -> int:
    """The first sentence of the next window: as many whole ones of this window as fit into the overlap."""
    following = stop
    while following - 1 > start and spans[stop - 1][1] - spans[following - 1][0] <= overlap:
        following -= 1
    return following
