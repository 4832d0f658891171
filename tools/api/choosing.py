"""Which operation a question is for, by rules: the words of its summary, description and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...knowledge.text.normalise import has_chinese, normalise
from ...knowledge.text.tokens import tokenise
from ...knowledge.text.values import ValueKind, find_values
from ..choosing.wording import without_given
from ..contracts import ArgumentsFound, Permission
from .filling import filled_parameters
from .models import Operation, Parameter

_FILLER = re.compile(
    r"查询|获取|返回|列出|查看|查找|读取|根据|按照|指定|一个|某个|的|和|与|或|及"
    r"|\b(?:get|list|returns?|fetch|find|show|retrieves?|looks?|up|the|an?|of|by|for|and|or|to|with|one|all|given)\b"
)
_CLAUSES = re.compile(r"[/;；。.\n]+")
_ASKS_HOW = re.compile(
    r"怎么|怎样|如何|什么|是否|能否|可以.{0,12}[吗?？]|吗[?？]?$|规定|流程|制度|政策|条件|多久|多少"
    r"|\b(?:how|what|when|why|which|who|whether|may|can i|could i|am i|policy|procedure|rules?)\b"
)
_LONGEST_QUESTION = 1_000
"""Characters; a longer text is no question for an operation, and takes long to read."""
_LEAST_MATCH = 0.5
"""Share of an operation's words that the question holds."""
_ONE_WORD = 0.6
_WHEN_SAID = 0.2
_CLOSE = 0.1
"""Two operations whose ranks differ by less cannot be told apart."""
_NAMED, _SURE, _UNSURE = 0.95, 0.6, 0.5
_ABOVE_SURE = 0.25
_MISSING = {"zh": "{0}（{1}）", "en": "{0} ({1})"}


class _Match(NamedTuple):
    operation: Operation
    share: float
    named: bool
    parameters: dict[str, Any]

    @property
    def lacking(self) -> list[Parameter]:
        """What the call needs and the question does not say."""
        return [one for one in self.operation.parameters if one.required and one.name not in self.parameters]

    @property
    def rank(self) -> float:
        """A named operation first; of those that are described alike, the one whose parameters are said."""
        needed = sum(one.required for one in self.operation.parameters)
        return self.named + self.share + _WHEN_SAID * (1 - len(self.lacking) / needed if needed else 0.5)


def found_call(question: str, operations: Sequence[Operation]) -> ArgumentsFound | None:
    """The call of an operation that a question is for; None where no operation, or more than one, fits.

    What the question does not say is named and not guessed. A call that changes something is found only for a
    question that tells it to.
    """
    if len(question) > _LONGEST_QUESTION:
        return None
    matches = sorted(_matches(question, operations), key=lambda match: match.rank, reverse=True)
    if not matches or (len(matches) > 1 and matches[0].rank - matches[1].rank < _CLOSE):
        return None
    best = matches[0]
    language = "zh" if has_chinese(question) else "en"
    missing = tuple(
        _MISSING[language].format(one.name, one.description) if one.description else one.name for one in best.lacking
    )
    said = f"names {best.operation.name}" if best.named else f"{best.share:.0%} of the words of {best.operation.name}"
    return ArgumentsFound(
        arguments={"operation": best.operation.name, "parameters": best.parameters},
        confidence=_confidence(best),
        missing=missing,
        reason=said,
    )


def _confidence(match: _Match) -> float:
    if match.named:
        return _NAMED
    if match.lacking and match.operation.permission is Permission.READ:
        return _UNSURE
    return _SURE + _ABOVE_SURE * (match.share - _LEAST_MATCH) / (1 - _LEAST_MATCH)


def _matches(question: str, operations: Sequence[Operation]) -> Iterator[_Match]:
    folded = normalise(question)
    words = _words(folded)
    asks_how = _ASKS_HOW.search(without_given(folded)) is not None
    for operation in operations:
        if operation.permission is not Permission.READ and asks_how:
            continue
        named = _is_named(folded, operation)
        share = max(
            (
                _share(words, wanted)
                for wanted in _wanted(operation.summary or operation.description, operation.examples)
            ),
            default=0.0,
        )
        if named or share >= _LEAST_MATCH:
            yield _Match(operation, share, named, filled_parameters(question, operation))


def _is_named(folded: str, operation: Operation) -> bool:
    """Whether the question holds the operation's id, where that is no everyday word."""
    names = [operation.name.casefold()]
    names += [operation.id.casefold()] if re.search(r"[_.A-Z\d]", operation.id) else []
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", folded) for name in names)


@lru_cache(maxsize=2_000)
def _wanted(said: str, examples: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """The words of each way in which an operation is described."""
    found = (_words(normalise(text)) for text in (*_CLAUSES.split(said), *examples))
    return tuple(dict.fromkeys(words for words in found if words))


@lru_cache(maxsize=1_000)
def _words(folded: str) -> frozenset[str]:
    """The words of a text without its values and without words that say nothing of an operation."""
    for value in reversed(find_values(folded)):
        if value.kind is not ValueKind.ORDINAL:
            folded = f"{folded[: value.start]} {folded[value.end :]}"
    pieces = _FILLER.split(folded)
    return frozenset(
        one for piece in pieces for one in tokenise(piece) if len(one) > 1 and one[0] != "=" and not one.isdigit()
    )


def _share(words: frozenset[str], wanted: frozenset[str]) -> float:
    shared = words & wanted
    if len(shared) == 1:
        # One word alone (status, 状态) is said of too many things.
        return _ONE_WORD if len(wanted) == 1 else 0.0
    return len(shared) / len(wanted)
