"""The library: documents in, passages out. Everything above the knowledge layer works through this class."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Collection, Sequence
from datetime import date
from functools import cache, partial
from pathlib import Path

from ..configs import Settings, load_settings
from ..errors import LibraryError, LibraryFormatError, UsageError
from ..logs import get_logger
from .asking import both, read_asking
from .documents import Block, Caller, Document, DocumentStatus
from .domains import DomainSearch
from .index_files import IndexFiles
from .naming import called
from .pair_scorer import PairScorer
from .parse_record import ParseRecord
from .query.models import SearchFilter, SearchQuery
from .query.understand import QueryContext, understand_query
from .replacing import marked, superseded_by_day
from .search import HybridSearch, SearchRequest, SearchResult
from .search.legs import VectorSearch
from .snapshots import PastSnapshots, Snapshot
from .store import DocumentSummary, SqliteStore, StoreState
from .store.protocol import StoredTrace, TraceSummary
from .store.view import Shown
from .text.normalise import well_formed
from .upkeep import STORE_FILE, LibraryUpkeep
from .vectors import Embedder, gives_sparse

__all__ = ["MAX_QUERY_CHARACTERS", "STORE_FILE", "Library"]

_log = get_logger("library")

MAX_QUERY_CHARACTERS = 4_000


class Library(LibraryUpkeep):
    """One folder: an SQLite file that is the source of truth, and index files derived from it.

    Reading is safe from any thread and from other processes, also while one of them writes.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        embedder: Embedder | None,
        make_scorer: Callable[[], PairScorer | None] = lambda: None,
    ) -> None:
        super().__init__(folder, settings, embedder)
        # Loaded by the first search that needs it, not by commands that never search.
        self._make_scorer = cache(make_scorer)
        self._snapshot: Snapshot | None = None
        self._guard = threading.Lock()
        self._past = PastSnapshots(self._store.history, self._open_day)
        self._domains = DomainSearch(self._open_domain, settings.domains, self._words)

    @classmethod
    def open(
        cls, folder: str | Path = ".veriloop", settings: Settings | None = None, *, create: bool = True
    ) -> Library:
        """Open a library, creating it where there is none.

        Args:
            folder: where it lives.
            settings: default: the profile and environment of this process.
            create: False to refuse a folder that holds no library.

        Raises:
            LibraryError: the folder cannot be used.
            UsageError: there is no library and `create` is False.
            LibraryFormatError: it is damaged or was made by a newer version.
            SettingsError: the dictionary that the settings name cannot be read.
        """
        from ..models.embeddings import make_embedder  # noqa: PLC0415 - keeps `import veriloop` light
        from ..models.rerankers import make_pair_scorer  # noqa: PLC0415

        chosen = settings or load_settings()
        path = Path(folder)
        _refuse_emptied(path)
        if not create and not (path / STORE_FILE).is_file():
            raise UsageError(f"{path}: no library here; make one with: veriloop add PATH --library {path}")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LibraryError(f"{path}: cannot be used as a library folder ({error.strerror})") from error
        return cls(path, chosen, make_embedder(chosen.embeddings), partial(make_pair_scorer, chosen.rerank))

    def close(self) -> None:
        """Release the files."""
        self._past.close()
        self._domains.close()
        super().close()

    def refresh(self) -> None:
        """Bring the index files up to the store, so that the next reader need not."""
        self._current()
        self._note_analysed()

    def search(
        self,
        query: str,
        *,
        k: int | None = None,
        caller: Caller | None = None,
        among: Collection[str] | None = None,
        filters: SearchFilter | None = None,
        within: SearchFilter | None = None,
        explain: bool = False,
        today: date | None = None,
    ) -> SearchResult:
        """The blocks that bear on a query, best first.

        Where a filter names a day, each document is searched in the version that was in force on it; otherwise only
        the present versions are. Of documents of several domains those of one are searched, or several domains one
        after the other (`domains`).

        Args:
            query: 1 to 4,000 characters of natural language.
            k: how many at most; default: `search.keep`.
            caller: on whose behalf; default: someone who may read only documents open to everyone.
            among: ids of the documents to search; default: all that the caller may read.
            filters: which documents to search; default: what the query says of them, `SearchFilter()` for none.
            within: bounds that neither the query nor `filters` can widen; a day there takes the place of theirs.
            explain: whether the result says why.
            today: what "last year" counts from; default: the clock.

        Raises:
            UsageError: the query is empty or too long.
        """
        if not query.strip():
            raise UsageError("the query is empty: say what you look for")
        if len(query) > MAX_QUERY_CHARACTERS:
            raise UsageError(f"the query has {len(query):,} characters; at most {MAX_QUERY_CHARACTERS:,} are taken")
        snapshot, asking, day = self._snapshot_now(), caller or Caller(), today or date.today()
        context = snapshot.context(asking)
        superseded = {i: one for i, one in context.view.facts.superseded.items() if one.since <= day}
        read = read_asking(well_formed(query), context, day, filters, within)
        asked = read.query.filter.in_force_on
        past = None if asked is None else self._past.on(snapshot.state, asked)
        if past is not None:
            context = past.context(asking)
            read = read_asking(well_formed(query), context, day, filters, within)
        doc_ids = read.doc_ids if among is None else both(read.doc_ids, frozenset(among))
        keep = k or self.settings.search.keep
        request = SearchRequest(read.query, asking, keep, asked or day, doc_ids, explain=explain, superseded=superseded)
        search = (past or snapshot).search
        if len(context.domains) > 1:
            return self._domains.search(snapshot.state, request, read.domains, search, k, past)
        return search.search(self._domains.in_words_of(next(iter(context.domains), ""), request))

    def read_query(self, query: str, caller: Caller | None = None, today: date | None = None) -> SearchQuery:
        """What a search understands by a query: its text without what has become the filter, and the filter."""
        context = self._snapshot_now().context(caller or Caller())
        return understand_query(well_formed(query), context, today or date.today())

    def idf(self, caller: Caller | None = None) -> Callable[[str], float]:
        """A function from a lexical term to its inverse document frequency over what the caller may read.

        It gives 0 for an unknown term and keeps to the state of the library at which it was asked for, so that a run
        that weighs thousands of terms looks at the store once.
        """
        return self._current().idf(caller or Caller())

    def similarity(self, question: str) -> Callable[[Sequence[str]], list[float]] | None:
        """A function from texts to their cosine with a question, or None without an embedding model in this process.

        A model behind an endpoint is not asked: a question costs it one call, for its search.
        """
        embedder = self._embedder
        if (
            embedder is None
            or self.settings.embeddings.provider == "openai"
            or not self.settings.answer.compare_sentences
        ):
            return None

        def compare(texts: Sequence[str]) -> list[float]:
            vectors = embedder.embed_passages(texts)
            return [float(cosine) for cosine in vectors @ embedder.embed_query(question)]

        return compare

    def block(self, block_id: str, caller: Caller | None = None) -> tuple[Block, Document] | None:
        """A block and its document, if the caller may read it; of a replaced version where no present one has it."""
        asking = caller or Caller()
        return self._store.block(block_id, asking) or self._store.history.block(block_id, asking)

    def blocks(self, doc_id: str, caller: Caller | None = None) -> list[Block]:
        """A document's blocks in reading order; empty if there is none that the caller may read."""
        return self._store.blocks(doc_id, caller or Caller())

    def versions(self, doc_id: str, caller: Caller | None = None) -> list[DocumentSummary]:
        """The versions of a document, the oldest first; those whose text is no longer kept are tombstones."""
        return self._store.history.versions(doc_id, caller or Caller())

    def blocks_of_version(self, doc_id: str, version: str, caller: Caller | None = None) -> list[Block]:
        """The blocks of a version in reading order; empty if its text is gone or the caller may not read it."""
        return self._store.history.blocks(doc_id, version, caller or Caller())

    def parse_record(self, doc_id: str, caller: Caller | None = None) -> ParseRecord | None:
        """How a document was read; None where that is not known or the caller may not read it."""
        stored = self._store.parse_record(doc_id, caller or Caller())
        return None if stored is None else ParseRecord.from_json(stored)

    def documents(self, caller: Caller | None = None, *, with_tombstones: bool = False) -> list[DocumentSummary]:
        """The documents that the caller may read, by name, each with the one that has replaced it by today."""
        found = self._store.documents(caller or Caller(), with_tombstones=with_tombstones)
        active = (one.document for one in found if one.document.status is DocumentStatus.ACTIVE)
        replaced = superseded_by_day(active, date.today())
        return [one._replace(document=marked(one.document, replaced)) for one in found]

    def find_documents(self, name: str, caller: Caller | None = None) -> Sequence[Document]:
        """Active documents by id, name, last part of the name, title or path, as a person would name them."""
        return called((summary.document for summary in self.documents(caller)), name)

    def put_trace(self, trace: StoredTrace) -> bool:
        """Record a run, see `TraceStore.put`; the oldest beyond `traces.keep` are forgotten."""
        return self._store.traces.put(trace, self.settings.traces.keep)

    def traces(self, caller: Caller | None = None, limit: int = 20) -> list[TraceSummary]:
        """The latest runs that the caller may see, newest first."""
        return self._store.traces.recent(caller or Caller(), limit)

    def trace(self, trace_id: str, caller: Caller | None = None) -> StoredTrace | None:
        """A run that the caller may see, by its id or the beginning of it."""
        return self._store.traces.get(trace_id, caller or Caller())

    def _current(self) -> HybridSearch:
        return self._snapshot_now().search

    def _snapshot_now(self) -> Snapshot:
        with self._guard:
            state = self._store.state()
            if self._snapshot is None or self._snapshot.state != state:
                self._snapshot = self._open_snapshot(state, self._store, self._files)
            return self._snapshot

    def _open_day(self, state: StoreState, day: date) -> Snapshot:
        return self._open_view(state, Shown(as_of=day))

    def _open_domain(self, state: StoreState, domain: str) -> Snapshot:
        return self._open_view(state, Shown(domain=domain))

    def _open_view(self, state: StoreState, shown: Shown) -> Snapshot:
        """A snapshot of a day or a domain; the index files of the present serve it and stay as they are."""
        store = SqliteStore(self.folder / STORE_FILE, shown)
        files = IndexFiles(self.folder / "index", store, self.settings.search, self._words.analysers, keep=False)
        snapshot = self._open_snapshot(state, store, files)
        weakref.finalize(snapshot, store.close)
        return snapshot

    def _open_snapshot(self, state: StoreState, store: SqliteStore, files: IndexFiles) -> Snapshot:
        def context(caller: Caller) -> QueryContext:
            documents = (summary.document for summary in store.documents(caller))
            has_history = self._store.history.has_any(caller)
            return QueryContext(documents, store.aliases(caller), self._words.usual.synonyms, has_history=has_history)

        return Snapshot(state, self._open_search(store, files), context)

    def _open_search(self, store: SqliteStore, files: IndexFiles) -> HybridSearch:
        self._analyse_missing(store)
        note = self.unused_vectors()
        if note is not None:
            _log.warning("vectors_unused", reason=note)
        return HybridSearch(
            store=store,
            lexical=files.lexical(),
            vectors=self._vector_search(files) if note is None else None,
            settings=self.settings.search,
            rerank=self.settings.rerank,
            make_scorer=self._make_scorer,
            words=self._words.tokeniser(),
            graph=self.settings.graph,
        )

    def _vector_search(self, files: IndexFiles) -> VectorSearch | None:
        embedder = self._embedder
        if embedder is None or self._store.vectors.active() is None:
            return None
        sparse = files.sparse() if gives_sparse(embedder) else None
        return VectorSearch(files.vectors(), sparse, embedder, self.settings.search.vector_floor)


def _refuse_emptied(folder: Path) -> None:
    """A store of no length beside index files was cut off; opening it would make an empty library of it."""
    file = folder / STORE_FILE
    if file.is_file() and not file.stat().st_size and any((folder / "index").glob("*")):
        raise LibraryFormatError(f"{file}: is empty, it was cut off: restore a backup, or delete it to start anew")
