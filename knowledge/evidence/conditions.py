# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Whether a sentence keeps the conditions of its source: an exception is no condition, and none is added."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..text.normalise import normalise
from .matching import content_terms
from .negation import denials, likeness

_CLAUSE_END = r"(?P<clause>[^,.;:!?，。；：！？\n]*)"
_UNLESS = re.compile(rf"(?:除非|\bunless\b|\bexcept\s+(?:if|when|where)\b){_CLAUSE_END}")
_IF = re.compile(
    rf"(?:如果|倘若|假如|只要|(?:(?<=^)|(?<=[,.;，。；]))\s*[如若](?!有?规定)|\bif\b|\bprovided\s+that\b|\bas\s+long\s+as\b){_CLAUSE_END}"
)
# Other ways in which a source makes an exception.
_EXCEPTION = re.compile(
    r"除非|除外|以外|之外|除[^,，。]{1,40}外|但|未经|没有|只有|方可|才能|否则|\b(?:unless|except|excluding|save|without|only|otherwise|but|until|subject to|not)\b"
)
# Clauses that share as much of their content are the same condition.
_SAME_CLAUSE = 0.5


class _Clause(NamedTuple):
    text: str
    terms: frozenset[str]


def changed_condition(claim: str, sources: str) -> str | None:
    """The first condition of a claim that its sources do not make, or make the other way round.

    Args:
        claim: a sentence without markers.
        sources: the text of what it cites.
    """
    mine, theirs = normalise(claim), normalise(sources)
    exceptions, conditions = list(_clauses(_UNLESS, theirs)), list(_clauses(_IF, theirs))
    for clause in _clauses(_UNLESS, mine):
        is_held = _EXCEPTION.search(theirs) and _coverage(clause, content_terms(theirs)) >= _SAME_CLAUSE
        if not is_held or _is_turned(clause, conditions, exceptions):
            return clause.text
    turned = (clause.text for clause in _clauses(_IF, mine) if _is_turned(clause, exceptions, conditions))
    return next(turned, None)


def _clauses(pattern: re.Pattern[str], text: str) -> Iterator[_Clause]:
    found = (match["clause"].strip() for match in pattern.finditer(text))
    return (_Clause(clause, content_terms(clause)) for clause in found if clause)


def _coverage(clause: _Clause, held: frozenset[str]) -> float:
    return len(clause.terms & held) / len(clause.terms) if clause.terms else 1.0


def _is_turned(clause: _Clause, opposite: list[_Clause], same: list[_Clause]) -> bool:
    """Whether the sources have the clause only as the opposite kind of condition, and deny as much in it."""
    if any(likeness(clause.terms, other.terms) >= _SAME_CLAUSE for other in same):
        return False
    return any(
        likeness(clause.terms, other.terms) >= _SAME_CLAUSE and denials(clause.text) % 2 == denials(other.text) % 2
        for other in opposite
    )
