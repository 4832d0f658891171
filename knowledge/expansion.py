"""From passages to what is read: neighbours that a text runs into, and near-duplicates left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from .documents import Block, BlockKind, Caller
from .evidence.models import Span
from .store import Store

_SENTENCE_ENDS = "。！？；.!?;:：…”\"'）)】]』」》|"
_SHINGLE = 5
# Near-duplicates share this part of their five-character shingles (Jaccard) and every number.
_DUPLICATE_SHARE = 0.97
# Texts whose lengths differ by more cannot share so much, unless they repeat themselves.
_LENGTH_SHARE = 0.9
_NUMBERS = re.compile(r"\d+")
_NOT_COMPARED = re.compile(r"[\W_]+")


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


def duplicates_of(texts: Sequence[str]) -> list[int]:
    """For each text the place of the first one that it nearly repeats; its own where it repeats none.

    Two versions of a rule that differ in one number are no duplicates, however long their common text.
    """
    firsts: list[int] = []
    # Copies of a text are written alike: widths and characters need not be unified for this.
    profiles = [_Profile(_NOT_COMPARED.sub("", text)) for text in texts]
    for place, profile in enumerate(profiles):
        # Most pairs differ in length: that is looked at first.
        least, most = _LENGTH_SHARE * profile.length, profile.length / _LENGTH_SHARE
        alike = (first for first in dict.fromkeys(firsts) if least <= profiles[first].length <= most)
        firsts.append(next((first for first in alike if profile.repeats(profiles[first])), place))
    return firsts


class _Profile:
    """What of a text is compared; shingles are made only when lengths and numbers do not tell texts apart."""

    def __init__(self, flat: str) -> None:
        self._flat = flat
        self.length = len(flat)

    @cached_property
    def _numbers(self) -> list[str]:
        return _NUMBERS.findall(self._flat)

    @cached_property
    def _shingles(self) -> frozenset[str]:
        flat = self._flat
        return frozenset(flat[i : i + _SHINGLE] for i in range(max(1, len(flat) - _SHINGLE + 1)))

    def repeats(self, other: _Profile) -> bool:
        if self._flat == other._flat:
            return True
        if self._numbers != other._numbers:
            return False
        common = len(self._shingles & other._shingles)
        return common >= _DUPLICATE_SHARE * len(self._shingles | other._shingles)
