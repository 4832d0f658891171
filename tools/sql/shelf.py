"""The sources that a caller may ask, with their schemas kept for a while, since every step of a run asks for them."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple, Protocol

from ...configs.database_settings import DatabaseSettings
from ...errors import MissingExtraError
from ...knowledge.asking import documents_within
from ...knowledge.documents import Block, Caller
from ...knowledge.library import Library
from ...knowledge.query.models import SearchFilter
from ..contracts import ErrorCode, ToolError
from .describing import with_meanings
from .duckdb_source import DuckdbSource
from .guard import Checked
from .library_source import LIBRARY, LibrarySource, Sized
from .models import Dialect, Rows, Table
from .postgres_source import PostgresSource
from .sqlite_source import SqliteSource

_SECONDS_KEPT = 300.0
"""That a database's schema is kept; what it holds is asked anew by every statement."""
_SECONDS_FAILED = 60.0
_MOST_CALLERS = 8
_LIBRARY_ROWS = 100


class Database(Protocol):
    """A declared database."""

    name: str
    dialect: Dialect
    schema: str
    catalog: str

    def allowed(self, sql: str) -> tuple[str, ...]:
        """The declared tables."""

    def tables(self, question: str) -> tuple[Table, ...]:
        """The declared tables that exist."""

    def run(self, checked: Checked, most: int) -> Rows:
        """The rows of a checked statement."""


class Offered(NamedTuple):
    """A source that may be asked."""

    source: Database | LibrarySource
    description: str
    max_rows: int
    seconds: float
    is_live: bool
    meanings: dict[str, str]

    @property
    def name(self) -> str:
        """How it is called."""
        return self.source.name


class _Schema(NamedTuple):
    until: float
    tables: tuple[Table, ...]
    failure: ToolError | MissingExtraError | None


class Shelf:
    """What is kept of a library's sources."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._schemas: dict[str, _Schema] = {}
        self._libraries: dict[tuple[Any, ...], LibrarySource] = {}

    def tables(self, offered: Offered, question: str) -> tuple[Table, ...]:
        """The tables of a source with their columns.

        Raises:
            ToolError: it cannot be read.
            MissingExtraError: what reads it is not installed.
        """
        if isinstance(offered.source, LibrarySource):
            return offered.source.tables(question)
        with self._guard:
            kept = self._schemas.get(offered.name)
        if kept is None or kept.until < monotonic():
            kept = _read_schema(offered.source, offered.meanings)
            with self._guard:
                self._schemas[offered.name] = kept
        if kept.failure is not None:
            raise kept.failure
        return kept.tables

    def library(self, library: Library, caller: Caller, within: SearchFilter | None) -> LibrarySource:
        """The tables of the library that a caller may read, until it changes."""
        key = (library.version, caller, within)
        with self._guard:
            found = self._libraries.get(key)
        if found is None:
            found = _library_source(library, caller, within)
            with self._guard:
                while len(self._libraries) >= _MOST_CALLERS:
                    self._libraries.pop(next(iter(self._libraries)))
                self._libraries[key] = found
        return found


_SHELVES: weakref.WeakKeyDictionary[Library, Shelf] = weakref.WeakKeyDictionary()
_SHELVES_GUARD = Lock()


def shelf_of(library: Library) -> Shelf:
    """The shelf of a library, as long as that is open."""
    with _SHELVES_GUARD:
        return _SHELVES.setdefault(library, Shelf())


def sources_for(library: Library, caller: Caller, within: SearchFilter | None) -> tuple[Offered, ...]:
    """The sources that a caller may ask: the declared databases by name, then the library's tables where it has any."""
    declared = tuple(
        Offered(_database(name, one), one.description, one.max_rows, one.timeout_seconds, one.live, one.meanings)
        for name, one in library.settings.tools.databases.items()
        if _may_ask(one, caller)
    )
    own = shelf_of(library).library(library, caller, within)
    if not own.has_sheets or any(one.name == LIBRARY for one in declared):
        return declared
    return (*declared, Offered(own, "", _LIBRARY_ROWS, own.seconds, False, {}))


def _may_ask(settings: DatabaseSettings, caller: Caller) -> bool:
    return caller.is_owner or not settings.readers or bool(settings.readers & caller.readers)


def _database(name: str, settings: DatabaseSettings) -> Database:
    if settings.url is not None:
        return PostgresSource(name, settings.url, settings.tables, settings.timeout_seconds)
    assert settings.path is not None  # the settings see to it
    kind = DuckdbSource if settings.is_duckdb else SqliteSource
    return kind(name, settings.path, settings.tables, settings.timeout_seconds)


def _read_schema(source: Database, meanings: dict[str, str]) -> _Schema:
    try:
        tables = tuple(with_meanings(table, meanings) for table in source.tables(""))
    except (ToolError, MissingExtraError) as error:
        return _Schema(monotonic() + _SECONDS_FAILED, (), error)
    return _Schema(monotonic() + _SECONDS_KEPT, tables, None)


def _library_source(library: Library, caller: Caller, within: SearchFilter | None) -> LibrarySource:
    summaries = library.documents(caller)
    admitted = {one.doc_id for one in documents_within([one.document for one in summaries], within)}
    sized = [Sized(one.document, one.blocks) for one in summaries if one.document.doc_id in admitted]
    return LibrarySource(sized, _blocks_of(weakref.ref(library), caller))


def _blocks_of(library: Callable[[], Library | None], caller: Caller) -> Callable[[str], Sequence[Block]]:
    """Reads blocks of a library without keeping it open: what is kept of it must not outlive it."""

    def blocks(doc_id: str) -> Sequence[Block]:
        opened = library()
        if opened is None:
            raise ToolError(ErrorCode.FAILED, "the library has been closed")
        return opened.blocks(doc_id, caller)

    return blocks
