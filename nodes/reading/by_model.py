"""The reader's decisions by a model: where to begin, and after each block whether to note, go on, skip or stop.

It says first which sub-questions the notes answer (S0 §5.1), then what to do. It names blocks by the number in the
list that it is shown, so it cannot reach others; what it does not say usefully, the rules decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field

from ...configs.model_settings import Tier
from ...knowledge.evidence.models import Evidence
from ...knowledge.searchable import context_of
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...models.tokens import estimate_tokens
from ...prompts.loader import Language, fence
from ...reading_state import Pointer, ReadingAction, ReadingNote
from ..by_model.lenient import LenientReply, Text, TextOrNothing, listed, reading
from ..by_model.prompting import fenced, one_line, prompt_for

_MOST_TOKENS = 400
_NUMBERS = re.compile(r"\d{1,3}")
_OTHER_WORDS = {
    ReadingAction.EXTRACT: ("提取", "记录", "摘录", "note"),
    ReadingAction.CONTINUE: ("继续", "继续读", "read_on", "next"),
    ReadingAction.SKIP: ("跳过", "无关", "irrelevant"),
    ReadingAction.STOP: ("停止", "结束", "done", "finish"),
}
_ACTIONS = {word: action for action, words in _OTHER_WORDS.items() for word in words}


def _numbers(value: Any) -> Any:
    """Whole numbers out of a list, a number, or a text that names some."""
    items = value if isinstance(value, list) else [value]
    found = (number for item in items if item is not None for number in _NUMBERS.findall(str(item)))
    return [int(number) for number in found]


Numbers = Annotated[list[int], BeforeValidator(_numbers)]
_Action = Annotated[ReadingAction, BeforeValidator(reading(ReadingAction, _ACTIONS)), listed(ReadingAction)]


class ReadReply(LenientReply):
    """What a reader says after a block: how far the notes go, then what to do."""

    answered: Numbers = Field(default_factory=list)
    missing: TextOrNothing = ""
    action: _Action
    quote: TextOrNothing = ""
    note: TextOrNothing = ""
    next_block: Text = ""


class ReadPlanReply(LenientReply):
    """Where to begin."""

    thought: Text = ""
    blocks: Numbers


class Case(NamedTuple):
    """What a reader is shown after a block."""

    question: str
    parts: Sequence[str]
    notes: Sequence[ReadingNote]
    source: Evidence
    options: Sequence[Pointer]


def read_messages(case: Case, language: Language) -> list[Message]:
    """The prompt of one decision; whatever came out of documents stands in fences."""
    return prompt_for(
        "read",
        language,
        question=one_line(case.question),
        parts="\n".join(f"{number}. {one_line(part)}" for number, part in enumerate(case.parts, start=1)),
        notes=fenced([note.text for note in case.notes], language),
        block=fence(f"{context_of(case.source.document, case.source.block)}\n{case.source.block.text}", ""),
        options=fenced([option_label(option) for option in case.options], language),
    )


def option_label(pointer: Pointer) -> str:
    """A block that may be read next, as it is listed."""
    place = "" if not pointer.label else f" › {pointer.label}"
    return one_line(f"{pointer.document.search_title}{place}")


def decide_by_model(case: Case, language: Language, access: ModelAccess) -> ReadReply:
    """A model's word after a block.

    Raises:
        ModelError: no usable reply.
        BudgetExceededError: the call does not fit.
    """
    messages = read_messages(case, language)
    return access.structured(messages, ReadReply, tier=Tier.LIGHT, max_tokens=_MOST_TOKENS, language=language)


def starts_by_model(
    question: str, waiting: Sequence[Pointer], most: int, language: Language, access: ModelAccess
) -> tuple[Pointer, ...]:
    """The candidates with those in front that a model begins with; numbers that are not in the list say nothing.

    Args:
        question: that is read up on.
        waiting: the blocks of the directory, the most promising first.
        most: tokens that the directory may take.
        language: of the prompt.
        access: to the models.

    Raises:
        ModelError: no usable reply.
        BudgetExceededError: the call does not fit.
    """
    shown = list(_within(most, waiting))
    messages = prompt_for("read_plan", language, question=one_line(question), directory=fenced(shown, language))
    reply = access.structured(messages, ReadPlanReply, tier=Tier.MID, max_tokens=_MOST_TOKENS, language=language)
    chosen = [waiting[number - 1] for number in dict.fromkeys(reply.blocks) if 0 < number <= len(shown)]
    ids = {pointer.block_id for pointer in chosen}
    return (*chosen, *(pointer for pointer in waiting if pointer.block_id not in ids))


def _within(most: int, waiting: Sequence[Pointer]) -> Iterator[str]:
    """The lines of the directory that fit into so many tokens."""
    used = 0
    for pointer in waiting:
        line = f"{option_label(pointer)}: {pointer.summary}" if pointer.summary else option_label(pointer)
        used += estimate_tokens(line)
        if used > most:
            return
        yield line
