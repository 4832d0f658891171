"""Writes the answer from numbered evidence: by a model where one is configured, else by quoting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from langgraph.runtime import Runtime

from ..configs.model_settings import Tier
from ..context import Context
from ..decisions import DecidedBy, Plan
from ..errors import BudgetExceededError, ModelError
from ..knowledge.evidence.models import Evidence
from ..knowledge.evidence.question import QuestionAnalysis, asked_for
from ..knowledge.text.counting import counted
from ..knowledge.text.normalise import normalise
from ..knowledge.text.values import ValueKind
from ..models.answer_reply import AnswerReply, answer_messages, parse_answer_reply
from ..models.messages import Message
from ..models.tokens import estimate_prompt
from ..state import AgentState, Draft, DraftSentence, Language
from .evidence import evidence_of, interleaved, results_of
from .extract import quoted_draft, why_quoted
from .passages import PLANS, shown
from .recording import Step, open_step

# A longer answer than this is no answer to one question.
_MOST_SENTENCES = 20
# A model's own doubt is not asked for: a draft that passes the check is as sure as the check is.
_MODEL_CONFIDENCE = 0.8


def answer(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Draft an answer within the run's budget; a failure becomes part of the draft, never an exception."""
    step = open_step(state, runtime, "answer")
    composed = quoted_draft(state)
    # Which side of a conflict is right, what holds in which domain, and arithmetic, are no matters of wording.
    decided = composed.shows_conflict or composed.names_domains or (composed.conclusions and not composed.sentences)
    by_rules = step.models is None or decided or names_unknown(state["analysis"], state.get("evidence", ()))
    if by_rules:
        draft = composed
    else:
        step.take()
        draft = _written(state, step)
        draft = draft.model_copy(update={"conclusions": composed.conclusions, "conflicts": composed.conflicts})
    record = step.close(
        action="answer",
        observation=draft.failure or counted(len(draft.sentences), "sentence"),
        decided_by=draft.decided_by,
        notes=why_quoted(state, draft) if by_rules else (),
    )
    return {"draft": draft, "steps": (record,)}


def names_unknown(question: QuestionAnalysis, evidence: Sequence[Evidence]) -> bool:
    """Whether the question names a model or contract number that no evidence holds: a model would answer of another."""
    wanted = [normalise(value.raw) for value in question.values if value.kind is ValueKind.IDENTIFIER]
    held = normalise("\n".join(f"{item.document.search_title}\n{item.block.text}" for item in evidence))
    return any(name not in held for name in wanted)


def _written(state: AgentState, step: Step) -> Draft:
    models = step.models
    assert models is not None  # asked by `answer`
    language = cast(Language, state["analysis"].language)
    output_limit = step.given.settings.answer.max_output_tokens
    try:
        room = min(step.tokens_left(), models.window(Tier.STRONG)) - output_limit
        messages = _fitting_prompt(state, language, room)
        reply = models.complete(messages, tier=Tier.STRONG, max_tokens=output_limit)
    except (ModelError, BudgetExceededError) as error:
        return Draft(decided_by=DecidedBy.STRONG, failure=str(error))
    return draft_of(parse_answer_reply(reply.text), state["analysis"])


def _fitting_prompt(state: AgentState, language: Language, room: int) -> list[Message]:
    """The prompt with as much evidence as fits into `room` tokens; the sparsest where nothing fits."""
    evidence = _by_promise(state)
    messages: list[Message] = []
    for plan in PLANS:
        numbers = [item.marker for item in evidence[: plan.blocks]]
        messages = answer_messages(state["understanding"].standalone, shown(evidence, plan), language, numbers)
        if estimate_prompt(messages) <= room:
            break
    return messages


def _by_promise(state: AgentState) -> Sequence[Evidence]:
    """The best evidence of each sub-question first, so that what fits into a prompt bears on all of them."""
    plan, results, evidence = cast(Plan, state["plan"]), results_of(state), state.get("evidence", ())
    return interleaved([evidence_of(task.id, results, evidence) for task in plan.tasks]) or evidence


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
