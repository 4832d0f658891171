"""What keeps a library up: its files, its writer, and the vectors and analyses that follow its documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Self

from ..configs import Settings
from ..errors import LibraryError, SettingsError, UsageError
from .analysis import analyse
from .documents import Document
from .graph.library_graph import LibraryGraph
from .index_files import IndexFiles
from .kept_runs import end_runs_of
from .library_words import LibraryWords
from .locking import WriterLock
from .splitting import SplitDocument
from .store import PendingPassage, SearchablePassage, SqliteStore, VectorProgress
from .store.contents import ContentsStore
from .store.digests import DigestStore
from .store.pending import pending_batches
from .store.protocol import MadeAnalysis
from .terms import DocumentTerms, document_terms
from .vectors import Embedder
from .vectors.calibration import calibrate_if_due
from .vectors.changing import ModelChange, VectorState, change_model, unused_vectors, vector_state
from .vectors.making import Progress, make_missing

STORE_FILE = "library.sqlite"
_ANALYSED_AT_ONCE = 500


class LibraryUpkeep:
    """The part of a library that is not search: writing documents, and bringing up to date what is derived from them.

    Args:
        folder: where it lives.
        settings: also name the dictionaries of its words, which are read once.
        embedder: makes the vectors; None: there are none.

    Raises:
        SettingsError: a dictionary cannot be read.
        LibraryFormatError: the library is damaged or was made by a newer version.
    """

    def __init__(self, folder: Path, settings: Settings, embedder: Embedder | None) -> None:
        self.folder = folder
        self.settings = settings
        self._embedder = embedder
        self._words = LibraryWords(settings)
        self._store = SqliteStore(folder / STORE_FILE)
        self._files = IndexFiles(folder / "index", self._store, settings.search, self._words.analysers)
        self.graph = LibraryGraph(self._store, settings.graph)
        self._lock = WriterLock(folder, settings.storage.lock_seconds)

    def close(self) -> None:
        """Release the files."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def version(self) -> int:
        """Rises with each committed change of a document."""
        return self._store.library_version()

    @property
    def words(self) -> LibraryWords:
        """What cuts the texts of its documents, by domain."""
        return self._words

    @property
    def contents(self) -> ContentsStore:
        """What stands in it by level, counted and listed."""
        return self._store.contents

    @property
    def digests(self) -> DigestStore:
        """The digests that models wrote."""
        return self._store.digests

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

    def document_at(self, source_uri: str) -> Document | None:
        """The version in force of the document that came from here, for the writer itself."""
        return self._store.active_at(source_uri)

    def move(self, doc_id: str, source_uri: str, name: str) -> None:
        """Note that a document now lies elsewhere; its text, passages and vectors stay."""
        self._store.move_document(doc_id, source_uri, name)

    def put(
        self,
        document: Document,
        split: SplitDocument,
        parse_record: str | None = None,
        terms: DocumentTerms | None = None,
    ) -> None:
        """Add a document or replace its version before, in one transaction. Its vectors follow with `embed`.

        Args:
            document: the version.
            split: its blocks and passages.
            parse_record: what its parser noted, as JSON.
            terms: of its passages, if they were made already; those of another analyser are made anew.
        """
        analysers = self._words.analysers
        analyser = analysers.of(document.domain)
        if terms is None or terms.analyser != analyser:
            terms = document_terms(document, split, self._words.tokeniser(document.domain), analyser)
        found = zip(split.passages, terms.hashes, terms.analyses, strict=True)
        passages = [SearchablePassage(*one) for one in found]
        keep = self.settings.storage.keep_versions
        self._store.replace_document(document, split.blocks, passages, analysers, terms.aliases, parse_record, keep)
        if self.settings.graph.enabled:
            # A block whose relations are missing after a crash gets them with `veriloop graph build`.
            self.graph.build_by_rules(doc_id=document.doc_id)

    def set_readers(self, doc_id: str, readers: frozenset[str]) -> None:
        """Change who may see a document; empty means everyone. Runs that wait and have read it are ended."""
        self._store.set_readers(doc_id, readers)
        end_runs_of(self.folder, (doc_id,))

    def redescribe(self, document: Document) -> None:
        """Write a document's place, metadata and readers; its text, passages and vectors stay as they are.

        In a domain with other words its passages are analysed anew before the next search.
        """
        before = self._store.active_document(document.doc_id)
        self._store.redescribe(document, self._words.analysers)
        if before is not None and before.readers != document.readers:
            end_runs_of(self.folder, (document.doc_id,))

    def remove(self, doc_id: str) -> bool:
        """Delete a document everywhere, at once, also in runs that wait; False if there is none."""
        is_removed = self._store.remove_document(doc_id)
        # Also where it is gone already: a process may have ended before it came to the runs.
        end_runs_of(self.folder, (doc_id,))
        return is_removed

    def embed(self, *, seconds: float | None = None, progress: Progress | None = None) -> VectorProgress:
        """Make vectors that are missing, batch by batch; each batch is kept, whatever happens later.

        Args:
            seconds: stop after the batch in which this time ran out; None: go on to the end.
            progress: told after each batch.

        Raises:
            SettingsError: the vectors here were made by another model.
            ModelError: the model failed or returned no vectors; what was made before is kept.
        """
        embedder = self._embedder
        if embedder is None:
            return self.vector_progress()
        self._refuse_other_model(embedder)
        batch = self.settings.indexing.vector_batch
        made = make_missing(self._store.vectors, embedder, batch, seconds=seconds, progress=progress)
        if seconds != 0:
            calibrate_if_due(self._store, embedder)
        return made

    def _refuse_other_model(self, embedder: Embedder) -> None:
        active = self._store.vectors.active()
        if active is not None and embedder.name not in (active.model, self._store.vectors.next_model()):
            raise SettingsError(
                f"{self.folder}: its vectors were made by {active.model}, these settings ask for {embedder.name}; "
                "use the settings it was made with, or change its model with: veriloop reindex --embeddings"
            )

    def reindex_vectors(
        self,
        *,
        seconds: float | None = None,
        progress: Progress | None = None,
        on_wait: Callable[[str], None] | None = None,
    ) -> ModelChange:
        """Make the vectors of the model that the settings ask for and search with it then, see `change_model`.

        Raises:
            UsageError: the settings name no model, or vectors of a third one are being made.
        """
        if self._embedder is None:
            raise UsageError("these settings name no embedding model: give one with --embeddings or a profile")
        writing = partial(self.writing, "reindex", on_wait)
        batch = self.settings.indexing.vector_batch
        made = change_model(self._store.vectors, self._embedder, batch, writing, seconds=seconds, progress=progress)
        calibrate_if_due(self._store, self._embedder)
        return made

    def abandon_reindex(self, on_wait: Callable[[str], None] | None = None) -> str | None:
        """Drop the vectors that `reindex_vectors` has not finished; returns their model, None if there are none."""
        with self.writing("reindex", on_wait):
            return self._store.vectors.abandon()

    def reindex_terms(
        self, progress: Callable[[int], None] | None = None, on_wait: Callable[[str], None] | None = None
    ) -> int:
        """Analyse the passages that another analyser or dictionary has analysed; returns how many there were.

        `progress` is told after each batch how many are done, `on_wait` whom it waits for.
        """
        with self.writing("reindex", on_wait):
            return self._analyse_missing(self._store, progress)

    def vector_state(self) -> VectorState | None:
        """Which model made the vectors here, and which one's are being made; None while there are none."""
        return vector_state(self._store.vectors)

    def unused_vectors(self) -> str | None:
        """Why searches of this process do not use the vectors that are here, in a sentence; None where they do."""
        return unused_vectors(self._store.vectors, self._embedder)

    def problem(self) -> str | None:
        """What is wrong with the stored data, or None."""
        return self._store.problem()

    @property
    def has_vectors(self) -> bool:
        """Whether this process can use vectors at all."""
        return self._embedder is not None

    def vector_progress(self) -> VectorProgress:
        """How many passages have a vector."""
        active = self._store.vectors.active()
        return self._store.vectors.progress(None if active is None else active.model)

    def _analyse_missing(self, store: SqliteStore, progress: Callable[[int], None] | None = None) -> int:
        """Make the analyses that are missing or another analyser's, of what a store shows; each batch is kept."""
        done = 0
        if store is self._store and store.is_analysed_by(self._words.analysers):
            return done
        for batch in pending_batches(lambda after: self._to_analyse(store, after)):
            made = {(one.search_hash, one.domain): one for one in map(self._analyse, batch)}
            self._store.put_analyses(self._words.analysers, made.values())
            done += len(made)
            if progress is not None:
                progress(done)
        return done

    def _note_analysed(self) -> None:
        """Spare the next opening a look at every passage; where nothing can be written, it looks again."""
        if not self._store.is_analysed_by(self._words.analysers):
            with suppress(LibraryError):
                self._store.note_analysed(self._words.analysers)

    def _to_analyse(self, store: SqliteStore, after: int) -> list[PendingPassage]:
        return store.passages_to_analyse(self._words.analysers, _ANALYSED_AT_ONCE, after=after)

    def _analyse(self, pending: PendingPassage) -> MadeAnalysis:
        _, passage, block, document, _ = pending.found
        made = analyse(document, block, passage, self._words.tokeniser(document.domain))
        return MadeAnalysis(pending.search_hash, document.domain or "", made)
