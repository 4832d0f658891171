"""Keeps a closed document closed whose file was renamed and changed at once, so that it looks like a new one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...knowledge.documents import Block, Caller, Document
from ...knowledge.library import Library
from ...knowledge.metadata import Layers

_ALIKE = 1 / 3
"""Less than the half by which renamed files are usually recognised: to close one too many does no harm."""


class ClosedDocument(NamedTuple):
    """A document whose file has gone and whose readers no file beside it had named."""

    document: Document
    lines: frozenset[str]
    """of its text"""


def closed_by_hand(library: Library, gone: Iterable[Document]) -> tuple[ClosedDocument, ...]:
    """Those of some documents that only a person's word, or a rule that was lost, has kept closed."""
    closed = (document for document in gone if document.readers and not _is_said_beside(document))
    return tuple(ClosedDocument(one, frozenset(_lines(library.blocks(one.doc_id, Caller.owner())))) for one in closed)


def closed_like(document: Document, blocks: Sequence[Block], gone: Sequence[ClosedDocument]) -> Document:
    """A new document with the readers of one that has gone, if nobody named its own and it is like that one.

    Alike are a document of the same title, and one of whose text a third stands in both.
    """
    layers = Layers.of(document)
    if layers.merged.readers is not None:
        return document
    lines = _lines(blocks)
    like = [one.document for one in gone if one.document.title == document.title or _shared(lines, one) >= _ALIKE]
    if not like:
        return document
    # Of several only those who may read them all.
    readers = frozenset.intersection(*(one.readers for one in like)) or like[0].readers
    known = layers.known.model_copy(update={"readers": readers})
    statements = layers.model_copy(update={"known": known}).as_text()
    return document.model_copy(update={"readers": readers, "statements": statements})


def _is_said_beside(document: Document) -> bool:
    layers = Layers.of(document)
    return layers.hand.readers is None and (layers.sidecar.readers or layers.folder.readers) is not None


def _shared(lines: Sequence[str], one: ClosedDocument) -> float:
    return sum(len(line) for line in lines if line in one.lines) / max(1, sum(map(len, lines)))


def _lines(blocks: Iterable[Block]) -> list[str]:
    return [line for block in blocks for line in block.text.splitlines() if line.strip()]
