"""What the graph says, in words and as the blocks that say so."""

from __future__ import annotations

from collections.abc import Sequence

from ..evidence.models import Span
from ..search.results import Hit
from .asking import Conflict, Way
from .models import FoundRelation
from .predicates import label

MOST_HITS = 12
_LONGEST_LINE = 400


def relation_line(step: FoundRelation, language: str) -> str:
    """A relation with its document: “A —供应商→ B（合同.pdf）”."""
    relation = step.relation
    said = f"{relation.subject.name} —{label(relation.predicate, language)}→ {relation.object.name}"
    return f"{said}（{step.document.name}）" if language == "zh" else f"{said} ({step.document.name})"


def way_line(way: Way, language: str) -> str:
    """A way, its relations one behind another."""
    joint = "；" if language == "zh" else "; "
    return joint.join(relation_line(step, language) for step in way.steps)[:_LONGEST_LINE]


def conflict_line(conflict: Conflict, language: str) -> str:
    """What contradicts what, and where each stands."""
    joint = "；" if language == "zh" else "; "
    lead = "互相矛盾：" if language == "zh" else "these contradict each other: "
    return (lead + joint.join(relation_line(step, language) for step in conflict.relations))[:_LONGEST_LINE]


def hits_of(steps: Sequence[FoundRelation], most: int = MOST_HITS) -> tuple[Hit, ...]:
    """The blocks that state relations, in their order, with the stretches that do in focus."""
    spans: dict[str, list[Span]] = {}
    first: dict[str, FoundRelation] = {}
    for step in steps:
        block_id = step.block.block_id
        if block_id not in first and len(first) >= most:
            continue
        first.setdefault(block_id, step)
        span = _span(step)
        if span not in spans.setdefault(block_id, []):
            spans[block_id].append(span)
    return tuple(
        Hit(
            rank=rank,
            score=round(1 / rank, 6),
            block=step.block,
            document=step.document,
            focus=tuple(spans[step.block.block_id]),
        )
        for rank, step in enumerate(first.values(), start=1)
    )


def _span(step: FoundRelation) -> Span:
    end = min(step.relation.end, len(step.block.text))
    return Span(start=min(step.relation.start, end), end=end)
