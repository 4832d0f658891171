"""Which documents a person means by a name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from .documents import Document


def called(documents: Iterable[Document], name: str) -> list[Document]:
    """The documents of an id, a name or a URI; where there is none, of the last part of a name, a title or a path."""
    known = list(documents)
    exact = [one for one in known if name in (one.doc_id, one.name, one.source_uri)]
    uri = None if exact else _uri_of_file(name)
    return exact or [one for one in known if one.source_uri == uri or name in _short_names(one)]


def _short_names(document: Document) -> tuple[str, ...]:
    path = PurePosixPath(document.name)
    return document.title, path.name, path.stem


def _uri_of_file(name: str) -> str | None:
    """Where a file is, if the name is that of one; most names are no paths, and some could be none."""
    try:
        path = Path(name)
        return path.resolve().as_uri() if path.exists() else None
    except (OSError, ValueError):
        return None
