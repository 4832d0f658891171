"""Relations by rules: pure functions from a block to what it surely states."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...documents import Block, Document
from ..models import Predicate, Relation
from .aliases import aliases, definitions, titles
from .clauses import clauses
from .duties import duties, places, roles
from .ids import identifiers
from .mentions import mentions
from .parties import parties
from .replacing import replaced
from .role_tables import role_tables
from .tables import tables
from .text import RuleText

MADE_BY = "rules:2"
"""Rises when the rules find something else, so that every block is read again."""
_RULES: tuple[Callable[[RuleText], Iterator[Relation | None]], ...] = (
    *(
        titles,
        aliases,
        definitions,
        parties,
        replaced,
        identifiers,
        duties,
        roles,
        places,
        role_tables,
        tables,
        clauses,
        mentions,
    ),
)


def relations_of(block: Block, document: Document) -> tuple[Relation, ...]:
    """What a block states, each relation once. Never raises for any text.

    Args:
        block: is read alone: a block whose text stays the same keeps its relations.
        document: that it stands in.
    """
    text = RuleText(block, document)
    found: dict[tuple[str, str, str], Relation] = {}
    for rule in _RULES:
        for relation in rule(text):
            if relation is not None:
                found.setdefault((relation.subject.key, relation.predicate, relation.object.key), relation)
    linked = {(one.subject.key, one.object.key) for one in found.values() if one.predicate != Predicate.MENTIONS}
    return tuple(
        one
        for one in found.values()
        if one.predicate != Predicate.MENTIONS or (one.subject.key, one.object.key) not in linked
    )
