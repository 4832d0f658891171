"""Which documents a document may replace by its own words: those of its folder and of the folders in it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from pydantic import ValidationError

from .documents import Document
from .metadata.layers import Layers

# Folders that only tell editions of the same documents apart: policies/2023 and policies/2024, archive, 旧版.
_OF_EDITIONS = re.compile(
    r"(?:19|20)\d{2}(?:[-年].{0,6})?|v\d+(?:\.\d+)*|archived?|archives|old|new|current|obsolete|superseded|expired|history"
    r"|归档|旧版?|新版?|现行|历史|过期|失效|废止|作废|存档|修订",
    re.IGNORECASE,
)


def may_replace_by_place(newer: Document, older: Document) -> bool:
    """Whether a claim to replace another document counts for that one.

    What a person, a sidecar or the rules of a folder say counts everywhere. What a text says of itself, or its front
    matter, counts in its own folder and below: whoever may put files in one folder has no say over another.
    """
    own = _area(newer.source_uri)
    return _area(older.source_uri)[: len(own)] == own or _is_told_from_outside(newer.statements)


@lru_cache(maxsize=4_096)
def _is_told_from_outside(statements: str | None) -> bool:
    """Whether somebody else than the document itself names what it replaces."""
    if statements is None:
        return False
    try:
        layers = Layers.model_validate_json(statements)
    except ValidationError:
        return False
    return any(one.description.replaces for one in (layers.hand, layers.sidecar, layers.folder))


@lru_cache(maxsize=16_384)
def _area(uri: str) -> tuple[str, ...]:
    """The folder that a document comes from, without those that only tell editions apart."""
    parts = urlsplit(uri)
    folder = PurePosixPath(unquote(parts.path)).parent
    return (
        parts.netloc,
        *(part for part in folder.parts if part not in ("/", ".") and not _OF_EDITIONS.fullmatch(part)),
    )
