"""Blocks and their rules' digests, without a library."""

from __future__ import annotations

from datetime import UTC, datetime

from veriloop.configs.digest_settings import DigestSettings
from veriloop.knowledge.digest.by_rules import DigestRules, digest_by_rules
from veriloop.knowledge.digest.models import Digest
from veriloop.knowledge.documents import Block, BlockKind, Document
from veriloop.knowledge.text.dictionary import DomainDictionary
from veriloop.knowledge.text.tokens import tokeniser

DOCUMENT = Document(
    doc_id="d", version="v", title="借用办法", source_uri="file:///a.md", name="a.md", media_type="text/markdown",
    updated_at=datetime(2025, 1, 1, tzinfo=UTC),
)  # fmt: skip


def block(text: str, kind: BlockKind = BlockKind.TEXT) -> Block:
    """The only block of `DOCUMENT`."""
    return Block(block_id="b", doc_id="d", ordinal=0, kind=kind, text=text)


def made(
    text: str, kind: BlockKind = BlockKind.TEXT, *, dictionary: DomainDictionary | None = None, **settings: int
) -> Digest:
    """The rules' digest of a text; a word weighs as much as it is long."""
    words = dictionary or DomainDictionary()
    rules = DigestRules(DigestSettings(**settings), tokeniser(words), lambda term: float(len(term)), words)
    return digest_by_rules(block(text, kind), rules)
