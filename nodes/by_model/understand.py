"""What a question asks for, by a light model: its type, its parts, and how their answers combine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from ...configs.model_settings import Tier
from ...decisions import DecidedBy, Understanding
from ...errors import ModelError
from ...knowledge.evidence.terms import question_terms
from ...knowledge.questions.models import MOST_PARTS, Combination, Decomposition, QuestionType, SubQuestion
from ...knowledge.text.normalise import normalise
from ...knowledge.text.values import find_values
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language
from .lenient import LenientReply, Text, TextOrNothing, listed, reading
from .other_names import COMBINATIONS, QUESTION_TYPES
from .prompting import one_line, prompt_for

_REFERENCE = re.compile(r"[{｛]\s*[qQ]?(\d{1,2})\s*[}｝]")
# A part must be about the question; weak models copy the example instead. What is asked may be put in other words
# (哪个更重: 重量), so only a part of them must be the question's own.
_OWN_WORDS = 0.25

_COMPARED = frozenset(
    {
        Combination.CONTRAST,
        Combination.LARGER,
        Combination.SMALLER,
        Combination.EARLIER,
        Combination.LATER,
        Combination.DIFFERENCE,
    }
)
_OF_SEVERAL = _COMPARED | {Combination.LIST, Combination.CHAIN}


def _unwrapped(value: Any) -> Any:
    """A part that came as an object is its question."""
    if isinstance(value, dict):
        return next((value[name] for name in ("text", "question", "part", "问题") if name in value), value)
    return value


def _as_list(value: Any) -> Any:
    if isinstance(value, dict):
        return list(value.values())
    return [value] if isinstance(value, str) else value


_Part = Annotated[Text, Field(min_length=1), BeforeValidator(_unwrapped)]


class UnderstandReply(LenientReply):
    """The type of a question, its parts, and how their answers combine."""

    question_type: Annotated[QuestionType, BeforeValidator(reading(QuestionType, QUESTION_TYPES)), listed(QuestionType)]
    combination: Annotated[Combination, BeforeValidator(reading(Combination, COMBINATIONS)), listed(Combination)]
    parts: Annotated[list[_Part], BeforeValidator(_as_list)] = Field(min_length=1, max_length=MOST_PARTS)
    subjects: Annotated[list[TextOrNothing], BeforeValidator(_as_list)] = Field(default_factory=list)

    @model_validator(mode="after")
    def _refers_back_only(self) -> Self:
        for number, part in enumerate(self.parts, start=1):
            if any(not 1 <= other < number for other in _references(part)):
                raise ValueError(f"part {number} may refer to earlier parts only, as {{q1}} to the first")
        return self


def _references(part: str) -> list[int]:
    return [int(found) for found in _REFERENCE.findall(part)]


def understand_messages(question: str, language: Language) -> list[Message]:
    """The prompt for taking a question apart."""
    return prompt_for("understand", language, question=one_line(question))


def understanding_of(reply: UnderstandReply, question: str) -> Understanding:
    """The understanding that a reply stands for.

    Raises:
        ModelError: a part asks for something else than the question, or what it compares is not in the question.
    """
    parts = _distinct(reply.parts)
    for part in parts:
        if not _is_about(part, question):
            raise ModelError(f"the model's part {part!r} is not in the question")
    if reply.combination in _COMPARED and not all(_is_named(subject, question) for subject in reply.subjects):
        raise ModelError("the model compares what the question does not name")
    if len(parts) == 1 and not _references(parts[0]):
        parts = [question]
    return Understanding(
        standalone=question,
        decomposition=Decomposition(
            question_type=_fitting_type(reply.question_type, reply.combination, len(parts)),
            combination=_fitting_combination(reply.combination, parts),
            parts=tuple(_sub_question(n, part, reply.subjects, question) for n, part in enumerate(parts, start=1)),
        ),
        decided_by=DecidedBy.LIGHT,
    )


def _distinct(parts: Sequence[str]) -> list[str]:
    """The parts without repetitions; with references between them every part keeps its number."""
    if any(_references(part) for part in parts):
        return list(parts)
    return list({normalise(part): part for part in reversed(parts)}.values())[::-1]


def _is_about(part: str, question: str) -> bool:
    """Whether a part shares words with the question, and names no number, date or id that the question does not."""
    text = _REFERENCE.sub(" ", part)
    if not {value.key for value in find_values(text)} <= {value.key for value in find_values(question)}:
        return False
    own = question_terms(text)
    return not own or len(own & question_terms(question)) >= _OWN_WORDS * len(own)


def _fitting_type(said: QuestionType, combination: Combination, parts: int) -> QuestionType:
    if parts == 1 or said is not QuestionType.SINGLE_HOP:
        return said
    chained = combination in (Combination.LIST, Combination.CHAIN, Combination.SINGLE)
    return QuestionType.MULTI_HOP if chained else QuestionType.COMPARISON


def _fitting_combination(said: Combination, parts: Sequence[str]) -> Combination:
    if len(parts) == 1:
        return Combination.SINGLE if said in _OF_SEVERAL else said
    if said not in (Combination.SINGLE, Combination.LIST, Combination.CHAIN):
        return said
    return Combination.CHAIN if any(_references(part) for part in parts) else Combination.LIST


def _sub_question(number: int, part: str, subjects: Sequence[str], question: str) -> SubQuestion:
    subject = subjects[number - 1] if number <= len(subjects) else ""
    return SubQuestion(
        id=f"q{number}",
        text=_REFERENCE.sub(r"{q\1}", part),
        subject=subject if _is_named(subject, question) else "",
        depends_on=tuple(dict.fromkeys(f"q{other}" for other in _references(part))),
    )


def _is_named(subject: str, question: str) -> bool:
    """Whether the question names a subject, be it in pieces: 手册2025版 in 手册2023版和2025版."""
    return normalise(subject) in normalise(question) or question_terms(subject) <= question_terms(question)


def understand_by_model(question: str, language: Language, access: ModelAccess) -> Understanding:
    """What a question asks for, in at most six parts that each stand alone.

    Raises:
        ModelError: no usable reply, or one that is not about the question.
        BudgetExceededError: the call does not fit.
    """
    messages = understand_messages(question, language)
    reply = access.structured(messages, UnderstandReply, tier=Tier.LIGHT, language=language)
    return understanding_of(reply, question)
