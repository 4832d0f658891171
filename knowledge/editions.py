"""Editions of one text: which documents are the same rule of another year, and which of them is newer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from .documents import Document
from .text.normalise import normalise

# 2023版, (2025年修订), v2.1, 第3版, Rev. 4, 2nd edition: what tells editions of one title apart.
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_MARK = re.compile(
    r"[(\[]?(?:19|20)\d{2}(?:[-./年]\d{1,2}(?:[-./月]\d{1,2}日?)?)?\s*年?(?:版|修订版?|修正版?|edition|revision)?[)\]]?"
    r"|\bv(?:er(?:sion)?)?\.?\s*(?P<v>\d+(?:\.\d+)*)|第\s*(?P<z>\d+)\s*版|\brev(?:ision)?\.?\s*(?P<r>\d+)"
    r"|\b(?P<e>\d+)(?:st|nd|rd|th) edition"
)
_JOINTS = re.compile(r"[\W_]+")
# A text that a newer edition replaces falls behind it by this much of a score that mostly lies between 0 and 1.5.
OLDER_EDITION_LOSS = 0.15


class Edition(NamedTuple):
    """A title without its edition, and the edition as numbers that can be compared; empty if it has none."""

    title: str
    number: tuple[int, ...]


@lru_cache(maxsize=16_384)
def edition_of(name: str) -> Edition:
    """What a title or file name says about its edition."""
    text = normalise(name)
    years = tuple(int(year) for year in _YEAR.findall(text))
    marks = [next(filter(None, match.groupdict().values()), "") for match in _MARK.finditer(text)]
    numbers = tuple(int(part) for mark in marks if mark for part in mark.split("."))
    return Edition(_JOINTS.sub("", _MARK.sub("", text)), years or numbers)


def older_editions(names: Sequence[str], question: str, today: date | None = None) -> frozenset[str]:
    """The names that another name is a newer edition of, unless the question itself names their year.

    Args:
        names: titles or file names of the documents that compete.
        question: a question that names a year wants that year's edition.
        today: an edition of a later year than this day's is not in force yet: it makes no other one old, and gives
            way to those that are in force; None: every edition is taken to be in force.
    """
    asked = {int(year) for year in _YEAR.findall(normalise(question))}
    editions = {name: edition_of(name) for name in names}
    newest = _newest(editions, None if today is None else today.year)
    return frozenset(
        name
        for name, edition in editions.items()
        if edition.number
        and edition.number != newest.get(edition.title, edition.number)
        and not asked & set(edition.number)
    )


def _newest(editions: Mapping[str, Edition], year: int | None) -> dict[str, tuple[int, ...]]:
    """The newest edition of each title that has begun by a year; titles whose editions are all to come are absent."""
    newest: dict[str, tuple[int, ...]] = {}
    for edition in editions.values():
        if year is None or not _is_after(edition, year):
            newest[edition.title] = max(newest.get(edition.title, ()), edition.number)
    return newest


def _is_after(edition: Edition, year: int) -> bool:
    return any(1900 <= number <= 2100 and number > year for number in edition.number[:1])


def in_force_on(document: Document, day: date) -> bool:
    """Whether a document is in force on a day as far as is known: not to come, by date or edition, and not expired."""
    begins = document.effective_from or document.published_at
    begun = begins <= day if begins is not None else not _is_after(_edition(document), day.year)
    return begun and (document.effective_to is None or day <= document.effective_to)


def superseded_on(documents: Iterable[Document], day: date) -> frozenset[str]:
    """The ids of the documents that a newer edition of theirs, already in force on a day, has replaced."""
    editions = [(document, _edition(document)) for document in documents]
    newest: dict[str, tuple[int, ...]] = {}
    for document, edition in editions:
        if edition.number and in_force_on(document, day):
            newest[edition.title] = max(newest.get(edition.title, ()), edition.number)
    return frozenset(
        document.doc_id
        for document, edition in editions
        if edition.number and edition.number < newest.get(edition.title, ())
    )


def _edition(document: Document) -> Edition:
    return edition_of(PurePosixPath(document.name).stem)
