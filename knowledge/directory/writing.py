"""Fills a directory with blocks, the most promising first, each under its section, document and domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..digest.models import Digest
from ..store.contents import DocumentContents, Placed, SectionContents
from ..text.tokens import tokenise
from .lines import block_line, document_line, domain_line, section_line
from .models import DirectoryView
from .shelf import PlacedLine, Shelf
from .sources import Source
from .wording import Wording

_MOST_EXPANDED = 8
"""Hits whose sections are shown around them."""
_MOST_BESIDE = 6
"""Blocks of a section that are shown beside a hit: the nearest ones."""
_LONGEST_LINE, _SHORTEST_LINE = 160, 24
"""Tokens of a block's summary."""
_PER_LINE = 30
"""What the lines above a block and its own label take, about, for each block."""


class Writer:
    """Writes one directory.

    Args:
        source: what stands in it.
        question: whose words decide which sentences of a digest are shown.
        tokens: of the whole, at most.
        words: of its language.
    """

    def __init__(self, source: Source, question: str, tokens: int, words: Wording) -> None:
        self.source = source
        self.words = words
        self.shelf = Shelf(tokens, words)
        self.reserve = min(16, tokens // 8)
        self._question = question
        self._asked = frozenset(tokenise(question, for_query=True)) if question.strip() else frozenset()
        self._domains = {one.domain: one for one in source.domains()}
        self._documents: dict[str, DocumentContents] = {}
        self._sections: dict[str, list[SectionContents]] = {}

    def view(self, *, is_whole: bool) -> DirectoryView:
        """What has been written."""
        return self.shelf.view(is_whole=is_whole)

    def above(self, domain: str) -> list[PlacedLine]:
        """The line of a domain, where domains are shown."""
        one = self._domains.get(domain)
        is_only = len(self._domains) == 1 and not domain
        return [] if one is None or is_only else [domain_line(one, self.words)]

    def add_everything(self, blocks: int, tokens: int) -> bool:
        """Every block; False if they do not all fit."""
        placed = self.source.blocks(blocks)
        promising = {block.block_id: rank for rank, (block, _) in enumerate(self.source.found(self._question))}
        placed.sort(key=lambda one: promising.get(one[0].block_id, len(promising)))
        self._learn(placed)
        room = tokens - self.shelf.used - sum(self.shelf.cost(one) for one in self._upper_lines(placed))
        each = room // max(1, len(placed)) - _PER_LINE // 2
        return self._add(placed, self.source.digests(placed), each, tokens) == len(placed)

    def add_found(self, block_limit: int, section_limit: int) -> None:
        """The blocks that a search finds, those beside them, then the other sections of their documents."""
        found = self.source.found(self._question)
        if not found:
            return
        self._learn(found)
        room = block_limit - self.shelf.used
        each = room // len(found) - _PER_LINE
        self._add(found, self.source.digests(found), each, block_limit)
        beside = self._beside(found)
        self._add(beside, self.source.digests(beside), _SHORTEST_LINE, block_limit)
        for doc_id in dict.fromkeys(document.doc_id for _, document in found):
            self._add_sections(doc_id, section_limit)

    def add_document(self, blocks: Sequence[Placed], tokens: int) -> bool:
        """The blocks of one document; False if they do not all fit."""
        self._learn(blocks)
        each = (tokens - self.shelf.used) // max(1, len(blocks)) - _PER_LINE // 2
        return self._add(blocks, self.source.digests(blocks), each, tokens) == len(blocks)

    def _add_sections(self, doc_id: str, limit: int) -> None:
        document = self._documents[doc_id]
        for section in self._sections[doc_id]:
            if not self.shelf.add([*self._document_lines(document), section_line(document, section)], limit):
                return

    def _add(self, placed: Sequence[Placed], digests: Sequence[Digest], each: int, limit: int) -> int:
        """Lines of blocks, until one does not fit; how many did."""
        tokens = max(_SHORTEST_LINE, min(_LONGEST_LINE, each))
        for count, (one, digest) in enumerate(zip(placed, digests, strict=True)):
            above = self._lines_above(one)
            line = block_line(above[-1], one, digest, tokens, self._asked, self.words)
            if not self.shelf.add([*above, line], limit):
                return count
        return len(placed)

    def _lines_above(self, placed: Placed) -> list[PlacedLine]:
        block, _ = placed
        document = self._documents[block.doc_id]
        section = next(one for one in self._sections[block.doc_id] if one.section_path == block.section_path)
        return [*self._document_lines(document), section_line(document, section)]

    def _document_lines(self, document: DocumentContents) -> list[PlacedLine]:
        return [*self.above(document.domain), document_line(document, self._sections[document.doc_id])]

    def _upper_lines(self, placed: Sequence[Placed]) -> Iterable[PlacedLine]:
        lines = (line for one in placed for line in self._lines_above(one))
        return {line.place: line for line in lines if not self.shelf.has(line.place)}.values()

    def _beside(self, found: Sequence[Placed]) -> list[Placed]:
        """The blocks around the best hits in their sections, nearest first."""
        known = {block.block_id for block, _ in found}
        result: dict[str, Placed] = {}
        for block, document in found[:_MOST_EXPANDED]:
            section = self.source.section_blocks(document.doc_id, block.section_path)
            near = sorted(section, key=lambda one: abs(one[0].ordinal - block.ordinal))[: _MOST_BESIDE + 1]
            result.update((one[0].block_id, one) for one in near if one[0].block_id not in known)
        return list(result.values())

    def _learn(self, placed: Sequence[Placed]) -> None:
        new = {document.doc_id for _, document in placed} - self._documents.keys()
        self._documents |= self.source.documents_named(new)
        self._sections |= self.source.sections(new)
