"""Whether close paraphrases say what their quotes say, by a light model: all of them in one call.

The model first names what a sentence adds to its source: weak models find a difference better than they judge one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import Field

from ...configs.model_settings import Tier
from ...errors import ModelError
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence
from .lenient import LenientReply, Number, TextOrNothing, Truth
from .prompting import prompt_for


class Claim(NamedTuple):
    """A sentence of an answer and what it quotes."""

    text: str
    quote: str


class EntailedReply(LenientReply):
    """The word on one sentence."""

    number: Number
    added: TextOrNothing = ""
    supported: Truth


class EntailReply(LenientReply):
    """One verdict for each sentence."""

    verdicts: list[EntailedReply] = Field(min_length=1)


def entail_messages(claims: Sequence[Claim], language: Language) -> list[Message]:
    """The prompt that shows each sentence under its quote."""
    cases = "\n\n".join(_case(number, claim, language) for number, claim in enumerate(claims, start=1))
    return prompt_for("entail", language, cases=cases, count=str(len(claims)))


def _case(number: int, claim: Claim, language: Language) -> str:
    source, sentence = ("原文", "句子") if language == "zh" else ("Source", "Sentence")
    return f"{fence(claim.quote, f'{source} {number}')}\n{fence(claim.text, f'{sentence} {number}')}"


def entailed_of(reply: EntailReply, count: int) -> list[bool]:
    """The verdicts of a reply, in the order of the claims; a claim that adds something is not supported.

    Raises:
        ModelError: a claim has no verdict.
    """
    by_number = {verdict.number: verdict.supported and not verdict.added for verdict in reply.verdicts}
    if count == 1:
        by_number = {1: next(iter(by_number.values()))}
    if any(number not in by_number for number in range(1, count + 1)):
        raise ModelError(f"the check gave no verdict on some of {count} sentences")
    return [by_number[number] for number in range(1, count + 1)]


def entailed_by_model(claims: Sequence[Claim], language: Language, access: ModelAccess) -> list[bool]:
    """Whether each claim follows from its quote.

    Raises:
        ModelError: no usable reply; the claims stay unsupported.
        BudgetExceededError: the call does not fit.
    """
    if not claims:
        return []
    messages = entail_messages(claims, language)
    return entailed_of(access.structured(messages, EntailReply, tier=Tier.LIGHT, language=language), len(claims))
