"""How much a term weighs, what share of the wanted terms a text holds, and what a unit is compared by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from .terms import characters, terms
from .units import Unit

Weigh = Callable[[str], float]


def term_weights(units: Sequence[Unit], idf: Callable[[str], float] | None) -> Weigh:
    """The weight of a term: the library's idf where given and known, otherwise its rarity among the units."""
    total = max(len(units), 1)

    @cache
    def held() -> list[frozenset[str]]:
        return [terms(unit.text) | characters(unit.text) for unit in units]

    # A library looks at its stored version on each call: every term is asked for once.
    @cache
    def weigh(term: str) -> float:
        known = idf(term) if idf is not None else 0.0
        return known or math.log(1 + (total + 0.5) / (sum(term in found for found in held()) + 0.5))

    return weigh


def coverage(wanted: Iterable[str], found: frozenset[str], weigh: Weigh) -> float:
    """Weighted share of the wanted terms that were found; 0 where nothing is wanted."""
    weights = [(weigh(term), term in found) for term in wanted]
    # Sets have no order of their own, and rounding depends on it: fsum gives the same share in every process.
    total = math.fsum(weight for weight, _ in weights)
    return math.fsum(weight for weight, is_found in weights if is_found) / total if total else 0.0


def context_text(unit: Unit) -> str:
    """The headings that a unit stands under."""
    return "\n".join((unit.source.document.title, *unit.source.block.section_path))


def searched_text(unit: Unit) -> str:
    """What a unit is compared by: a table row with its column names."""
    if unit.row is None:
        return unit.text
    return " ".join(f"{name} {cell}" for name, cell in zip(unit.row.names, unit.row.cells, strict=False))
