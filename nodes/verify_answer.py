"""Checks the draft sentence by sentence against what it cites: by rules, and a model's word on close paraphrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, cast

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import DecidedBy
from ..errors import BudgetExceededError, ModelError
from ..knowledge.evidence.check import SUPPORT, check_answer
from ..knowledge.evidence.conclusion_check import check_conclusion
from ..knowledge.evidence.models import Evidence, Fault, SentenceCheck
from ..knowledge.text.counting import counted
from ..prompts.loader import Language
from ..state import AgentState, Draft
from .by_model.entail import Claim, entailed_by_model
from .recording import Step, open_step

# A paraphrase that shares less of its words with its source is none.
_CLOSE = 0.35
_UNRELATED: dict[Language, str] = {
    "zh": "双方约定由第三方代为保管全部钥匙。",
    "en": "The parties agree that a third party keeps all of the keys.",
}
_DIGIT = re.compile(r"[0-9]")


def verify_answer(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """A verdict for every sentence; what a rule computed is computed once more."""
    step = open_step(state, runtime, "verify_answer")
    evidence = state.get("evidence", ())
    draft = cast(Draft, state["draft"])
    checks = check_draft(draft, evidence)
    judged = _entailed(checks, draft, step, cast(Language, state["analysis"].language))
    record = step.close(
        action="check",
        observation=f"{sum(check.supported for check in judged)} of {counted(len(judged), 'sentence')} supported",
        decided_by=DecidedBy.RULES if judged == checks else DecidedBy.LIGHT,
    )
    return {"checks": judged, "steps": (record,)}


def check_draft(draft: Draft, evidence: tuple[Evidence, ...]) -> tuple[SentenceCheck, ...]:
    """Check a draft: conclusions by computing them again, quotes by their place, a written one sentence by sentence."""
    concluded = tuple(check_conclusion(conclusion, evidence) for conclusion in draft.conclusions)
    if draft.checks:
        texts = {item.block.block_id: item.block.text for item in evidence}
        return (*concluded, *(_check_quotes(check, texts) for check in draft.checks))
    written = check_answer([(sentence.text, sentence.markers) for sentence in draft.sentences], evidence)
    return (*concluded, *written)


def _check_quotes(check: SentenceCheck, texts: dict[str, str]) -> SentenceCheck:
    wrong = [
        quote
        for quote in check.quotes
        if texts.get(quote.block_id, "")[quote.span.start : quote.span.end] != quote.text or not quote.text
    ]
    if not wrong and check.quotes:
        return check
    fault = Fault(kind="not_in_source", detail=wrong[0].text if wrong else check.text)
    return check.model_copy(update={"supported": False, "faults": (fault,)})


def is_close_paraphrase(check: SentenceCheck) -> bool:
    """Whether the only fault is that too few words are the source's own: values and denials agree."""
    kinds = {fault.kind for fault in check.faults}
    return (
        kinds == {"not_in_source"} and len(check.faults) == 1 and bool(check.quotes) and _CLOSE <= check.score < SUPPORT
    )


def _entailed(
    checks: tuple[SentenceCheck, ...], draft: Draft, step: Step, language: Language
) -> tuple[SentenceCheck, ...]:
    close = [check for check in checks if is_close_paraphrase(check)]
    if step.models is None or draft.decided_by is DecidedBy.RULES or not close:
        return checks
    claims = [Claim(check.text, "\n".join(quote.text for quote in check.quotes)) for check in close]
    controls = list(false_claims(claims[0], language))
    # In an order that no habit of a judge (yes to the first, no to the last) can fit.
    shown = sorted((*claims, *controls), key=lambda claim: sha256(claim.text.encode()).digest())
    try:
        said = dict(zip(shown, entailed_by_model(shown, language, step.models), strict=False))
    except (ModelError, BudgetExceededError):
        return checks
    if any(said.get(control, True) for control in controls):
        return checks  # who takes a false claim for supported proves nothing by calling others so
    return _with_words(checks, [check for check, claim in zip(close, claims, strict=True) if said.get(claim)])


def false_claims(claim: Claim, language: Language) -> Iterator[Claim]:
    """Claims that the quote surely does not support, to find out whether a judge can tell."""
    yield Claim(_UNRELATED[language], claim.quote)
    twisted = _DIGIT.sub(lambda digit: str((int(digit.group()) + 1) % 10), claim.quote)
    if twisted != claim.quote:
        yield Claim(twisted, claim.quote)


def _with_words(checks: Sequence[SentenceCheck], supported: Sequence[SentenceCheck]) -> tuple[SentenceCheck, ...]:
    return tuple(
        check.model_copy(update={"supported": True, "faults": ()}) if check in supported else check for check in checks
    )
