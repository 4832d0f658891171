"""What a model says that a block states is checked against the block and the ontology before it is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from ..text.normalise import normalise
from .models import Entity, Kind, Relation
from .names import entity
from .ontology import Ontology, RelationType

_LONGEST_PREDICATE = 40
_LONGEST_QUOTE = 600
_SHORTEST_QUOTE = 4


class ProposedRelation(NamedTuple):
    """A relation as a model gives it."""

    subject: str
    subject_type: str
    relation: str
    object: str
    object_type: str
    quote: str


class Refusal(StrEnum):
    """Why a proposed relation is not kept."""

    NO_QUOTE = "no_quote"
    """The words that should say so do not stand in the block."""
    INVENTED_NAME = "invented_name"
    """A name does not stand in the block, or none of the two stands in the quote."""
    NO_NAME = "no_name"
    """An end or the relation is no name: empty, too long, or both ends are one."""
    UNKNOWN_TYPE = "unknown_type"
    UNKNOWN_RELATION = "unknown_relation"
    WRONG_ENDS = "wrong_ends"
    """The ontology allows the relation between other types only."""
    TOO_MANY = "too_many"
    """The ontology allows a subject fewer objects than the block would state."""


class Checked(NamedTuple):
    """What is kept of a model's proposals, and how many were refused for what reason."""

    relations: tuple[Relation, ...]
    refused: Counter[Refusal]


def check_relations(text: str, proposed: Iterable[ProposedRelation], ontology: Ontology | None) -> Checked:
    """Keep what the block says and the ontology allows.

    Args:
        text: of the block.
        proposed: by a model, in its order: of more objects than a subject may have the first are kept.
        ontology: None: every type and relation is allowed.
    """
    kept: dict[tuple[str, str, str], Relation] = {}
    refused: Counter[Refusal] = Counter()
    for one in proposed:
        found = _checked(text, one, ontology)
        if isinstance(found, Relation):
            found = _counted(found, kept, ontology)
        if isinstance(found, Relation):
            kept.setdefault((found.subject.key, found.predicate, found.object.key), found)
        else:
            refused[found] += 1
    return Checked(tuple(kept.values()), refused)


def _checked(text: str, one: ProposedRelation, ontology: Ontology | None) -> Relation | Refusal:
    span = _find(text, one.quote) if _SHORTEST_QUOTE <= len(one.quote) <= _LONGEST_QUOTE else None
    if span is None:
        return Refusal.NO_QUOTE
    typed = _typed(one, ontology)
    if isinstance(typed, Refusal):
        return typed
    subject, predicate, other = typed
    if subject.key == other.key:
        return Refusal.NO_NAME
    names = (one.subject, one.object)
    quote = text[span[0] : span[1]]
    if not all(_find(text, name) for name in names) or not any(_find(quote, name) for name in names):
        return Refusal.INVENTED_NAME
    return Relation(subject, predicate, other, *span)


def _typed(one: ProposedRelation, ontology: Ontology | None) -> tuple[Entity, str, Entity] | Refusal:
    predicate, kinds = _plain(one.relation), (_plain(one.subject_type), _plain(one.object_type))
    if ontology is not None:
        relation = ontology.relation_named(one.relation)
        types = (ontology.type_named(one.subject_type), ontology.type_named(one.object_type))
        if relation is None:
            return Refusal.UNKNOWN_RELATION
        if types[0] is None or types[1] is None:
            return Refusal.UNKNOWN_TYPE
        if not _fits(ontology.relations[relation], (types[0], types[1])):
            return Refusal.WRONG_ENDS
        predicate, kinds = relation, (types[0], types[1])
    subject, other = entity(one.subject, kinds[0] or Kind.NAME), entity(one.object, kinds[1] or Kind.NAME)
    if subject is None or other is None or not 0 < len(predicate) <= _LONGEST_PREDICATE:
        return Refusal.NO_NAME
    return subject, predicate, other


def _fits(relation: RelationType, types: tuple[str, str]) -> bool:
    return all(
        not allowed or kind in allowed for allowed, kind in zip((relation.domain, relation.range), types, strict=True)
    )


def _counted(
    found: Relation, kept: dict[tuple[str, str, str], Relation], ontology: Ontology | None
) -> Relation | Refusal:
    """The relation, unless its subject has as many objects in the block as it may have."""
    if ontology is None:
        return found
    declared = ontology.relations[found.predicate]
    most = 1 if declared.functional else declared.most
    objects = {key[2] for key in kept if key[:2] == (found.subject.key, found.predicate)} - {found.object.key}
    return Refusal.TOO_MANY if most is not None and len(objects) >= most else found


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", normalise(text)).strip("_")[: _LONGEST_PREDICATE + 1]


def _find(text: str, words: str) -> tuple[int, int] | None:
    """Where words stand in a text; widths, case, script of the Chinese, blanks and marks aside."""
    place = text.find(words) if words else -1
    if place >= 0:
        return place, place + len(words)
    letters, places = _letters(text)
    wanted = _letters(words)[0]
    at = letters.find(wanted) if wanted else -1
    return None if at < 0 else (places[at], places[at + len(wanted) - 1] + 1)


@lru_cache(maxsize=64)
def _letters(text: str) -> tuple[str, tuple[int, ...]]:
    """The letters and digits of a text as they are compared, each with its place."""
    found = [(letter, place) for place, character in enumerate(text) for letter in _folded(character)]
    return "".join(letter for letter, _ in found), tuple(place for _, place in found)


@lru_cache(maxsize=16_384)
def _folded(character: str) -> str:
    return "".join(letter for letter in normalise(character) if letter.isalnum())
