"""Sentences that the check refused, written once more from the raw passages by the strong model, all in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...configs.model_settings import Tier
from ...errors import ModelError
from ...models.answer_reply import AnswerReply, parse_answer_reply
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence
from .prompting import one_line, prompt_for


class RefusedSentence(NamedTuple):
    """A sentence that is not supported, and why, fault by fault."""

    text: str
    faults: Sequence[str]


NumberedPassage = tuple[int, str]
"""A passage with the number that it has in the whole answer."""


def rewrite_messages(
    sentences: Sequence[RefusedSentence], passages: Sequence[NumberedPassage], question: str, language: Language
) -> list[Message]:
    """The prompt for writing sentences anew. What a model wrote may repeat a document: it is fenced, too."""
    label, why = ("句子", "问题") if language == "zh" else ("sentence", "fault")
    return prompt_for(
        "rewrite",
        language,
        passages="\n".join(fence(text, f"[{number}]") for number, text in passages),
        question=one_line(question),
        sentences="\n".join(
            fence("\n".join([sentence.text, *(f"{why}: {fault}" for fault in sentence.faults)]), f"{label} {number}")
            for number, sentence in enumerate(sentences, start=1)
        ),
    )


def rewrite_by_model(
    sentences: Sequence[RefusedSentence],
    passages: Sequence[NumberedPassage],
    *,
    question: str,
    language: Language,
    access: ModelAccess,
) -> AnswerReply:
    """The sentences once more, with markers that are among the passages' numbers; one that cites none is left out.

    Raises:
        ModelError: no usable reply.
        BudgetExceededError: the call does not fit.
    """
    reply = access.complete(rewrite_messages(sentences, passages, question, language), tier=Tier.STRONG)
    if reply.finish_reason == "length":
        raise ModelError("the rewritten sentences were cut off at the output limit")
    return _known_only(parse_answer_reply(reply.text), frozenset(number for number, _ in passages))


def _known_only(reply: AnswerReply, numbers: frozenset[int]) -> AnswerReply:
    kept = (
        sentence._replace(markers=tuple(number for number in sentence.markers if number in numbers))
        for sentence in reply.sentences
    )
    return reply._replace(sentences=tuple(sentence for sentence in kept if sentence.markers))
