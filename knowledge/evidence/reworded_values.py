"""Whether two sentences in different words state different values of the same thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.normalise import fold_widths
from ..text.values import Value, ValueKind
from .matching import content_terms
from .negation import denials
from .question import QuestionAnalysis
from .same_values import Answer, Difference, Stated, are_comparable, as_year, can_both_hold
from .terms import terms, values
from .units import Unit
from .wanted_answers import wanted_values
from .weighing import Weigh, coverage, searched_text

# The shorter of the two sentences shares so much of its weighted content terms with the longer one.
SAME_CONTENT = 0.6
_PART_END = re.compile(r"[,，;；。]|(?<!\d)\.(?!\d)")
# A rule for the common case stands beside its exceptions, and does not contradict them.
_GENERAL = re.compile(
    r"一般|原则上|通常|正常情况|\b(?:generally|normally|usually|as a rule|in principle)\b", re.IGNORECASE
)


def difference_in_other_words(question: QuestionAnalysis, mine: Unit, theirs: Unit, weigh: Weigh) -> Difference | None:
    """Another value of the wanted kind and unit in a sentence of another document about the same.

    Each sentence must hold only one such value: of several it is not known which one answers.
    """
    wanted = wanted_values(question)
    if wanted is None or mine.source.document.doc_id == theirs.source.document.doc_id:
        return None
    texts = searched_text(mine), searched_text(theirs)
    own, foreign = (_only_value(question, text, wanted.first) for text in texts)
    if own is None or foreign is None or own.value.kind is not foreign.value.kind:
        return None
    if own.value.unit != foreign.value.unit or can_both_hold(own, foreign) or not are_comparable(own, foreign):
        return None
    if not _is_about_the_same(question, *texts, weigh):
        return None
    if not all(_is_said_nearby(question, stated) for stated in (own, foreign)):
        return None
    return Difference(Answer(own.value.raw, (own,)), Answer(foreign.value.raw, (foreign,)))


def of_kinds(question: QuestionAnalysis, found: Sequence[Value], kinds: frozenset[ValueKind]) -> list[Value]:
    """The values of some kinds that the question does not state itself; early years are read as dates."""
    asked = {value.key for value in question.values}
    read = [as_year(value) for value in found] if ValueKind.DATE in kinds else found
    return [value for value in read if value.kind in kinds and value.key not in asked]


def _only_value(question: QuestionAnalysis, text: str, kinds: frozenset[ValueKind]) -> Stated | None:
    found = {value.key: value for value in of_kinds(question, values(text), kinds)}
    return Stated(next(iter(found.values())), fold_widths(text)) if len(found) == 1 else None


def _is_about_the_same(question: QuestionAnalysis, mine: str, theirs: str, weigh: Weigh) -> bool:
    one, other = content_terms(mine), content_terms(theirs)
    if not one or not other or denials(mine) % 2 != denials(theirs) % 2:
        return False
    if not question.focus_terms & terms(mine) <= terms(theirs):
        return False
    if bool(_GENERAL.search(mine)) != bool(_GENERAL.search(theirs)):
        return False
    return max(coverage(one, other, weigh), coverage(other, one, weigh)) >= SAME_CONTENT


def _is_said_nearby(question: QuestionAnalysis, stated: Stated) -> bool:
    """Whether a part of the sentence next to the value speaks of what is asked for."""
    value, text = stated
    ends = [match.start() for match in _PART_END.finditer(text)]
    before = [end for end in ends if end < value.start]
    behind = [end for end in ends if end >= value.end]
    start, end = before[-2] if len(before) > 1 else 0, behind[1] if len(behind) > 1 else len(text)
    return bool((question.focus_terms or question.terms) & terms(text[start:end]))
