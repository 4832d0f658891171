"""The digests of a library's blocks: those that a model wrote, and the rules' for all others, made when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..documents import Block, Caller, Document
from .by_rules import DigestRules, digest_by_rules
from .models import Digest

if TYPE_CHECKING:
    from ..library import Library


def digests_of(
    library: Library, caller: Caller, placed: Iterable[tuple[Block, Document]], *, only_rules: bool = False
) -> list[Digest]:
    """The digest of each block, in order.

    Args:
        library: in which the blocks stand.
        caller: who may read them; words are weighed over what else this caller may read.
        placed: blocks with their documents.
        only_rules: leave aside what models wrote.
    """
    wanted = list(placed)
    ids = () if only_rules else {block.block_id for block, _ in wanted}
    written = library.digests.of_blocks(ids, caller) if ids else {}
    rules = DigestMaker(library, library.idf(caller) if len(written) < len(wanted) else None)
    return [written.get(block.block_id) or rules.digest(block, document) for block, document in wanted]


class DigestMaker:
    """Makes rules' digests with a library's words and settings.

    Args:
        library: whose they are.
        idf: of a term; None where no digest is made.
    """

    def __init__(self, library: Library, idf: Callable[[str], float] | None) -> None:
        self._library = library
        self._idf = idf or (lambda _: 0.0)

    def digest(self, block: Block, document: Document) -> Digest:
        """The rules' digest of a block."""
        return digest_by_rules(block, self.rules(document))

    def rules(self, document: Document) -> DigestRules:
        """What the rules know about the words of a document."""
        words = self._library.words
        domain = document.domain
        settings = self._library.settings.digest
        return DigestRules(settings, words.tokeniser(domain), self._idf, words.dictionary(domain))
