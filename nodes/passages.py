"""What a model is shown of the evidence: as much of each block as fits, best passages first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..knowledge.documents import BlockKind
from ..knowledge.evidence.models import Evidence
from ..knowledge.searchable import context_of


class ReadingPlan(NamedTuple):
    """How many blocks are shown, and how many characters of each."""

    blocks: int
    characters: int


# From generous to sparse; the first that fits is taken. Six to ten blocks at most: S3 §3.3.
PLANS = (
    ReadingPlan(8, 1_600),
    ReadingPlan(6, 1_600),
    ReadingPlan(6, 900),
    ReadingPlan(6, 600),
    ReadingPlan(4, 600),
    ReadingPlan(3, 450),
    ReadingPlan(2, 300),
    ReadingPlan(1, 300),
)


def shown(evidence: Sequence[Evidence], plan: ReadingPlan) -> list[str]:
    """The texts to number and fence, each with its document and section in front."""
    return [_with_source(item, plan.characters) for item in evidence[: plan.blocks]]


def _with_source(item: Evidence, characters: int) -> str:
    return f"{context_of(item.document, item.block)}\n{readable_part(item, characters)}"


def readable_part(item: Evidence, characters: int) -> str:
    """A block, or the part of it around its best passage, cut at line ends where there are any."""
    text = item.block.text
    if len(text) <= characters:
        return text
    start = item.focus[0].start if item.focus else 0
    start = max(0, min(start, len(text) - characters))
    start = text.rfind("\n", 0, start) + 1 if start else 0
    part = text[start : start + characters]
    header = _table_header(item) if start else ""
    return f"{header}\n{part}" if header else part


def _table_header(item: Evidence) -> str:
    if item.block.kind is not BlockKind.TABLE:
        return ""
    return next(_table_lines(item.block.text), "")


def _table_lines(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if line.startswith("|"))
