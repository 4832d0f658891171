"""What the arguments of a call rest on: the places of the evidence that hold them, for whoever has to agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..knowledge.evidence.models import Evidence
from ..tools.approval.derived import leaves

_MOST = 5
_AROUND = 60
_SHORTEST = 2


def grounds_of(arguments: Mapping[str, Any], said: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Quotes of the evidence that hold an argument which the user did not say, each with its document's name."""
    found = (line for value in _values(arguments, said) for line in _places(value, evidence))
    return tuple(dict.fromkeys(line for _, line in zip(range(_MOST), found, strict=False)))


def _values(arguments: Mapping[str, Any], said: str) -> Iterator[str]:
    for _, value in leaves(dict(arguments)):
        text = "" if value is None or isinstance(value, bool) else str(value)
        if len(text) >= _SHORTEST and text not in said:
            yield text


def _places(value: str, evidence: Sequence[Evidence]) -> Iterator[str]:
    for item in evidence:
        at = item.block.text.find(value)
        if at >= 0:
            quote = item.block.text[max(0, at - _AROUND) : at + len(value) + _AROUND]
            yield f"{item.document.name}: …{' '.join(quote.split())}…"
