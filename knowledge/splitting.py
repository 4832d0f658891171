"""Cuts a parsed document into blocks to read and passages to search.

Blocks follow the document's own borders (S0 §3.1): short clauses share a block with their neighbours under the
same heading, a long paragraph is cut at sentence ends, a table stays whole unless it is longer than `table_max`,
and then each part repeats the header. A change disturbs the blocks where it was made, none before or after them
(`borders`). Passages are windows inside a block (S4 §2.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..configs.settings import SplittingSettings
from .borders import NEVER, Sizes, borders, strength
from .documents import Block, BlockKind, Passage, text_hash
from .elements import Element, ElementKind, ParsedDocument
from .text.sentences import split_sentences

# A line of a Markdown table's head: the header row and the separator below it.
TABLE_HEADER_LINES = 2
# A line above a table that is no longer than this is its caption (表 3 技术参数, 单位：万元).
CAPTION_LENGTH = 60

_LEVELS = 9
# Ranks of the places to cut at, from the worst; a heading's is higher the higher its level.
_SENTENCE, _LISTED, _PARAGRAPH, _HEADING = 1, 2, 3, 4
_KINDS = {ElementKind.TABLE: BlockKind.TABLE, ElementKind.LIST_ITEM: BlockKind.LIST}


class SplitDocument(NamedTuple):
    """A document's blocks in reading order, and the passages inside them."""

    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]


class _Piece(NamedTuple):
    """A part of a document that is never cut further. `gap` is what stands between it and the piece before."""

    text: str
    gap: str
    kind: BlockKind
    section_path: tuple[str, ...]
    page_first: int | None
    page_last: int | None
    heading_level: int | None
    begins_element: bool


class _Draft(NamedTuple):
    """The pieces of a block."""

    pieces: Sequence[_Piece]

    @property
    def text(self) -> str:
        first, *others = self.pieces
        return first.text + "".join(piece.gap + piece.text for piece in others)

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
    drafts = _drafts(list(_pieces(parsed.elements, settings)), settings)
    blocks = tuple(_number(drafts, doc_id))
    passages = tuple(p for block in blocks for p in split_passages(block, settings))
    return SplitDocument(blocks, passages)


def _pieces(elements: Iterable[Element], settings: SplittingSettings) -> Iterator[_Piece]:
    path: list[tuple[int, str]] = []
    for element in elements:
        heading = element.kind is ElementKind.HEADING
        if heading:
            level = element.level or 1
            path = [entry for entry in path if entry[0] < level] + [(level, element.text)]
        piece = _Piece(
            text="",
            gap="\n",
            kind=_KINDS.get(element.kind, BlockKind.TEXT),
            section_path=tuple(text for _, text in path),
            page_first=element.page,
            page_last=element.last_page or element.page,
            heading_level=path[-1][0] if heading else None,
            begins_element=True,
        )
        for number, (gap, text) in enumerate(_fit(element.text, piece.kind, settings)):
            yield piece._replace(text=text, gap=gap, begins_element=not number)


def _fit(text: str, kind: BlockKind, settings: SplittingSettings) -> Iterator[tuple[str, str]]:
    """The parts of an element, each with what stands before it."""
    if kind is BlockKind.TABLE:
        yield from (("\n", part) for part in split_table(text, settings.table_max))
    elif len(text) <= _longest_piece(settings):
        if text.strip():
            yield "\n", text
    else:
        end: int | None = None
        for span in _bounded_spans(text, _longest_piece(settings)):
            yield ("\n" if end is None else text[end : span[0]]), text[span[0] : span[1]]
            end = span[1]


def _longest_piece(settings: SplittingSettings) -> int:
    """Of pieces this long, any run above `block_max` has a border that leaves `block_min` on either side."""
    return max(settings.block_max - 2 * settings.block_min, settings.block_max // 3)


def split_table(markdown: str, limit: int) -> Iterator[str]:
    """A Markdown table, cut between rows where it is longer than `limit`, each part with the header in front."""
    if len(markdown) <= limit:
        yield markdown
        return
    lines = markdown.split("\n")
    header, rows = lines[:TABLE_HEADER_LINES], lines[TABLE_HEADER_LINES:]
    room = max(limit - sum(len(line) + 1 for line in header), 1)
    strengths = [strength(_PARAGRAPH, row) for row in rows]
    cuts = borders([len(row) + 1 for row in rows], strengths, Sizes(room // 3, room))
    for start, stop in pairwise((0, *cuts, len(rows))):
        yield "\n".join([*header, *rows[start:stop]])


def _bounded_spans(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Sentences as offsets; one longer than `limit` is cut at `limit`."""
    for span in split_sentences(text):
        for start in range(span.start, span.end, limit):
            yield start, min(start + limit, span.end)


def _drafts(pieces: Sequence[_Piece], settings: SplittingSettings) -> Iterator[_Draft]:
    """The pieces of each block, in order."""
    for start, stop in pairwise(_fixed_borders(pieces)):
        run = pieces[start:stop]
        if run[-1].kind is BlockKind.TABLE:
            yield _Draft(run)
            continue
        lengths = [len(piece.gap) + len(piece.text) for piece in run]
        lengths[0] = len(run[0].text)
        strengths = [0, *(strength(_rank(last, piece), piece.text) for last, piece in pairwise(run))]
        sizes = Sizes(settings.block_min, settings.block_max)
        for first, end in pairwise((0, *borders(lengths, strengths, sizes), len(run))):
            yield _Draft(run[first:end])


def _fixed_borders(pieces: Sequence[_Piece]) -> list[int]:
    """Where a table with what belongs to it begins or ends, or a part of the highest level; both ends included."""
    found = {0, len(pieces)}
    for number, piece in enumerate(pieces):
        if piece.kind is BlockKind.TABLE:
            found |= {_lead_start(pieces, number), number + 1}
        elif number and _leaves_top_section(pieces[number - 1], piece):
            found.add(number)
    return sorted(found)


def _lead_start(pieces: Sequence[_Piece], table: int) -> int:
    """Where begins what belongs to a table: its caption or unit line, and headings right above."""
    start = table
    while start and _leads(pieces[start - 1], caption=start == table):
        start -= 1
    return start


def _leads(piece: _Piece, *, caption: bool) -> bool:
    short = piece.kind is BlockKind.TEXT and piece.begins_element and len(piece.text) <= CAPTION_LENGTH
    return piece.heading_level is not None or (caption and short)


def _leaves_top_section(last: _Piece, piece: _Piece) -> bool:
    """Blocks that only share the document's title do not mix, unless the title is all there is."""
    here, there = last.section_path, piece.section_path
    return last.heading_level is None and bool(here) and bool(there) and here[0] != there[0]


def _rank(last: _Piece, piece: _Piece) -> int:
    """How good a place to cut the border between two pieces is."""
    if last.heading_level is not None:
        return NEVER  # a heading never stands alone at the end of a block
    if piece.heading_level is not None:
        return _HEADING + _LEVELS - piece.heading_level
    if not piece.begins_element:
        return _SENTENCE
    listed = last.kind is BlockKind.LIST and piece.kind is BlockKind.LIST
    return _LISTED if listed or last.text.endswith((":", "：")) else _PARAGRAPH


def _number(drafts: Iterable[_Draft], doc_id: str) -> Iterator[Block]:
    seen: dict[str, int] = {}
    for ordinal, draft in enumerate(drafts):
        text = draft.text
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
    kinds = {piece.kind for piece in draft.pieces if piece.heading_level is None}
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
