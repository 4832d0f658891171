"""Editions of one text: which documents are the same rule of another year, and which of them is newer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

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


def edition_of(name: str) -> Edition:
    """What a title or file name says about its edition."""
    text = normalise(name)
    years = tuple(int(year) for year in _YEAR.findall(text))
    marks = [next(filter(None, match.groupdict().values()), "") for match in _MARK.finditer(text)]
    numbers = tuple(int(part) for mark in marks if mark for part in mark.split("."))
    return Edition(_JOINTS.sub("", _MARK.sub("", text)), years or numbers)


def older_editions(names: Sequence[str], question: str) -> frozenset[str]:
    """The names that another name is a newer edition of, unless the question itself names their year.

    Args:
        names: titles or file names of the documents that compete.
        question: a question that names a year wants that year's edition.
    """
    asked = {int(year) for year in _YEAR.findall(normalise(question))}
    editions = {name: edition_of(name) for name in names}
    newest = _newest(editions)
    return frozenset(
        name
        for name, edition in editions.items()
        if edition.number and edition.number < newest[edition.title] and not asked & set(edition.number)
    )


def _newest(editions: Mapping[str, Edition]) -> dict[str, tuple[int, ...]]:
    newest: dict[str, tuple[int, ...]] = {}
    for edition in editions.values():
        newest[edition.title] = max(newest.get(edition.title, ()), edition.number)
    return newest
