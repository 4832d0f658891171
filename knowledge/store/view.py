"""A store as it was on a day, or of one domain alone: the same queries over other rows.

SQLite looks for a name among the temporary tables first. A connection on which temporary views named `documents` and
`passages` show what is wanted therefore answers every query of the store without any of them knowing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from .history import shown_numbers

_NOT_STATUS = (
    "id, doc_id, version, title, source_uri, name, media_type, doc_type, domain, authority, published_at, "
    "effective_from, effective_to, updated_at, pages, unread_pages, replaces, replaced_at, parse_record, statements"
)
_VIEWS = (
    "CREATE TEMP TABLE shown (document INTEGER PRIMARY KEY)",
    f"CREATE TEMP VIEW documents AS SELECT {_NOT_STATUS}, "
    "CASE WHEN id IN (SELECT document FROM temp.shown) THEN 'active' WHEN status = 'active' THEN 'replaced' "
    "ELSE status END AS status FROM main.documents",
    'CREATE TEMP VIEW passages AS SELECT id, document, block_id, start, "end", search_hash FROM main.passages '
    "WHERE document IN (SELECT document FROM temp.shown) UNION ALL "
    'SELECT id, document, block_id, start, "end", search_hash FROM main.replaced_passages '
    "WHERE document IN (SELECT document FROM temp.shown)",
)


class Shown(NamedTuple):
    """What a view of a store shows.

    `as_of`: the versions in force on that day instead of the present ones. `domain`: the documents of this domain
    alone; an empty text stands for those without one. None leaves either as it is.
    """

    as_of: date | None = None
    domain: str | None = None


def show_only(connections: Iterable[sqlite3.Connection], shown: Shown) -> None:
    """Make connections show only these documents, as they are at this moment; they cannot change documents then."""
    first, *others = connections
    numbers = shown_numbers(first, shown.as_of, shown.domain)
    for connection in (first, *others):
        # A library on read-only media may leave no place for temporary files either.
        connection.execute("PRAGMA temp_store = MEMORY")
        for statement in _VIEWS:
            connection.execute(statement)
        connection.executemany("INSERT INTO temp.shown VALUES (?)", [(number,) for number in numbers])
