"""How good digests are on their own: what of their blocks they keep, and whether they say anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field

from ..documents import Block, Document
from ..text.normalise import normalise_match
from ..text.values import ValueKind
from .by_rules import text_of
from .checking import review
from .details import details_in, distinct
from .entities import named_things
from .models import Digest


class KindRecall(BaseModel):
    """Of one kind of detail how many there are, and how many stand in the digests."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    total: int = Field(ge=0)
    kept: int = Field(ge=0)

    @property
    def recall(self) -> float:
        """The share that is kept; 1 where there is none."""
        return self.kept / self.total if self.total else 1.0


class InventedIn(BaseModel):
    """What a digest says that its block does not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    document: str = Field(description="name of the file")
    block_id: str
    invented: tuple[str, ...] = Field(description="details, names, keywords and sentences")


class DigestQuality(BaseModel):
    """Measured over blocks and their digests."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    blocks: int = Field(ge=0)
    by_model: int = Field(ge=0, description="digests that a model wrote")
    kinds: dict[str, KindRecall] = Field(description="by kind of detail: number, date, clause, id, …; and names")
    with_empty_phrases: int = Field(ge=0, description="digests that say 若干参数, various parameters and the like")
    with_inventions: int = Field(ge=0, description="digests with a detail or name that is not in the block")
    inventions: tuple[InventedIn, ...] = Field(default=(), description="where they are, in the order of the library")
    characters: int = Field(ge=0, description="of the blocks")
    summary_characters: int = Field(ge=0, description="of the summaries")
    complete: int = Field(ge=0, description="digests that keep every number, date, clause and id")

    @property
    def details(self) -> KindRecall:
        """Of all kinds of details together, names aside."""
        found = [one for kind, one in self.kinds.items() if kind != NAMES]
        return KindRecall(total=sum(one.total for one in found), kept=sum(one.kept for one in found))

    @property
    def empty_share(self) -> float:
        """Share of digests with an empty phrase."""
        return self.with_empty_phrases / self.blocks if self.blocks else 0.0


NAMES = "name"


def measure_digests(digested: Iterable[tuple[Block, Document, Digest]]) -> DigestQuality:
    """Measure digests against their blocks. A detail counts once a block, however often it stands there."""
    total, kept = Counter[str](), Counter[str]()
    counts = Counter[str]()
    inventions: list[InventedIn] = []
    for block, document, digest in digested:
        found = review(block, document, digest)
        lost = {one.keys for one in found.lost}
        for one in distinct(details_in(block.text)):
            total[_kind(one.kind)] += 1
            kept[_kind(one.kind)] += one.keys not in lost
        said = normalise_match(text_of(digest))
        names = named_things(block.text)
        total[NAMES] += len(names)
        kept[NAMES] += sum(normalise_match(name) in said for name in names)
        if found.invented:
            inventions.append(InventedIn(document=document.name, block_id=block.block_id, invented=found.invented))
        counts.update(
            blocks=1,
            by_model=int(digest.made_by != "rules"),
            with_empty_phrases=int(bool(found.empty)),
            with_inventions=int(bool(found.invented)),
            characters=len(block.text),
            summary_characters=len(digest.summary),
            complete=int(not lost),
        )
    kinds = {kind: KindRecall(total=total[kind], kept=kept[kind]) for kind in sorted(total)}
    fields = (name for name in DigestQuality.model_fields if name not in ("kinds", "inventions"))
    return DigestQuality(kinds=kinds, inventions=tuple(inventions), **{name: counts[name] for name in fields})


def _kind(kind: ValueKind) -> str:
    return str(kind.value)
