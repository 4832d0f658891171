"""Asks the graph: who or what is meant, what is stated of it, and the ways between two entities.

Every read is bounded: an entity with a hundred thousand relations costs as much as one with a hundred.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from ..documents import Caller
from ..store.relation_protocol import RelationStore
from ..text.normalise import normalise
from .directions import children, directed, end_name, is_name_of_itself, leads_somewhere, of_others, other_end
from .entity_keys import MOST_ALIASES, EntityKeys, FindDocuments
from .models import Direction, FoundRelation, Kind, Predicate, StoredRelation
from .names import clean_name, own_document
from .near import MOST_COMPARED, near
from .ontology import Ontology
from .predicates import is_called, is_functional, meant, rank

MOST_OF_ONE = 200
"""Relations read of one entity, in each direction."""
_MOST_NEIGHBOURS = 40
_MOST_OF_NEIGHBOUR = 30
_HUB = 400
"""An entity with so many relations is no step on a way: almost everything is two hops from it."""
_MOST_SHOWN = 24
_MOST_CLAUSES = 600
"""Of a document that are looked through for those inside another one."""
_ENDS = frozenset({Kind.VALUE, Kind.DATE, Kind.TASK})


class GraphQuestion(NamedTuple):
    """What is asked: relations of an entity, of one kind where `relation` says it, or the ways to another entity."""

    entity: str
    relation: str = ""
    other: str = ""
    hops: int = 1
    direction: str = Direction.ANY


class Way(NamedTuple):
    """Relations one behind another."""

    steps: tuple[FoundRelation, ...]


class Conflict(NamedTuple):
    """Relations that cannot all be true: one subject, one functional relation, different objects."""

    relations: tuple[FoundRelation, ...]


class GraphAnswer(NamedTuple):
    """What the graph says, and from where."""

    known: bool
    """Whether anything that the caller may read speaks of the entity at all."""
    ways: tuple[Way, ...]
    conflicts: tuple[Conflict, ...]
    ends: tuple[str, ...]
    """The names that the ways lead to, each once, the first ways' first."""
    names: tuple[str, ...]
    """Under which the entity occurs."""
    near: tuple[str, ...] = ()
    """Of an unknown one, names that may be meant."""
    taken: str = ""
    """The name that was taken for an unknown one, as the only one that holds it."""


