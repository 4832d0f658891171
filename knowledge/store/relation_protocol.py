"""What a store of entities and relations must do."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from ..documents import Block, Caller, Document
from ..graph.models import Entity, Relation, StoredRelation


class BlockToRead(NamedTuple):
    """A block from which no relations were read yet by a maker; `number` orders them."""

    number: tuple[int, int]
    block: Block
    document: Document


class BlockRelations(NamedTuple):
    """What was read from a block; nothing is a result, too."""

    block_id: str
    relations: tuple[Relation, ...]


class BuildProgress(NamedTuple):
    """How many of the blocks of active documents a maker has read, and their characters that are left."""

    done: int
    total: int
    characters_left: int


class GraphCounts(NamedTuple):
    """What a caller may see of the graph."""

    relations: int
    entities: int
    blocks: int
    predicates: dict[str, int]
    makers: dict[str, int]


class RelationStore(Protocol):
    """Relations by the block that states them. Reads see active versions of what the caller may read alone."""

    def progress(self, made_by: str) -> BuildProgress:
        """How far a maker has come, for the writer itself."""

    def to_read(
        self, made_by: str, limit: int, *, after: tuple[int, int] = (0, -1), doc_id: str = ""
    ) -> list[BlockToRead]:
        """The next blocks behind this place that a maker has not read; of one document where `doc_id` names it."""

    def put(self, made_by: str, replaces: str, made: Iterable[BlockRelations]) -> None:
        """Store what was read from blocks, in one transaction; what makers with this prefix read of them goes.

        Blocks that have gone meanwhile are left out.
        """

    def about(
        self, keys: Collection[str], caller: Caller, limit: int, *, predicates: Collection[str] = ()
    ) -> list[StoredRelation]:
        """Relations of which one of these keys is an end; `limit` for each key at most, none of `predicates`: any."""

    def of_blocks(self, block_ids: Sequence[str], caller: Caller, limit: int) -> list[StoredRelation]:
        """Relations that these blocks state, `limit` of each at most."""

    def degrees(self, keys: Collection[str], caller: Caller, most: int) -> dict[str, int]:
        """How many relations each key is an end of, counted up to `most`."""

    def blocks(self, block_ids: Collection[str], caller: Caller) -> dict[str, tuple[Block, Document]]:
        """Blocks of active versions by id."""

    def names(self, caller: Caller, limit: int) -> list[Entity]:
        """Entities that the caller may see, each key with one of its names, `limit` of each end at most."""

    def has_any(self, caller: Caller) -> bool:
        """Whether there is any relation that the caller may see."""

    def counts(self, caller: Caller) -> GraphCounts:
        """What the caller may see of the graph, in figures."""

    def forget(self, prefix: str) -> int:
        """Delete what makers with this prefix have read; returns how many relations that were."""
