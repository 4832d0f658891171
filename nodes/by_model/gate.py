"""The scores of the gate (S2 §2.2) by a light model."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from ...configs.model_settings import Tier
from ...knowledge.questions.models import GateScores
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language
from .lenient import LenientReply, Number, TextOrNothing
from .prompting import one_line, prompt_for

_LOWEST, _HIGHEST = 0, 10


def _within(score: int) -> int:
    return min(max(score, _LOWEST), _HIGHEST)


Score = Annotated[Number, AfterValidator(_within)]


class GateReply(LenientReply):
    """Three scores from 0 to 10."""

    reason: TextOrNothing = ""
    complexity: Score
    sources: Score
    stakes: Score


def gate_messages(question: str, language: Language) -> list[Message]:
    """The prompt for the scores of a question."""
    return prompt_for("gate", language, question=one_line(question))


def scores_of(reply: GateReply) -> GateScores:
    """The scores of a reply."""
    reasons = (reply.reason,) if reply.reason else ()
    return GateScores(complexity=reply.complexity, sources=reply.sources, stakes=reply.stakes, reasons=reasons)


def score_by_model(question: str, language: Language, access: ModelAccess) -> GateScores:
    """How complex a question is, how many sources it needs, what a wrong answer costs.

    Raises:
        ModelError: no usable reply.
        BudgetExceededError: the call does not fit.
    """
    return scores_of(
        access.structured(gate_messages(question, language), GateReply, tier=Tier.LIGHT, language=language)
    )
