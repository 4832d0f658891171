"""Whether a value and what it is said of stand in one source, where a sentence cites several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..text.normalise import normalise
from ..text.values import Value, ValueKind
from .claimed_values import block_keys, context_of
from .models import Evidence
from .names import names_in
from .terms import values


def parted_values(claim: str, sources: Sequence[Evidence]) -> Iterator[Value]:
    """The values whose nearest id or name stands in no source that states the value.

    A sentence with two markers may take each half from another passage, but not the subject from one and the number
    from the other.

    Args:
        claim: a sentence without markers.
        sources: what it cites, at least two.
    """
    for value in values(claim):
        if value.kind in (ValueKind.IDENTIFIER, ValueKind.CLAUSE):
            continue
        subject = subject_of(claim, value)
        if subject and not any(_states(source, value, subject) for source in sources):
            yield value


def subject_of(claim: str, value: Value) -> str:
    """The id or name that a value of the claim is said of: the last one before it, else the next one behind it."""
    return _nearest(_subjects(claim), value)


def _subjects(claim: str) -> list[tuple[int, str]]:
    """Ids and names with their places, in order."""
    found = [(value.start, value.raw) for value in values(claim) if value.kind is ValueKind.IDENTIFIER]
    found += [(claim.find(name), name) for name in names_in(claim) if name in claim]
    return sorted(found)


def _nearest(subjects: list[tuple[int, str]], value: Value) -> str:
    before = [name for start, name in subjects if start < value.start]
    after = [name for start, name in subjects if start > value.start]
    return before[-1] if before else next(iter(after), "")


def _states(source: Evidence, value: Value, subject: str) -> bool:
    text = normalise(f"{context_of(source)}\n{source.block.text}")
    has_value = value.key in block_keys(source.block.text) or normalise(value.raw) in text
    return has_value and normalise(subject) in text
