"""Which way a relation is asked for, what it leads to, and which clauses stand inside others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from ..text.normalise import has_chinese, normalise
from .models import Direction, FoundRelation, Kind, Predicate, StoredRelation
from .names import own_document
from .predicates import WORDINGS

_ONE_WAY = (Predicate.REFERS_TO, Predicate.REPLACES)
"""Whose reversed name asks for the other end alone; of others it names what stands at an end."""
_NUMBER = re.compile(r"\d.*")


def directed(
    found: Sequence[StoredRelation], keys: Collection[str], direction: str, relation: str
) -> list[StoredRelation]:
    """The relations in the direction that is asked for, by itself or by the name of the relation (被引用).

    Args:
        found: relations of which one of the keys is an end.
        keys: of the entity.
        direction: that is asked for.
        relation: what the relation is called.
    """
    word = normalise(relation)
    if direction == Direction.ANY and any(word in WORDINGS[name].reversed_words for name in _ONE_WAY):
        direction = Direction.IN
    if direction == Direction.IN:
        return [one for one in found if one.relation.object.key in keys and one.relation.subject.key not in keys]
    if direction == Direction.OUT:
        return [one for one in found if one.relation.subject.key in keys]
    return list(found)


def of_others(found: Iterable[StoredRelation], keys: Collection[str]) -> list[StoredRelation]:
    """The relations that no document states of itself."""
    own = {own_document(key) for key in keys if "#" not in key} - {None}
    return [one for one in found if one.doc_id not in own]


def other_end(one: StoredRelation, keys: Collection[str]) -> str:
    """The key of what a relation connects with these."""
    return one.relation.object.key if one.relation.subject.key in keys else one.relation.subject.key


def is_name_of_itself(one: StoredRelation, keys: Collection[str]) -> bool:
    """Whether a relation connects names of one entity."""
    return one.relation.subject.key in keys and one.relation.object.key in keys


def leads_somewhere(one: StoredRelation, there: Collection[str]) -> bool:
    """Whether a relation is no reference to a clause that a document of the library does not have."""
    target = one.relation.object.key
    is_reference = one.relation.predicate == Predicate.REFERS_TO and own_document(target) is not None
    return not is_reference or target in there


def end_name(step: FoundRelation, keys: Collection[str]) -> str:
    """What a relation leads to; a clause with the title of its document."""
    relation = step.relation
    end = relation.object if relation.object.key not in keys else relation.subject
    if end.kind != Kind.CLAUSE or own_document(end.key) is None:
        return end.name
    title = step.document.title
    return f"《{title}》{end.name}" if has_chinese(title) else f"{title}, {end.name}"


def children(keys: Collection[str], contained: Iterable[str]) -> frozenset[str]:
    """The clauses whose numbers go on from those of others in the same document: 11.2 of 第十一条, 9.1.3 of 9.1."""
    leads = {f"{owner}#{number.group()}." for owner, number in map(_numbered, keys) if number is not None}
    return frozenset(key for key in contained if any(key.startswith(lead) for lead in leads))


def _numbered(key: str) -> tuple[str, re.Match[str] | None]:
    owner, _, part = key.partition("#")
    return owner, _NUMBER.search(part) if not part.startswith(("附件", "章", "编")) else None
