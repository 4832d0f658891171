"""What a planner or a reflecting model is shown of a run: the four layers, made from the state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from ..configs.model_settings import Tier
from ..decisions import Sufficiency
from ..knowledge.evidence.models import Evidence
from ..knowledge.searchable import context_of as source_line
from ..ledger import StepRecord
from ..models.context_layers import Layers, ObservedSpan, ReasoningStep, compose
from ..models.messages import Message
from ..prompts.loader import Language
from ..state import AgentState
from .evidence import evidence_of, results_of
from .passages import readable_part
from .recording import Step

_SPAN_CHARACTERS = 500
_SPANS_A_QUESTION = 3
_LEAST_WINDOW = 512
_THINKING = frozenset({"plan", "act", "verify_evidence", "reflect"})


def reasoning_of(state: AgentState) -> tuple[ReasoningStep, ...]:
    """The steps of this run that planned, acted or judged, since the present plan was made."""
    records = [record for record in state.get("steps", ()) if record.node in _THINKING]
    begun = max((at for at, record in enumerate(records) if record.rule == "replan"), default=-1) + 1
    return tuple(_step(number, record) for number, record in enumerate(records[begun:], start=1))


def _step(number: int, record: StepRecord) -> ReasoningStep:
    action = f"{record.action} {record.arguments}".strip()
    return ReasoningStep(number=number, thought=record.thought, action=action, observation=record.observation)


def observed_of(state: AgentState) -> tuple[ObservedSpan, ...]:
    """The best spans of each sub-question that is still open, in source order."""
    rounds = {hit.block.block_id: result.round for result in reversed(results_of(state)) for hit in result.hits}
    spans = dict.fromkeys(item.marker for item in _open_evidence(state))
    chosen = [item for item in state.get("evidence", ()) if item.marker in spans]
    chosen.sort(key=lambda item: (item.document.name, item.block.ordinal))
    return tuple(_span(item, rounds.get(item.block.block_id, 1)) for item in chosen)


def _open_evidence(state: AgentState) -> Iterator[Evidence]:
    evidence: Sequence[Evidence] = state.get("evidence", ())
    for verdict in state.get("verdicts", ()):
        if verdict.sufficiency is not Sufficiency.ANSWERED:
            yield from evidence_of(verdict.task_id, results_of(state), evidence)[:_SPANS_A_QUESTION]


def _span(item: Evidence, round_number: int) -> ObservedSpan:
    return ObservedSpan(
        marker=item.marker,
        source=source_line(item.document, item.block),
        date=(item.document.effective_from or item.document.updated_at.date()).isoformat(),
        round=round_number,
        text=readable_part(item, _SPAN_CHARACTERS),
    )


def context_of(state: AgentState, step: Step, *, with_evidence: bool = True) -> list[Message]:
    """The reasoning and observation layers, fitted into their share of the window of the model that plans.

    The system and task layers are the prompt's own, which every decision brings with it.
    """
    if step.models is None:
        return []
    layers = Layers(
        system="",
        task="",
        reasoning=reasoning_of(state),
        observations=observed_of(state) if with_evidence else (),
    )
    window = min(step.models.window(Tier.MID), step.tokens_left())
    return compose(
        layers,
        language=cast(Language, state["analysis"].language),
        window_tokens=max(window // 2, _LEAST_WINDOW),
        output_limit=0,
    )
