"""How far evidence answers sub-questions, by a light model: all that rules are unsure about in one call.

The judge answers first, in the words of the evidence, and then says how far that goes: weak models find words that
answer far better than they judge. Words that are not in the evidence answer nothing, whatever it says of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field

from ...configs.model_settings import Tier
from ...decisions import Sufficiency
from ...errors import ModelError
from ...knowledge.text.normalise import normalise
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence
from .lenient import LenientReply, Number, TextOrNothing, listed, reading
from .other_names import SUFFICIENCIES
from .prompting import fenced, prompt_for

_DIGITS = re.compile(r"\d+")
# Of 100: letters and digits of the answer that stand in one stretch of the evidence.
_ALIKE = 85
_SAYABLE = (Sufficiency.ANSWERED, Sufficiency.PARTLY, Sufficiency.MISSING)


def _sayable(word: Sufficiency) -> Sufficiency:
    if word not in _SAYABLE:
        raise ValueError(f"a judge may say {', '.join(_SAYABLE)}")
    return word


_Sufficiency = Annotated[
    Sufficiency,
    BeforeValidator(reading(Sufficiency, SUFFICIENCIES)),
    AfterValidator(_sayable),
    listed(_SAYABLE),
]


class JudgedQuestion(NamedTuple):
    """A sub-question and what was found for it, best first."""

    question: str
    passages: Sequence[str]


class Judgement(NamedTuple):
    """A model's word on one sub-question; `missing` names what is not answered, empty where nothing is."""

    sufficiency: Sufficiency
    missing: str = ""


class JudgedReply(LenientReply):
    """The word on one question."""

    number: Number
    answer: TextOrNothing = ""
    sufficiency: _Sufficiency
    missing: TextOrNothing = ""


class JudgeReply(LenientReply):
    """One verdict for each question."""

    verdicts: list[JudgedReply] = Field(min_length=1)


def judge_messages(questions: Sequence[JudgedQuestion], language: Language) -> list[Message]:
    """The prompt that shows each question with its evidence; a question may hold names out of documents."""
    cases = "\n\n".join(_case(number, case, language) for number, case in enumerate(questions, start=1))
    return prompt_for("judge", language, cases=cases, count=str(len(questions)))


def _case(number: int, case: JudgedQuestion, language: Language) -> str:
    question, passage = ("问题", "资料") if language == "zh" else ("Question", "Passage")
    return f"{fence(case.question, f'{question} {number}')}\n{fenced(case.passages, language, f'{passage} ')}"


def judgements_of(reply: JudgeReply, questions: Sequence[JudgedQuestion]) -> list[Judgement]:
    """The judgements of a reply, in the order of the questions.

    Raises:
        ModelError: a question has no verdict, or one that does not fit the words that it points at.
    """
    by_number = {verdict.number: verdict for verdict in reply.verdicts}
    if len(questions) == 1:
        by_number = {1: reply.verdicts[0]}
    if any(number not in by_number for number in range(1, len(questions) + 1)):
        raise ModelError(f"the judge gave no verdict on some of {len(questions)} sub-questions")
    return [_judgement(by_number[number], case) for number, case in enumerate(questions, start=1)]


def _judgement(verdict: JudgedReply, case: JudgedQuestion) -> Judgement:
    found = _stands_in(verdict.answer, case.passages)
    says_missing = verdict.sufficiency is Sufficiency.MISSING
    if found is says_missing:
        raise ModelError("the judge's verdict does not fit the words that it points at")
    if says_missing:
        return Judgement(Sufficiency.MISSING, verdict.missing)
    # What is named as missing decides: weak models say "partly" of whole answers, and "answered" of halves.
    return Judgement(Sufficiency.PARTLY if verdict.missing else Sufficiency.ANSWERED, verdict.missing)


def _bare(text: str) -> str:
    return "".join(character for character in normalise(text) if character.isalnum())


def _stands_in(answer: str, passages: Sequence[str]) -> bool:
    """Whether one of the passages holds the words of an answer.

    Models leave out and alter a little where they quote; a number that they alter is another number.
    """
    return bool(_bare(answer)) and any(_holds(passage, answer) for passage in passages)


def _holds(passage: str, answer: str) -> bool:
    from rapidfuzz.fuzz import partial_ratio  # noqa: PLC0415 – only where a model judges

    numbers = set(_DIGITS.findall(normalise(answer)))
    if not numbers <= set(_DIGITS.findall(normalise(passage))):
        return False
    words, text = _bare(answer), _bare(passage)
    return words in text or (len(words) <= len(text) and partial_ratio(words, text) >= _ALIKE)


def judge_by_model(questions: Sequence[JudgedQuestion], language: Language, access: ModelAccess) -> list[Judgement]:
    """How far each question is answered by its evidence, in one call: answered, partly or missing.

    Raises:
        ModelError: no usable reply. A failed judge is not a bad answer: what the rules found stands.
        BudgetExceededError: the call does not fit.
    """
    if not questions:
        return []
    messages = judge_messages(questions, language)
    return judgements_of(access.structured(messages, JudgeReply, tier=Tier.LIGHT, language=language), questions)
