"""What is searched of a document: the terms of its passages and the names that it defines."""

from __future__ import annotations

from typing import NamedTuple

from .analysis import PassageAnalysis, analyse
from .documents import Document, text_hash
from .query.aliases import document_aliases
from .query.vocabulary import Alias
from .searchable import searchable_text
from .splitting import SplitDocument
from .text.tokens import Tokeniser


class DocumentTerms(NamedTuple):
    """What an analyser makes of a document; the most work of an addition, and none that needs the library.

    `hashes` and `analyses` are in the order of the document's passages.
    """

    analyser: str
    hashes: tuple[str, ...]
    analyses: tuple[PassageAnalysis, ...]
    aliases: tuple[Alias, ...]


def document_terms(document: Document, split: SplitDocument, words: Tokeniser, analyser: str) -> DocumentTerms:
    """Analyse every passage of a document.

    Args:
        document: its title stands in front of each passage.
        split: its blocks and passages.
        words: what cuts texts into terms.
        analyser: the name of that, see `analysis.analyser_name`.
    """
    blocks = {block.block_id: block for block in split.blocks}
    pairs = [(blocks[passage.block_id], passage) for passage in split.passages]
    return DocumentTerms(
        analyser=analyser,
        hashes=tuple(text_hash(searchable_text(document, block, passage)) for block, passage in pairs),
        analyses=tuple(analyse(document, block, passage, words) for block, passage in pairs),
        aliases=tuple(document_aliases(block.text for block in split.blocks)),
    )
