"""The details of a text that its digest must keep: numbers, dates, amounts, clauses and ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from ..text.normalise import fold_figures
from ..text.value_patterns import RANGE
from ..text.values import Value, ValueKind, find_values

_LIST_LABEL = re.compile(
    r"^[ \t#>*•·-]*(?:[（(]?\d{1,2}[)）.、．](?!\d)|[（(][一二三四五六七八九十]{1,3}[)）]"
    r"|[一二三四五六七八九十]{1,3}、)",
    re.MULTILINE,
)
_BLANKS = re.compile(r"\s+")
_FIRST: tuple[ValueKind, ...] = (ValueKind.IDENTIFIER, ValueKind.CLAUSE, ValueKind.DATE)
"""Where not all can be kept: what names a thing before what measures it, and bare numbers last."""

ValueKey = tuple[ValueKind, str, str]


class Detail(NamedTuple):
    """One value of a text, or the two ends of a range, which only together say what they measure."""

    raw: str
    keys: frozenset[ValueKey]
    start: int
    kind: ValueKind


@lru_cache(maxsize=4_096)
def details_in(text: str) -> tuple[Detail, ...]:
    """The details of a text in order, each as often as it stands there; a list's labels (1., (2), 三、) are none."""
    labels = [(match.start(), match.end()) for match in _LIST_LABEL.finditer(text)]
    return tuple(_detail(text, run) for run in _runs(text) if not _is_label(run, labels))


def distinct(details: Iterable[Detail]) -> tuple[Detail, ...]:
    """Each detail once, in order."""
    return tuple({detail.keys: detail for detail in reversed(tuple(details))}.values())[::-1]


def by_worth(details: Iterable[Detail]) -> list[Detail]:
    """What names a thing first, bare numbers last, otherwise as they stand."""
    return sorted(details, key=lambda one: (one.kind is ValueKind.NUMBER, one.kind not in _FIRST))


class KeptDetails:
    """What a digest says, to be asked whether a detail is in it."""

    def __init__(self, text: str) -> None:
        self._said = text
        self._text = _spelling(text)

    @cached_property
    def _keys(self) -> frozenset[ValueKey]:
        return frozenset(key for detail in details_in(self._said) for key in detail.keys)

    def has(self, detail: Detail) -> bool:
        """Whether it says a detail, in its very characters or in another spelling of the same value."""
        # Characters first: reading all values again takes as long as everything else, and a quote has them.
        return _stands_in(_spelling(detail.raw), self._text) or detail.keys <= self._keys


def _runs(text: str) -> Iterator[list[Value]]:
    folded, run = fold_figures(text), list[Value]()
    for value in find_values(text):
        if run and not RANGE.fullmatch(folded, run[-1].end, value.start):
            yield run
            run = []
        run.append(value)
    if run:
        yield run


def _detail(text: str, run: list[Value]) -> Detail:
    raw = _BLANKS.sub(" ", text[run[0].start : run[-1].end])
    return Detail(raw, frozenset(value.key for value in run), run[0].start, run[-1].kind)


def _is_label(run: list[Value], labels: list[tuple[int, int]]) -> bool:
    is_bare = len(run) == 1 and run[0].kind in (ValueKind.NUMBER, ValueKind.ORDINAL)
    return is_bare and any(start <= run[0].start and run[0].end <= end for start, end in labels)


def _spelling(text: str) -> str:
    return _BLANKS.sub("", fold_figures(text)).casefold()


def _stands_in(raw: str, text: str) -> bool:
    """Whether it stands there on its own: 12 does not stand in 120, 3.12 or A12."""
    at = text.find(raw)
    while raw and at >= 0:
        before, behind = text[at - 1 : at] if at else "", text[at + len(raw) : at + len(raw) + 2]
        joined = (_joins(before) and _joins(raw[:1])) or (before in (".", ",") and raw[0].isdigit() and at > 1)
        if not joined and not (_joins(raw[-1:]) and (_joins(behind[:1]) or _goes_on(behind))):
            return True
        at = text.find(raw, at + 1)
    return False


def _joins(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _goes_on(behind: str) -> bool:
    return len(behind) == 2 and behind[0] in ".,-" and behind[1].isdigit()
