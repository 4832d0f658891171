"""The graph of a library: built from its blocks, asked on behalf of a caller."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath

from ...configs.graph_settings import GraphSettings
from ..documents import Caller, Document
from ..editions import edition_of
from ..replacing import Superseded, marked, superseded
from ..store import Store
from ..store.relation_protocol import BlockRelations, BlockToRead, BuildProgress, GraphCounts
from .asking import GraphAnswer, GraphQuestion, GraphReader
from .by_rules import MADE_BY, relations_of
from .names import entity_key
from .ontology import Ontology, read_ontology

Told = Callable[[BuildProgress], None]

RULES = "rules:"
"""With what the makers begin that are rules, of this version and others."""
MODELS = "model:"
_AT_ONCE = 200
"""Blocks of a transaction: so much work is lost at most where a build is killed."""
_REMEMBERED = 16
_SHORTEST_PART = 4
"""Characters of a title by which a document is called for short: 采购合同, not 合同."""


class LibraryGraph:
    """Entities and relations of a library. Safe for several threads.

    Args:
        store: of the library.
        settings: name the ontology, which is read when it is first needed.
    """

    def __init__(self, store: Store, settings: GraphSettings) -> None:
        self._store = store
        self._settings = settings
        self._titles: OrderedDict[tuple[str, Caller], _Titles] = OrderedDict()
        self._guard = threading.Lock()

    def build_by_rules(self, told: Told | None = None, doc_id: str = "") -> BuildProgress:
        """Read relations from every block that these rules have not read; whoever is stopped goes on later.

        Args:
            told: after each batch.
            doc_id: only of this document.
        """
        after = (0, -1)
        while batch := self._store.relations.to_read(MADE_BY, _AT_ONCE, after=after, doc_id=doc_id):
            made = [BlockRelations(one.block.block_id, relations_of(one.block, one.document)) for one in batch]
            self.put(MADE_BY, made)
            after = batch[-1].number
            if told is not None:
                told(self.progress())
        return self.progress() if not doc_id else BuildProgress(0, 0, 0)

    @cached_property
    def ontology(self) -> Ontology | None:
        """The types and relations that the settings allow; None: all.

        Raises:
            SettingsError: the file that they name cannot be used.
        """
        return None if self._settings.ontology is None else read_ontology(self._settings.ontology)

    def to_read(self, made_by: str, limit: int, *, after: tuple[int, int] = (0, -1)) -> list[BlockToRead]:
        """The next blocks that a maker has not read, for the library's owner."""
        return self._store.relations.to_read(made_by, limit, after=after)

    def put(self, made_by: str, made: Iterable[BlockRelations]) -> None:
        """Keep what a maker has read; what one of its kind read of these blocks before goes."""
        self._store.relations.put(made_by, RULES if made_by.startswith(RULES) else MODELS, made)

    def forget(self, prefix: str) -> int:
        """Delete what makers with this prefix have read; returns how many relations that were."""
        return self._store.relations.forget(prefix)

    def made(self, made_by: str) -> int:
        """How many relations a maker has read, for the library's owner."""
        return self.counts(Caller.owner()).makers.get(made_by, 0)

    def progress(self, made_by: str = MADE_BY) -> BuildProgress:
        """How many blocks a maker has read."""
        return self._store.relations.progress(made_by)

    def reader(self, caller: Caller) -> GraphReader:
        """What reads the graph on somebody's behalf."""
        return GraphReader(self._store.relations, self._documents, caller, self.ontology)

    def ask(self, question: GraphQuestion, caller: Caller) -> GraphAnswer:
        """What the graph states, see `GraphReader.ask`."""
        return self.reader(caller).ask(question)

    def counts(self, caller: Caller) -> GraphCounts:
        """What the caller may see of the graph, in figures."""
        return self._store.relations.counts(caller)

    def is_built(self, caller: Caller) -> bool:
        """Whether there is anything that the caller may see."""
        return self._store.relations.has_any(caller)

    def marked(self, document: Document, caller: Caller) -> Document:
        """A document with the name of the one that has replaced it by today, of those that the caller may read."""
        found = self._titles_of(caller).replaced.get(document.doc_id)
        return document if found is None or found.since > date.today() else marked(document, {document.doc_id: found})

    def _documents(self, name: str, caller: Caller) -> Sequence[Document]:
        """Documents by title, file name or title without its edition; all of them for an empty name."""
        titles = self._titles_of(caller)
        return titles.named(name) if name else titles.all

    def _titles_of(self, caller: Caller) -> _Titles:
        place = (self._store.state().documents, caller)
        with self._guard:
            titles = self._titles.get(place)
        if titles is None:
            titles = _Titles([one.document for one in self._store.documents(caller)])
            with self._guard:
                self._titles[place] = titles
                while len(self._titles) > _REMEMBERED:
                    self._titles.popitem(last=False)
        return titles


class _Titles:
    """The documents that a caller may read, by what they are called."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.all = documents
        self._exact: dict[str, list[Document]] = {}
        self._editions: dict[str, list[Document]] = {}
        for one in documents:
            path = PurePosixPath(one.name)
            for name in {one.doc_id, one.name, path.name, path.stem, one.title}:
                self._exact.setdefault(entity_key(name), []).append(one)
            for name in {path.stem, one.title}:
                self._editions.setdefault(entity_key(edition_of(name).title), []).append(one)

    @cached_property
    def replaced(self) -> dict[str, Superseded]:
        """The documents that another one of them replaces."""
        return superseded(self.all)

    def named(self, name: str) -> list[Document]:
        key = entity_key(name)
        return self._exact.get(key) or self._editions.get(key) or self._containing(key)

    def _containing(self, key: str) -> list[Document]:
        """The only document, or the editions of the only one, whose title or file name holds this as an end of it."""
        if len(key) < _SHORTEST_PART:
            return []
        titles = [title for title in self._editions if title.startswith(key) or title.endswith(key)]
        documents = {one.doc_id: one for title in titles for one in self._editions[title]}
        works = {entity_key(edition_of(one.title).title) for one in documents.values()}
        return list(documents.values()) if len(works) == 1 else []
