"""Chooses where the reading begins: by the question's own words and the search, or by a model from the directory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, cast
from uuid import uuid4

from langgraph.runtime import Runtime

from ...context import Context, resources
from ...decisions import DecidedBy, SubTask
from ...errors import BudgetExceededError, ModelError
from ...knowledge.evidence.question import analyse_question
from ...knowledge.library import MAX_QUERY_CHARACTERS
from ...knowledge.questions.decompose import decompose
from ...knowledge.questions.models import Decomposition
from ...knowledge.text.counting import counted
from ...knowledge.text.normalise import well_formed
from ...prompts.loader import Language
from ...reading_state import Pointer, ReadingState, ReadingStop
from ...tools.read_section import READ_SECTION
from ..recording import Step
from .by_model import starts_by_model
from .deciding import unread
from .opening import MODEL_ROOM, open_reading_step, without_tools
from .starting import found_for, in_directory, named_places

# The directory may take so much of the tokens that are left; the blocks themselves need the rest.
_DIRECTORY_SHARE = 3


def plan(state: ReadingState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Take the question apart and line up the blocks that may be read, the most promising first."""
    question = well_formed(str(state["question"] or "")).strip()[:MAX_QUERY_CHARACTERS]
    fresh = _fresh(question, resources(without_tools(runtime)).identity)
    step = open_reading_step(cast(ReadingState, {**state, **fresh, "steps": ()}), runtime, "plan")
    analysis = analyse_question(question)
    taken_apart = decompose(analysis)
    parts = _parts(taken_apart)
    waiting = _waiting(state, question, parts, step)
    asks_models = step.models is not None and step.tokens_left() >= MODEL_ROOM
    chosen, decided_by = (
        _by_model(state, question, waiting, cast(Language, analysis.language), step)
        if asks_models
        else (waiting, DecidedBy.RULES)
    )
    record = step.close(
        action="start",
        arguments={"parts": len(parts), "section": state.get("section", "")},
        observation=counted(len(chosen), "candidate block"),
        decided_by=decided_by,
    )
    return {
        **fresh,
        "question": question,
        "library_version": step.given.library.version,
        "asks_models": asks_models,
        "parts": parts,
        "combination": taken_apart.combination,
        "waiting": chosen,
        "stop": None if chosen else ReadingStop.NOTHING_FOUND,
        "steps": (record,),
    }


def _fresh(question: str, identity: str) -> dict[str, Any]:
    """What an earlier reading of the same thread has left behind makes room."""
    return {
        "trace_id": uuid4().hex,
        "asked_by": identity,
        "opened": (),
        "current": None,
        "evidence": (),
        "near": (),
        "notes": (),
        "read": (),
        "verdicts": (),
        "signals": (),
    }


def _parts(taken_apart: Decomposition) -> tuple[SubTask, ...]:
    """The sub-questions in the form in which they are judged."""
    return tuple(
        SubTask(
            id=f"t{part.id[1:]}",
            question=part.text.replace("{q", "{t"),
            subject=part.subject,
            tool=READ_SECTION,
            arguments={},
            depends_on=tuple(f"t{other[1:]}" for other in part.depends_on),
        )
        for part in taken_apart.parts
    )


def _waiting(state: ReadingState, question: str, parts: Sequence[SubTask], step: Step) -> tuple[Pointer, ...]:
    """What the question or the section names, then the best of each part in turn, then of the whole question."""
    given = step.given
    whole = found_for(question, state, given)
    independent = [part.question for part in parts if not part.depends_on] if len(parts) > 1 else []
    found = [found_for(part, state, given) for part in independent]
    in_turn = [pointer for row in zip_longest(*found) for pointer in row if pointer is not None]
    named = named_places(state, whole, given, [question])
    return unread((*named, *in_turn, *whole), ())


def _by_model(
    state: ReadingState, question: str, waiting: tuple[Pointer, ...], language: Language, step: Step
) -> tuple[tuple[Pointer, ...], DecidedBy]:
    """The candidates with a model's choice in front; as they are where it gives no usable reply."""
    assert step.models is not None  # asked by `plan`
    most = min(step.given.settings.reading.directory_tokens, step.tokens_left() // _DIRECTORY_SHARE)
    listed = in_directory(state, waiting, most, step.given)
    if len(listed) < 2:
        return waiting, DecidedBy.RULES
    try:
        return starts_by_model(question, listed, most, language, step.models), DecidedBy.MID
    except (ModelError, BudgetExceededError):
        return waiting, DecidedBy.RULES
