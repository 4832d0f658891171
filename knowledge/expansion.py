"""From passages to what is read: neighbours that a text runs into, and near-duplicates left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from .documents import Block, BlockKind, Caller
from .evidence.models import Span
from .store import Store
from .text.normalise import normalise_match

_SENTENCE_ENDS = "。！？；.!?;:：…”\"'）)】]』」》|"
_SHINGLE = 5
# Near-duplicates share this part of their five-character shingles (Jaccard) and every number.
_DUPLICATE_SHARE = 0.97
_NUMBERS = re.compile(r"\d+")

T = TypeVar("T")


def stitch(block: Block, focus: Sequence[Span], store: Store, caller: Caller) -> tuple[Block, ...]:
    """The blocks next to this one that its text runs from or into, where a match touches that border.

    Args:
        block: the block that was found.
        focus: the matching passages in it.
        store: where the neighbours come from.
        caller: on whose behalf.
    """
    touches_start = any(span.start == 0 for span in focus)
    touches_end = any(span.end >= len(block.text.rstrip()) for span in focus)
    if not (touches_start or touches_end):
        return ()
    siblings = {other.ordinal: other for other in store.neighbours(block, caller)}
    before, behind = siblings.get(block.ordinal - 1), siblings.get(block.ordinal + 1)
    found = []
    if touches_start and before is not None and runs_on(before, block):
        found.append(before)
    if touches_end and behind is not None and runs_on(block, behind):
        found.append(behind)
    return tuple(found)


def runs_on(first: Block, second: Block) -> bool:
    """Whether a sentence or a table of the first block goes on in the second."""
    if first.section_path != second.section_path:
        return False
    if BlockKind.TABLE in (first.kind, second.kind):
        return first.kind is second.kind and _table_header(first.text) == _table_header(second.text) != ""
    text = first.text.rstrip()
    return bool(text) and text[-1] not in _SENTENCE_ENDS


def _table_header(text: str) -> str:
    return next((line for line in text.splitlines() if line.startswith("|")), "")


def drop_near_duplicates(items: Sequence[T], text_of: Callable[[T], str]) -> list[T]:
    """The items in order, without those whose text nearly repeats an earlier one's.

    Two versions of a rule that differ in one number are no duplicates, however long their common text.
    """
    kept: list[T] = []
    seen: list[tuple[list[str], frozenset[str]]] = []
    for item in items:
        flat = normalise_match(text_of(item))
        numbers, shingles = _NUMBERS.findall(flat), _shingles(flat)
        if any(numbers == n and _jaccard(shingles, s) >= _DUPLICATE_SHARE for n, s in seen):
            continue
        kept.append(item)
        seen.append((numbers, shingles))
    return kept


def _shingles(flat: str) -> frozenset[str]:
    return frozenset(flat[i : i + _SHINGLE] for i in range(max(1, len(flat) - _SHINGLE + 1)))


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second)
