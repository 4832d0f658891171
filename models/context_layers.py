"""The four layers of a step's context, fitted to a model's window (S2 §4, design §8). Pure: nothing is asked here.

*System* and *task* are kept whole. *Reasoning* keeps its last three steps in full; older ones become one-line
summaries. *Observation* holds the spans that bear on the open sub-questions, in source order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..errors import BudgetExceededError, ModelError
from ..prompts.loader import Language, fence, load_prompt, render
from .messages import Message
from .step_summary import ReasoningStep, accepted, fifth_of, summary_of
from .tokens import estimate_prompt

__all__ = ["Layers", "ObservedSpan", "ReasoningStep", "Summariser", "compose"]

FULL_STEPS = 3
"""Steps that stand in full (S2 §4.2)."""
COMPRESS_FROM = 0.6
"""Share of the window from which on the prompt is compressed (S2 §4.3)."""
_SUMMARY_CHARACTERS = 160

Summariser = Callable[[ReasoningStep, int], str]
"""Summarises a step in one line of at most so many characters; may raise `ModelError` or `BudgetExceededError`."""


class ObservedSpan(NamedTuple):
    """A stretch of a document that a step brought to light."""

    marker: int
    """The number in [1]."""
    source: str
    """The document's name, with its section where there is one."""
    date: str
    """The date or edition of the document; empty where it is unknown."""
    round: int
    """The round in which it was found, from 1."""
    text: str
    position: int | None = None
    """Where in its document it stands; None: the spans come in source order already."""
    relevance: float = 0.0
    """How much it bears on the open sub-questions, higher is more; comparable within one prompt only."""
    bears_on: frozenset[str] = frozenset()
    """Ids of the sub-questions that it bears on; empty: it was chosen for those that are open."""


class Layers(NamedTuple):
    """What a step may be told, not yet fitted."""

    system: str
    task: str
    reasoning: Sequence[ReasoningStep] = ()
    observations: Sequence[ObservedSpan] = ()
    open_questions: frozenset[str] = frozenset()


class _Cuts(NamedTuple):
    """How much is taken away: steps shortened to a fifth, spans left out, steps left out; earliest or weakest first."""

    shortened: int = 0
    spans: int = 0
    steps: int = 0


def compose(
    layers: Layers,
    *,
    language: Language,
    window_tokens: int,
    output_limit: int,
    summarise: Summariser | None = None,
) -> list[Message]:
    """The messages of a step: the system layer, then task, reasoning and observation as one.

    Up to 60 % of the window everything is sent. From there on the earliest steps go down to a fifth of their length,
    step by step; then the least relevant observations are left out, then the earliest steps. What is sent fits in
    60 % of the window and leaves room for the output, unless system and task alone do not: then they are sent alone.

    Args:
        layers: everything that may be told.
        language: of the words around it.
        window_tokens: context window of the model, in and out.
        output_limit: tokens of the reply.
        summarise: how steps are summarised, usually by a light model; what it loses or invents is replaced by the
            rule, and so is what it fails at. It is asked once for each summary of each call.
    """
    fitted = _Fitter(layers, language, summarise)
    room = min(int(window_tokens * COMPRESS_FROM), window_tokens - output_limit)
    return fitted.fit(room)


