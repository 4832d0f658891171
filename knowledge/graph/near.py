"""Which entities may be meant by a name that the graph does not hold: by a part of their names, else by likeness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .models import Entity, Kind
from .names import entity_key

MOST_NEAR = 5
MOST_COMPARED = 20_000
"""Names that an unknown one is compared with."""
_LEAST_LIKE = 72
"""Of 100, the likeness of letters: one wrong character in four, or two in a name of eight."""
_SHORTEST = 2
_NO_NAMES = frozenset({Kind.VALUE, Kind.DATE, Kind.TASK, Kind.CLAUSE})


class Near(NamedTuple):
    """Entities that may be meant."""

    entities: tuple[Entity, ...] = ()
    """The nearest first, each key once."""
    holding: tuple[Entity, ...] = ()
    """Those whose names hold all of what was asked."""


def near(name: str, names: Sequence[Entity]) -> Near:
    """The entities that may be meant by a name.

    Args:
        name: that the graph does not hold.
        names: those that the caller may see.
    """
    wanted = entity_key(name)
    if len(wanted) < _SHORTEST:
        return Near()
    said = {one.key: (entity_key(one.name), one) for one in names if one.kind not in _NO_NAMES}
    # A name that begins so is nearer than one that holds it, and the shorter one nearer than the longer.
    holding = sorted(
        (not key.startswith(wanted), len(key), key, one.key) for key, one in said.values() if wanted in key
    )
    found = [said[own][1] for *_, own in holding]
    if len(found) < MOST_NEAR:
        found += [
            said[own][1] for own in _alike(wanted, {own: key for own, (key, _) in said.items() if wanted not in key})
        ]
    return Near(tuple(found[:MOST_NEAR]), tuple(said[own][1] for *_, own in holding))


def _alike(wanted: str, keys: dict[str, str]) -> list[str]:
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where a name is unknown

    scored = process.extract(wanted, keys, scorer=fuzz.ratio, score_cutoff=_LEAST_LIKE, limit=MOST_NEAR)
    return [own for _, _, own in scored]