class GraphReader:
    """Reads the graph on behalf of one caller.

    Args:
        relations: where they are.
        find_documents: documents by title or name, of those that the caller may read.
        caller: whose rights hold.
        ontology: says what relations are called and which are functional, besides those of the rules.
    """

    def __init__(
        self,
        relations: RelationStore,
        find_documents: FindDocuments,
        caller: Caller,
        ontology: Ontology | None = None,
    ) -> None:
        self._ontology = ontology
        self._relations = relations
        self._caller = caller
        self._keys = EntityKeys(relations, find_documents, caller)

    def keys_of(self, name: str) -> frozenset[str]:
        """The keys under which an entity may stand: its name, documents of this title, clauses, other names."""
        return self._keys.of(name)

    def knows(self, name: str) -> bool:
        """Whether anything is stated of an entity."""
        return bool(self._about(self.keys_of(name), 1))

    def has(self, name: str, relation: str, direction: str = Direction.ANY) -> bool:
        """Whether a relation of this name is stated of an entity, in this direction."""
        return bool(self._asked(self.keys_of(name), relation, direction))

    def ask(self, question: GraphQuestion) -> GraphAnswer:
        """What is stated, the most telling first; empty where nothing is.

        For a name that nothing is stated of, the only entity whose name holds it is taken; else near ones are named.
        """
        answer = self._answer(question)
        if answer.known:
            return answer
        found = near(clean_name(question.entity), self._relations.names(self._caller, MOST_COMPARED))
        names = tuple(dict.fromkeys(one.name for one in found.entities))
        if found.holding and {one.key for one in found.holding} <= self.keys_of(found.holding[0].name):
            taken = found.holding[0].name
            return self._answer(question._replace(entity=taken))._replace(taken=taken)
        return answer._replace(near=names)

    def _answer(self, question: GraphQuestion) -> GraphAnswer:
        keys = self.keys_of(question.entity)
        ways: list[tuple[StoredRelation, ...]] = []
        if question.other:
            ways = self._between(keys, self.keys_of(question.other), question.hops)
        elif question.relation:
            keys = self._with_children(keys, question.relation)
            ways = [(one,) for one in self._asked(keys, question.relation, question.direction)]
        else:
            ways = [(one,) for one in self._stated(keys, MOST_OF_ONE)]
        if question.hops > 1 and not question.other:
            ways.extend(self._further(keys, ways, question.relation))
        shown = self._existing(ways)[:_MOST_SHOWN]
        found = self._with_blocks(shown)
        known = bool(shown) or bool(self._about(keys, 1))
        return GraphAnswer(known, found, self._conflicts(keys), _ends(question, found, keys), self._names(keys, found))

    def _about(self, keys: Collection[str], limit: int, predicates: Collection[str] = ()) -> list[StoredRelation]:
        return self._relations.about(keys, self._caller, limit, predicates=predicates)

    def _stated(self, keys: Collection[str], limit: int) -> list[StoredRelation]:
        found = [one for one in self._about(keys, limit) if not is_name_of_itself(one, keys)]
        return sorted(found, key=lambda one: (rank(one.relation.predicate), one.number))

    def _asked(self, keys: Collection[str], relation: str, direction: str) -> list[StoredRelation]:
        """What a relation means in the direction that is asked for."""
        if Predicate.MENTIONS in meant(relation):
            # Whoever states something of an entity mentions it; what a document says itself mentions no document.
            return of_others(self._stated(keys, MOST_OF_ONE), keys)
        found = self._of_relation(self._with_children(keys, relation), relation)
        return directed(found, self._with_children(keys, relation), direction, relation)

    def _with_children(self, keys: Collection[str], relation: str) -> frozenset[str]:
        """Of references, the clauses inside a clause besides: 11.2 stands in 第十一条."""
        if Predicate.REFERS_TO not in meant(relation):
            return frozenset(keys)
        whole = {key.split("#", 1)[0] for key in keys if "#" in key and self._about({key}, 1, [Predicate.CONTAINS])}
        contained = self._about(whole, _MOST_CLAUSES, [Predicate.CONTAINS])
        return frozenset(keys) | children(keys, (one.relation.object.key for one in contained))

    def _of_relation(self, keys: Collection[str], relation: str) -> list[StoredRelation]:
        """Relations that a word means: known ones by their names, columns of tables by their own."""
        named = meant(relation)
        if self._ontology is not None and (declared := self._ontology.relation_named(relation)) is not None:
            named |= {declared}
        found = self._about(keys, MOST_OF_ONE, named) if named else []
        word = normalise(relation)
        columns = [
            one
            for one in self._about(keys, MOST_OF_ONE)
            if one.relation.subject.key in keys and is_called(word, one.relation.predicate, named)
        ]
        together = {one.number: one for one in (*found, *columns)}
        # What is asked of an entity is mostly what it is the subject of.
        return sorted(together.values(), key=lambda one: (one.relation.subject.key not in keys, one.number))

    def _between(self, keys: Collection[str], others: Collection[str], hops: int) -> list[tuple[StoredRelation, ...]]:
        mine, theirs = self._about(keys, MOST_OF_ONE), self._about(others, MOST_OF_ONE)
        direct = {one.number: one for one in mine if other_end(one, keys) in others}
        # Of a hub not all relations are read; the other side may be small.
        direct |= {one.number: one for one in theirs if other_end(one, others) in keys}
        ways: list[tuple[StoredRelation, ...]] = [(one,) for one in direct.values()]
        ways.sort(key=lambda way: rank(way[0].relation.predicate))
        if hops > 1 or not ways:
            ways.extend(self._over_one(mine, theirs, keys, others))
        return ways

    def _over_one(
        self,
        mine: Sequence[StoredRelation],
        theirs: Sequence[StoredRelation],
        keys: Collection[str],
        others: Collection[str],
    ) -> list[tuple[StoredRelation, ...]]:
        """Ways over an entity that both sides speak of, the rarest one first."""
        reached: dict[str, list[StoredRelation]] = {}
        for one in theirs:
            reached.setdefault(other_end(one, others), []).append(one)
        shared = {end for one in mine if (end := other_end(one, keys)) in reached} - set(keys) - set(others)
        degrees = self._relations.degrees(sorted(shared)[:_MOST_NEIGHBOURS], self._caller, _HUB)
        usable = {key: degree for key, degree in degrees.items() if degree < _HUB}
        ways: list[tuple[StoredRelation, ...]] = [
            (one, two)
            for one in mine
            if (end := other_end(one, keys)) in usable
            for two in reached[end][:3]
            if two.number != one.number
        ]
        ways.sort(key=lambda way: (sum(rank(one.relation.predicate) for one in way), usable[other_end(way[0], keys)]))
        return ways

    def _further(
        self, keys: Collection[str], first: Sequence[tuple[StoredRelation, ...]], relation: str
    ) -> Iterable[tuple[StoredRelation, ...]]:
        """The second hop, over entities that are no mere values and no hubs."""
        steps: dict[str, StoredRelation] = {}
        starts = [way[0] for way in first] or self._stated(keys, _MOST_NEIGHBOURS)
        for one in starts:
            end = one.relation.object if one.relation.subject.key in keys else one.relation.subject
            if end.kind not in _ENDS and end.key not in keys:
                steps.setdefault(end.key, one)
        degrees = self._relations.degrees(list(steps)[:_MOST_NEIGHBOURS], self._caller, _HUB)
        for key in (key for key, degree in degrees.items() if degree < _HUB):
            same = self._keys.same({key})
            behind = self._of_relation(same, relation) if relation else self._stated(same, _MOST_OF_NEIGHBOUR)
            for two in behind[:_MOST_OF_NEIGHBOUR]:
                if two.number != steps[key].number and other_end(two, same) not in keys:
                    yield steps[key], two

    def _existing(self, ways: Sequence[tuple[StoredRelation, ...]]) -> list[tuple[StoredRelation, ...]]:
        """Without references to clauses of a document of the library that does not have them."""
        targets = {
            one.relation.object.key
            for way in ways[: 4 * _MOST_SHOWN]
            for one in way
            if one.relation.predicate == Predicate.REFERS_TO and own_document(one.relation.object.key) is not None
        }
        there = {one.relation.object.key for one in self._about(targets, 1, [Predicate.CONTAINS])}
        return [way for way in ways[: 4 * _MOST_SHOWN] if all(leads_somewhere(one, there) for one in way)]

    def _with_blocks(self, ways: Sequence[tuple[StoredRelation, ...]]) -> tuple[Way, ...]:
        blocks = self._relations.blocks({one.block_id for way in ways for one in way}, self._caller)
        return tuple(
            Way(tuple(FoundRelation(one.relation, *blocks[one.block_id], one.made_by) for one in way))
            for way in ways
            if all(one.block_id in blocks for one in way)
        )

    def places_of(self, keys: Collection[str]) -> tuple[FoundRelation, ...]:
        """Where clauses begin."""
        contained = self._about(self._keys.same(keys), 3, [Predicate.CONTAINS])
        found = [(one,) for one in contained if one.relation.object.key in keys]
        return tuple(step for way in self._with_blocks(found) for step in way.steps)

    def _conflicts(self, keys: Collection[str]) -> tuple[Conflict, ...]:
        grouped: dict[tuple[str, str], dict[str, StoredRelation]] = {}
        for one in self._about(keys, MOST_OF_ONE):
            relation = one.relation
            if relation.subject.key in keys and self._is_functional(relation.predicate):
                grouped.setdefault((relation.subject.key, relation.predicate), {}).setdefault(relation.object.key, one)
        conflicts = []
        for objects in grouped.values():
            differing = self._differing(objects)
            if len(differing) > 1:
                conflicts.append(Conflict(tuple(step for way in self._with_blocks(differing) for step in way.steps)))
        return tuple(one for one in conflicts if len(one.relations) > 1)

    def _is_functional(self, predicate: str) -> bool:
        return is_functional(predicate) or (self._ontology is not None and self._ontology.is_functional(predicate))

    def _differing(self, objects: dict[str, StoredRelation]) -> list[tuple[StoredRelation, ...]]:
        """One relation for each object that is no other name, and no part, of one before it."""
        kept: dict[str, StoredRelation] = {}
        for key, one in objects.items():
            same = self._keys.same({key}) if len(objects) > 1 else {key}
            if not any(other in same or other in key or key in other for other in kept):
                kept[key] = one
        return [(one,) for one in kept.values()]

    def _names(self, keys: Collection[str], ways: Sequence[Way]) -> tuple[str, ...]:
        names = [
            end.name
            for way in ways
            for step in way.steps
            for end in (step.relation.subject, step.relation.object)
            if end.key in keys
        ]
        aliases = self._about(keys, MOST_ALIASES, [Predicate.ALIAS_OF])
        names.extend(end.name for one in aliases for end in (one.relation.subject, one.relation.object))
        return tuple(dict.fromkeys(names))


def _ends(question: GraphQuestion, ways: Sequence[Way], keys: Collection[str]) -> tuple[str, ...]:
    if Predicate.MENTIONS in meant(question.relation):
        return tuple(dict.fromkeys(way.steps[-1].document.title for way in ways))
    return tuple(dict.fromkeys(end_name(way.steps[-1], keys) for way in ways))
