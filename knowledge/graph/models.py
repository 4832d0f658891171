"""What the graph is made of: entities, and relations that a stretch of a block states."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ..documents import Block, Document

LONGEST_NAME = 120
"""Characters of an entity's name; longer stretches are clauses, not names."""


class Kind(StrEnum):
    """Of the entities that the rules find; a model may find those of an ontology besides."""

    DOCUMENT = "document"
    CLAUSE = "clause"
    ORGANISATION = "organisation"
    PERSON = "person"
    ROLE = "role"
    TERM = "term"
    IDENTIFIER = "identifier"
    ITEM = "item"
    VALUE = "value"
    PLACE = "place"
    DATE = "date"
    TASK = "task"
    NAME = "name"


class Predicate(StrEnum):
    """Of the relations that the rules find; of a table, the name of the column takes its place."""

    ALIAS_OF = "alias_of"
    CONTAINS = "contains"
    REFERS_TO = "refers_to"
    DEFINED_IN = "defined_in"
    PARTY = "party"
    PARTY_A = "party_a"
    PARTY_B = "party_b"
    BUYER = "buyer"
    SUPPLIER = "supplier"
    HAS_ID = "has_id"
    REPLACES = "replaces"
    RESPONSIBLE_FOR = "responsible_for"
    HOLDS_ROLE = "holds_role"
    BELONGS_TO = "belongs_to"
    LOCATED_IN = "located_in"
    FOUNDED_IN = "founded_in"
    MENTIONS = "mentions"


class Direction(StrEnum):
    """Which end of a relation an entity is asked to be."""

    ANY = ""
    OUT = "out"
    """Its subject: what the clause refers to, what the document replaces."""
    IN = "in"
    """Its object: which clauses refer to it, what replaces it."""


class Entity(NamedTuple):
    """Something that a block names; `key` is the name in the form in which entities are compared and merged."""

    name: str
    kind: str
    key: str


class Relation(NamedTuple):
    """What a block states; `start` and `end` are the offsets of the stretch that does."""

    subject: Entity
    predicate: str
    object: Entity
    start: int
    end: int


class StoredRelation(NamedTuple):
    """A relation of a block that a caller may read."""

    number: int
    relation: Relation
    block_id: str
    doc_id: str
    made_by: str


class FoundRelation(NamedTuple):
    """A relation with the block that states it."""

    relation: Relation
    block: Block
    document: Document
    made_by: str
