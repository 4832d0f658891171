"""Questions that ask for several facts, and how an answer to one is judged.

Fully right means: every fact of `all_of` and the computed value stand in the text; where one side of a comparison
wins, a sentence says so; nothing of `not_in_answer` stands there, unless the answer is marked as a conflict; where
only a part can be answered, something is reported missing; where nothing can, the answer refuses. A question with
a reference answer instead of facts is right if all numbers and dates that the reference adds to the question stand
in the text, or, where it adds none, half of its other terms.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from answers import Case, has_place
from facts import (
    Fact,
    comparing_sentences,
    concludes,
    first_place,
    missing_facts,
    reference_values,
    states,
    states_values,
    term_recall,
)
from pydantic import BaseModel, ConfigDict
from routes import Asked
from veriloop import Answer

ENOUGH_TERMS = 0.5
_COMPARING_TYPES = frozenset({"multi_doc_compare", "multi_doc_time"})
_FILE_NUMBER = re.compile(r"^\d+\s+")


class Computed(BaseModel):
    """A value that follows from values of the documents; `values` are its accepted spellings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    operation: Literal["difference", "sum", "days", "count"]
    operands: tuple[str, ...]
    values: Fact


class MultiPartCase(Case):
    """One line of a question file with the facts that the answer must and must not state."""

    all_of: tuple[Fact, ...] = ()
    not_in_answer: Fact = ()
    computed: Computed | None = None
    winner: Fact = ()
    losers: Fact = ()
    current: Fact = ()
    missing: tuple[str, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that must stand in the text."""
        return (*self.all_of, self.computed.values) if self.computed else self.all_of

    @property
    def is_partly_answerable(self) -> bool:
        """Whether some of the asked facts are in the documents and others are not."""
        return self.answerable and bool(self.missing)


class Outcome(NamedTuple):
    """What became of one case; shares from 0 to 1, None where a measure does not apply."""

    case: MultiPartCase
    asked: Asked
    right: bool
    facts: float | None
    all_cited: bool | None
    any_cited: bool | None
    places: float | None
    conflict: bool | None
    current: bool | None
    concluded: bool | None
    refused: bool


def judge(case: MultiPartCase, asked: Asked) -> Outcome:
    """Judge the answer to one question."""
    answer = asked.answer
    cited = [_is_cited(name, answer) for name in case.documents] if case.answerable else []
    facts, concluded = _facts_found(case, answer.text), _concluded(case, answer.text)
    is_refused = answer.status.value == "insufficient"
    return Outcome(
        case=case,
        asked=asked,
        right=_is_right(case, answer, facts, concluded),
        facts=facts,
        all_cited=all(cited) if cited else None,
        any_cited=any(cited) if cited else None,
        places=_places_cited(case, answer),
        conflict=_shows_conflict(case, answer) if case.type == "conflict" else None,
        current=states(answer.text, case.current) if case.current else None,
        concluded=concluded,
        refused=is_refused,
    )


def _is_right(case: MultiPartCase, answer: Answer, facts: float | None, concluded: bool | None) -> bool:
    if states_wrong(case, answer):
        return False
    if not case.answerable:
        return answer.status.value == "insufficient"
    if not case.all_of:
        return facts is not None and facts >= (1 if _has_values(case) else ENOUGH_TERMS)
    if case.is_partly_answerable and not (answer.missing or answer.status.value == "partial"):
        return False
    return facts == 1 and concluded is not False


def states_wrong(case: MultiPartCase, answer: Answer) -> bool:
    """Whether a wrong value stands in an answer that is not marked as a conflict."""
    return answer.status.value != "conflict" and any(states(answer.text, (wrong,)) for wrong in case.not_in_answer)


def _facts_found(case: MultiPartCase, text: str) -> float | None:
    """Share of the facts in the text; of the reference's values or, where it adds none, of its terms."""
    if not case.answerable:
        return None
    if case.facts:
        return 1 - len(missing_facts(text, case.facts)) / len(case.facts)
    if not case.answers:
        return None
    if values := reference_values(case.answers[0], case.question):
        return states_values(text, values) / len(values)
    return term_recall(text, case.answers[0], case.question)


def _has_values(case: MultiPartCase) -> bool:
    return bool(case.answers) and bool(reference_values(case.answers[0], case.question))


def _concluded(case: MultiPartCase, text: str) -> bool | None:
    winner, losers = (case.winner, case.losers) if case.winner else _compared_names(case)
    return concludes(text, winner, losers, case.question) if winner else None


def _compared_names(case: MultiPartCase) -> tuple[Fact, Fact]:
    """Winner and losers by the reference answer: who its comparing sentence names first, if documents bear names."""
    if case.type not in _COMPARING_TYPES or not case.answers:
        return (), ()
    names = [_FILE_NUMBER.sub("", document.rsplit(".", 1)[0]).strip(". ") for document in case.documents]
    for sentence in comparing_sentences(case.answers[0]):
        placed = [(place, name) for name in names if (place := first_place(sentence, (name,))) is not None]
        if len(placed) == len(names) or len(placed) == 1:
            winner = min(placed)[1]
            return (winner,), tuple(name for name in names if name != winner)
    return (), ()


def _is_cited(document: str, answer: Answer) -> bool:
    stem = document.rsplit(".", 1)[0]
    return any(stem in citation.document for citation in answer.citations)


def _places_cited(case: MultiPartCase, answer: Answer) -> float | None:
    """Share of the quoted pieces of evidence that a citation shows."""
    if not case.answerable or not case.evidence:
        return None
    shown = [has_place(case.model_copy(update={"evidence": (piece,)}), answer) for piece in case.evidence]
    return sum(shown) / len(shown)


def _shows_conflict(case: MultiPartCase, answer: Answer) -> bool:
    return answer.status.value == "conflict" or not missing_facts(answer.text, case.all_of)
