"""The library: documents in, passages out. Everything above the knowledge layer works through this class."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ..configs import Settings, load_settings
from ..errors import LibraryError, LibraryFormatError, SettingsError, UsageError
from .analysis import analyse, analyser_name
from .documents import Block, Caller, Document, text_hash
from .index_files import IndexFiles
from .locking import WriterLock
from .rerank import CoverageReranker
from .search import HybridSearch, SearchResult
from .searchable import searchable_text
from .splitting import SplitDocument
from .store import DocumentSummary, SearchablePassage, SqliteStore, StoreState, VectorProgress
from .store.protocol import StoredTrace, TraceSummary
from .text.normalise import well_formed
from .vectors import Embedder

STORE_FILE = "library.sqlite"
MAX_QUERY_CHARACTERS = 4_000
_ANALYSED_AT_ONCE = 500

Progress = Callable[[VectorProgress], None]


class _Snapshot(NamedTuple):
    """A search over the indexes as they were at one state of the store."""

    state: StoreState
    search: HybridSearch


class Library:
    """One folder: an SQLite file that is the source of truth, and index files derived from it.

    Reading is safe from any thread and from other processes, also while one of them writes.
    """

    def __init__(self, folder: Path, settings: Settings, embedder: Embedder | None) -> None:
        self.folder = folder
        self.settings = settings
        self._embedder = embedder
        self._store = SqliteStore(folder / STORE_FILE)
        self._files = IndexFiles(folder / "index", self._store, settings.search)
        self._lock = WriterLock(folder, settings.storage.lock_seconds)
        self._snapshot: _Snapshot | None = None
        self._guard = threading.Lock()

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
        """
        from ..models.embeddings import make_embedder  # noqa: PLC0415 - keeps `import veriloop` light

        chosen = settings or load_settings()
        path = Path(folder)
        _refuse_emptied(path)
        if not create and not (path / STORE_FILE).is_file():
            raise UsageError(f"{path}: no library here; make one with: veriloop add PATH --library {path}")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LibraryError(f"{path}: cannot be used as a library folder ({error.strerror})") from error
        return cls(path, chosen, make_embedder(chosen.embeddings))

    def close(self) -> None:
        """Release the files."""
        self._store.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def version(self) -> int:
        """Rises with each committed change of a document."""
        return self._store.library_version()

    @contextmanager
    def writing(self, what: str, on_wait: Callable[[str], None] | None = None) -> Iterator[None]:
        """Be the only writer, across processes.

        Raises:
            LibraryBusyError: another writer did not finish within `storage.lock_seconds`.
        """
        with self._lock.held(what, on_wait):
            yield

    def active_document(self, doc_id: str) -> Document | None:
        """The version of a document that is in force, for the writer itself."""
        return self._store.active_document(doc_id)

    def put(self, document: Document, split: SplitDocument) -> None:
        """Add a document or replace its version before, in one transaction. Its vectors follow with `embed`."""
        blocks = {block.block_id: block for block in split.blocks}
        passages = []
        for passage in split.passages:
            text = searchable_text(document, blocks[passage.block_id], passage)
            made = analyse(document, blocks[passage.block_id], passage)
            passages.append(SearchablePassage(passage, text_hash(text), made))
        self._store.replace_document(document, split.blocks, passages, analyser_name())

    def set_readers(self, doc_id: str, readers: frozenset[str]) -> None:
        """Change who may see a document; empty means everyone."""
        self._store.set_readers(doc_id, readers)

    def remove(self, doc_id: str) -> bool:
        """Delete a document everywhere, at once; False if there is none."""
        return self._store.remove_document(doc_id)

    def refresh(self) -> None:
        """Bring the index files up to the store, so that the next reader need not."""
        self._current()

    def embed(self, *, seconds: float | None = None, progress: Progress | None = None) -> VectorProgress:
        """Make vectors that are missing, batch by batch; each batch is kept, whatever happens later.

        Args:
            seconds: stop after the batch in which this time ran out; None: go on to the end.
            progress: told after each batch.

        Raises:
            SettingsError: the vectors here were made by another model.
        """
        embedder = self._embedder
        if embedder is None:
            return self._store.vector_progress()
        self._refuse_other_model(embedder)
        end = None if seconds is None else time.monotonic() + seconds
        while end is None or time.monotonic() < end:
            batch = self._store.passages_without_vector(self.settings.indexing.vector_batch)
            if not batch:
                break
            texts = [searchable_text(found.document, found.block, found.passage) for _, found in batch]
            vectors = embedder.embed_passages(texts)
            self._store.put_vectors(embedder.name, [pending.search_hash for pending in batch], vectors)
            if progress is not None:
                progress(self._store.vector_progress())
        return self._store.vector_progress()

    def _refuse_other_model(self, embedder: Embedder) -> None:
        made_by = self._store.vector_model()
        if made_by is not None and made_by != embedder.name:
            raise SettingsError(
                f"{self.folder}: its vectors were made by {made_by}, these settings ask for {embedder.name}; "
                f"use the settings it was made with, or add the documents to a new library"
            )

    def problem(self) -> str | None:
        """What is wrong with the stored data, or None."""
        return self._store.problem()

    @property
    def has_vectors(self) -> bool:
        """Whether this process can use vectors at all."""
        return self._embedder is not None

    def vector_progress(self) -> VectorProgress:
        """How many passages have a vector."""
        return self._store.vector_progress()

    def search(
        self,
        query: str,
        *,
        k: int | None = None,
        caller: Caller | None = None,
        among: Collection[str] | None = None,
    ) -> SearchResult:
        """The blocks that bear on a query, best first.

        Args:
            query: 1 to 4,000 characters of natural language.
            k: how many at most; default: `search.keep`.
            caller: on whose behalf; default: someone who may read only documents open to everyone.
            among: ids of the documents to search; default: all that the caller may read.

        Raises:
            UsageError: the query is empty or too long.
        """
        if not query.strip():
            raise UsageError("the query is empty: say what you look for")
        if len(query) > MAX_QUERY_CHARACTERS:
            raise UsageError(f"the query has {len(query):,} characters; at most {MAX_QUERY_CHARACTERS:,} are taken")
        return self._current().search(well_formed(query), caller or Caller(), k or self.settings.search.keep, among)

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
        """A block and its document, if the caller may read it."""
        return self._store.block(block_id, caller or Caller())

    def blocks(self, doc_id: str, caller: Caller | None = None) -> list[Block]:
        """A document's blocks in reading order; empty if there is none that the caller may read."""
        return self._store.blocks(doc_id, caller or Caller())

    def documents(self, caller: Caller | None = None, *, with_tombstones: bool = False) -> list[DocumentSummary]:
        """The documents that the caller may read, by name."""
        return self._store.documents(caller or Caller(), with_tombstones=with_tombstones)

    def find_documents(self, name: str, caller: Caller | None = None) -> Sequence[Document]:
        """Active documents by id, name, last part of the name, title or path, as a person would name them."""
        documents = [summary.document for summary in self.documents(caller)]
        exact = [d for d in documents if name in (d.doc_id, d.name, d.source_uri)]
        return exact or [d for d in documents if _is_called(d, name)]

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
        with self._guard:
            state = self._store.state()
            if self._snapshot is None or self._snapshot.state != state:
                self._snapshot = _Snapshot(state, self._open_search())
            return self._snapshot.search

    def _analyse_missing(self) -> None:
        """Make the analyses that are missing or another analyser's; each batch is kept."""
        analyser = analyser_name()
        while batch := self._store.passages_to_analyse(analyser, _ANALYSED_AT_ONCE):
            made = {p.search_hash: analyse(p.found.document, p.found.block, p.found.passage) for p in batch}
            self._store.put_analyses(analyser, made)

    def _open_search(self) -> HybridSearch:
        self._analyse_missing()
        embedder = self._embedder
        usable = embedder is not None and self._store.vector_model() == embedder.name
        return HybridSearch(
            store=self._store,
            lexical=self._files.lexical(),
            vectors=self._files.vectors() if usable else None,
            embedder=embedder if usable else None,
            make_reranker=CoverageReranker,
            settings=self.settings.search,
        )


def _refuse_emptied(folder: Path) -> None:
    """A store of no length beside index files was cut off; opening it would make an empty library of it."""
    file = folder / STORE_FILE
    if file.is_file() and not file.stat().st_size and any((folder / "index").glob("*")):
        raise LibraryFormatError(f"{file}: is empty, it was cut off: restore a backup, or delete it to start anew")


def _is_called(document: Document, name: str) -> bool:
    path = Path(name)
    same_file = path.exists() and path.resolve().as_uri() == document.source_uri
    return same_file or name in (document.title, Path(document.name).name, Path(document.name).stem)
