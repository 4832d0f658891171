"""What the patterns of one language find in a question, before it is known which documents there are."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple


class Meant(NamedTuple):
    """Words that say which documents are meant: their place in the question and what they ask for."""

    start: int
    end: int
    kind: str = ""
    """A word for a type of documents."""
    domain: str = ""
    first: date | None = None
    last: date | None = None
    in_force_on: date | None = None
    said: tuple[int, int] | None = None
    """The place of the words of time and issuing in it: nothing to search for."""


class EditionsMeant(NamedTuple):
    """Years of the editions that a question names, and its words."""

    years: frozenset[int]
    words: tuple[str, ...] = ()
