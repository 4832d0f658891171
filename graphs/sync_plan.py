"""What has to move and to go so that a library holds what a folder holds: decisions alone, nothing is touched here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from ..knowledge.documents import Document


class Move(NamedTuple):
    """A document whose file lies elsewhere now."""

    document: Document
    source_uri: str
    name: str


class SyncPlan(NamedTuple):
    """What happens before the files are looked at one by one."""

    moves: tuple[Move, ...]
    gone: tuple[Document, ...]


def plan_sync(
    known: Iterable[Document],
    present: Mapping[str, str],
    is_new: Callable[[str], bool],
    version_of: Callable[[str], str | None],
) -> SyncPlan:
    """Of the documents whose files are no longer there: which are elsewhere now, and which are gone.

    A file that is new and has the content of one that has gone is taken for it; of several the one with the same file
    name, then the first by name.

    Args:
        known: the documents that have come from the folder and whose files cannot be found there now.
        present: the names of the files that are there, by URI.
        is_new: whether no document has come from this URI.
        version_of: the hash of the content at a URI; None where it cannot be read. Asked for new files alone, and for
            none while nothing is missing.
    """
    missing = {document.source_uri: document for document in sorted(known, key=lambda one: one.name)}
    moves: list[Move] = []
    if missing:
        arrived = _by_version(filter(is_new, sorted(present, key=lambda uri: present[uri])), version_of)
        for same_name in (True, False):
            for document in list(missing.values()):
                uris = arrived.get(document.version, [])
                fitting = [
                    uri for uri in uris if not same_name or _file_name(present[uri]) == _file_name(document.name)
                ]
                if fitting:
                    uris.remove(fitting[0])
                    del missing[document.source_uri]
                    moves.append(Move(document, fitting[0], present[fitting[0]]))
    return SyncPlan(tuple(moves), tuple(missing.values()))


def _by_version(uris: Iterable[str], version_of: Callable[[str], str | None]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for uri in uris:
        version = version_of(uri)
        if version is not None:
            found.setdefault(version, []).append(uri)
    return found


def _file_name(name: str) -> str:
    return PurePosixPath(name).name.casefold()
