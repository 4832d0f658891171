"""Documents that the block says its own document repeals or replaces."""

from __future__ import annotations

from collections.abc import Iterator

from ...replacing import titles_replaced_by
from ...text.normalise import fold_widths
from ..models import Kind, Predicate, Relation
from ..names import entity
from .text import RuleText


def replaced(text: RuleText) -> Iterator[Relation | None]:
    """One relation for each title, stated by its paragraph or table row."""
    position = 0
    for line in text.text.splitlines(keepends=True):
        for title in titles_replaced_by(line):
            place = position + max(fold_widths(line).find(title), 0)
            named = entity(title, Kind.DOCUMENT)
            yield text.stated(text.document, Predicate.REPLACES, named, place, place + min(len(title), len(line)))
        position += len(line)
