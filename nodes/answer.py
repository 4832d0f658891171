"""Writes the answer from numbered evidence: by a model where one is configured, else by quoting."""

from __future__ import annotations

from typing import Any, cast

from langgraph.runtime import Runtime

from ..configs.model_settings import Tier
from ..context import Context, resources
from ..errors import BudgetExceededError, ModelError
from ..knowledge.evidence.question import QuestionAnalysis, asked_for
from ..models.answer_reply import AnswerReply, answer_messages, parse_answer_reply
from ..models.budget import Budget
from ..models.chat import ModelTiers
from ..models.messages import Message
from ..models.tokens import estimate_prompt
from ..state import AgentState, DecidedBy, Draft, DraftSentence, Language
from .extract import quoted_draft
from .metering import open_budget
from .passages import PLANS, shown

# Kept back from the model's time: quoting instead, checking and delivering take well under a second.
_LANDING_SECONDS = 1.5
# A longer answer than this is no answer to one question.
_MOST_SENTENCES = 20
# A model's own doubt is not asked for: a draft that passes the check is as sure as the check is.
_MODEL_CONFIDENCE = 0.8


def answer(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Draft an answer within the run's budget; a failure becomes part of the draft, never an exception."""
    models = resources(runtime).models
    budget = open_budget(state)
    if models is None:
        return {"draft": quoted_draft(state, runtime), "usage": budget.usage()}
    limits = state["limits"]
    early = limits.model_copy(update={"seconds": max(0.0, limits.seconds - _LANDING_SECONDS)})
    meter = Budget(early, spent=state["usage"])
    output_limit = resources(runtime).settings.answer.max_output_tokens
    draft = _ask(state, models, meter, output_limit)
    usage = meter.usage()
    return {"draft": draft, "usage": usage.model_copy(update={"steps": usage.steps + 1})}


def _ask(state: AgentState, models: ModelTiers, meter: Budget, output_limit: int) -> Draft:
    language = cast(Language, state["analysis"].language)
    try:
        model = models.get(Tier.STRONG)
        room = min(meter.tokens_left(), model.settings.context_window) - output_limit
        messages = _fitting_prompt(state, language, room)
        reply = models.complete(messages, budget=meter, tier=Tier.STRONG, max_tokens=output_limit)
    except (ModelError, BudgetExceededError) as error:
        return Draft(decided_by=DecidedBy.STRONG, failure=str(error))
    return draft_of(parse_answer_reply(reply.text), state["analysis"])


def _fitting_prompt(state: AgentState, language: Language, room: int) -> list[Message]:
    """The prompt with as much evidence as fits into `room` tokens; the sparsest where nothing fits."""
    messages: list[Message] = []
    for plan in PLANS:
        messages = answer_messages(state["analysis"].text, shown(state["evidence"], plan), language)
        if estimate_prompt(messages) <= room:
            break
    return messages


def draft_of(reply: AnswerReply, question: QuestionAnalysis) -> Draft:
    """A model's reply as a draft: each sentence once, and of what it calls missing only what was asked for.

    A reply that says nothing at all is a failure of the model, not a statement about the documents.
    """
    sentences = [DraftSentence(text=s.text, markers=s.markers) for s in dict.fromkeys(reply.sentences)]
    missing = tuple(item for item in reply.missing if asked_for(item, question))
    if not sentences and not missing:
        return Draft(decided_by=DecidedBy.STRONG, failure="the model's reply holds no answer")
    return Draft(
        sentences=tuple(sentences[:_MOST_SENTENCES]),
        missing=missing,
        confidence=_MODEL_CONFIDENCE if reply.sentences else 0.0,
        decided_by=DecidedBy.STRONG,
    )
