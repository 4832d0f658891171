"""Has refused sentences written once more from the passages that they cite; what fails again is removed."""

from __future__ import annotations

from typing import Any, cast

from langgraph.runtime import Runtime

from ..context import Context
from ..errors import BudgetExceededError, ModelError
from ..knowledge.evidence.models import Evidence, SentenceCheck
from ..models.answer_reply import AnsweredSentence
from ..prompts.loader import Language
from ..state import AgentState, Draft, DraftSentence
from .by_model.rewrite import RefusedSentence, rewrite_by_model
from .passages import readable_part
from .recording import Step, open_step

_PASSAGE_CHARACTERS = 900
_MOST_REWRITTEN = 4


def rewrite(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """The draft with its refused sentences written anew; without them where the model has nothing better."""
    step = open_step(state, runtime, "rewrite")
    draft = cast(Draft, state["draft"])
    step.take()
    written = _written(state, draft, step)
    kept = _supported(draft, state["checks"])
    sentences = (*kept, *(DraftSentence(text=s.text, markers=s.markers) for s in written if s.markers))
    changed = draft.model_copy(update={"sentences": sentences, "rewritten": True})
    record = step.close(
        action="rewrite", observation=f"{len(written)} sentences instead of {len(draft.sentences) - len(kept)}"
    )
    # Where nothing was written anew the old sentences stay, to be removed and reported.
    return {"draft": changed if written else draft.model_copy(update={"rewritten": True}), "steps": (record,)}


def _supported(draft: Draft, checks: tuple[SentenceCheck, ...]) -> tuple[DraftSentence, ...]:
    good = {check.text for check in checks if check.supported}
    return tuple(sentence for sentence in draft.sentences if sentence.text in good)


def _written(state: AgentState, draft: Draft, step: Step) -> tuple[AnsweredSentence, ...]:
    if step.models is None:
        return ()
    sources = {item.marker: item for item in state.get("evidence", ())}
    markers = {sentence.text: sentence.markers for sentence in draft.sentences}
    refused = [check for check in state["checks"] if not check.supported and check.text in markers][:_MOST_REWRITTEN]
    passages = [
        (number, _passage(sources[number]))
        for number in dict.fromkeys(n for check in refused for n in markers[check.text])
        if number in sources
    ]
    if not passages:
        return ()
    items = [RefusedSentence(check.text, tuple(f"{f.kind}: {f.detail}" for f in check.faults)) for check in refused]
    try:
        return rewrite_by_model(
            items,
            passages,
            question=state["understanding"].standalone,
            language=cast(Language, state["analysis"].language),
            access=step.models,
        ).sentences
    except (ModelError, BudgetExceededError):
        return ()


def _passage(source: Evidence) -> str:
    return readable_part(source, _PASSAGE_CHARACTERS)