class _Fitter:
    """Cuts the lower layers until they fit."""

    def __init__(self, layers: Layers, language: Language, summarise: Summariser | None) -> None:
        self._layers = layers
        self._language: Language = language
        self._summarise = summarise
        self._spans = _bearing(layers)
        self._summaries: dict[tuple[int, int], str] = {}

    def fit(self, room: int) -> list[Message]:
        """The fullest messages that take at most `room` tokens."""
        levels = _levels(len(self._layers.reasoning), len(self._spans))
        low, high = 0, len(levels) - 1
        while low < high:
            middle = (low + high) // 2
            if estimate_prompt(self._messages(levels[middle])) <= room:
                high = middle
            else:
                low = middle + 1
        # A shorter text is not always one of fewer tokens: from here on every level is looked at.
        fitting = (found for cuts in levels[low:] if estimate_prompt(found := self._messages(cuts)) <= room)
        return next(fitting, self._messages(levels[-1]))

    def _messages(self, cuts: _Cuts) -> list[Message]:
        parts = [self._layers.task, self._reasoning(cuts), self._observations(cuts)]
        user = "\n\n".join(part for part in parts if part)
        both = (Message("system", self._layers.system), Message("user", user))
        return [message for message in both if message.text]

    def _reasoning(self, cuts: _Cuts) -> str:
        steps = self._layers.reasoning
        in_full = max(len(steps) - FULL_STEPS, cuts.shortened)
        lines = [self._summary(step, at < cuts.shortened) for at, step in enumerate(steps[:in_full])]
        blocks = [self._in_full(step) for step in steps[max(in_full, cuts.steps) :]]
        history = "\n".join(lines[cuts.steps :])
        found = []
        if history:
            found.append(self._part("context_history", lines=fence(history, "[history]")))
        if blocks:
            found.append(self._part("context_steps", steps=fence("\n".join(blocks), "[steps]")))
        return "\n\n".join(found)

    def _observations(self, cuts: _Cuts) -> str:
        weakest = sorted(range(len(self._spans)), key=lambda at: self._spans[at].relevance)[: cuts.spans]
        kept = [span for at, span in enumerate(self._spans) if at not in set(weakest)]
        if not kept:
            return ""
        return self._part("context_observations", spans="\n".join(self._span(span) for span in kept))

    def _span(self, span: ObservedSpan) -> str:
        # The name of a document is as little to be trusted as its text.
        head = self._part("context_span", source=span.source, date=span.date or "–", round=str(span.round))
        return fence(f"{head}\n{span.text}", f"[{span.marker}]")

    def _in_full(self, step: ReasoningStep) -> str:
        fields = {"thought": step.thought, "action": step.action, "observation": step.observation}
        return self._part("context_step", number=str(step.number), **fields)

    def _summary(self, step: ReasoningStep, short: bool) -> str:
        whole = len(step.text)
        limit = min(whole, _SUMMARY_CHARACTERS, fifth_of(whole) if short else whole)
        key = step.number, limit
        if key not in self._summaries:
            self._summaries[key] = f"{step.number}. {self._shortened(step, limit)}"
        return self._summaries[key]

    def _shortened(self, step: ReasoningStep, limit: int) -> str:
        by_rule = summary_of(step, limit)
        if self._summarise is None:
            return by_rule
        try:
            written = self._summarise(step, limit)
        except (ModelError, BudgetExceededError):
            return by_rule
        return written if accepted(written, by_rule, step, limit) else by_rule

    def _part(self, name: str, **fields: str) -> str:
        return render(load_prompt(name, self._language), **fields)


def _bearing(layers: Layers) -> list[ObservedSpan]:
    """The spans that bear on an open sub-question, each once, in source order."""
    spans = [span for span in layers.observations if not span.bears_on or span.bears_on & layers.open_questions]
    once = list({(span.source, span.position, span.text): span for span in spans}.values())
    if any(span.position is None for span in once):
        return once
    return sorted(once, key=lambda span: (span.source, span.position or 0))


def _levels(steps: int, spans: int) -> list[_Cuts]:
    """Every state from everything to nothing; the best span and the last step are given up at the very end."""
    levels = [_Cuts(shortened=count) for count in range(steps + 1)]
    levels += [_Cuts(steps, count) for count in range(1, spans)]
    most = max(spans - 1, 0)
    levels += [_Cuts(steps, most, count) for count in range(1, steps)]
    return [*levels, _Cuts(steps, spans, max(steps - 1, 0)), _Cuts(steps, spans, steps)]
