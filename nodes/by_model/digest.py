"""The digest of a block by a light model: checked against the block, made again once, then completed by rule."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field

from ...configs.digest_settings import DigestSettings
from ...configs.model_settings import Tier
from ...errors import ModelError
from ...knowledge.digest.checking import Review, cleaned, review
from ...knowledge.digest.models import Digest
from ...knowledge.documents import Block, Document
from ...knowledge.text.normalise import has_chinese
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence, load_prompt, render
from .lenient import LenientReply, Text
from .prompting import one_line, prompt_for

_MOST_NAMED = 60
"""Lost details that are named when a digest is made again."""


def _words(value: Any) -> Any:
    """A list of words, also out of one string or with numbers in it; nothing for null."""
    if value is None:
        return []
    if isinstance(value, str):
        return [part.strip() for part in value.replace("，", ",").replace("、", ",").replace(";", ",").split(",")]
    if isinstance(value, list):
        return [str(one).strip() for one in value if isinstance(one, str | int | float) and str(one).strip()]
    return value


_Words = Annotated[list[str], BeforeValidator(_words)]


class DigestReply(LenientReply):
    """A digest as a model writes it."""

    summary: Text = Field(min_length=1)
    keywords: _Words = Field(default_factory=list)
    entities: _Words = Field(default_factory=list)


class MadeDigest(NamedTuple):
    """A digest that holds, and how it came about."""

    digest: Digest
    was_made_again: bool
    was_completed: bool
    """Whether rules had to add or remove something."""


def language_of(block: Block) -> Language:
    """In which language a block is digested: its own."""
    return "zh" if has_chinese(block.text) else "en"


def digest_messages(block: Block, document: Document, settings: DigestSettings) -> list[Message]:
    """The prompt that asks for a block's digest."""
    language = language_of(block)
    place = " › ".join(one_line(part) for part in (document.title, *block.section_path))
    return prompt_for(
        "digest",
        language,
        place=fence(place, "出处" if language == "zh" else "Place"),
        block=fence(block.text, "原文" if language == "zh" else "Text"),
        characters=str(settings.max_characters),
        keywords=str(settings.keywords),
    )


def digest_by_model(
    block: Block, document: Document, fallback: Digest, settings: DigestSettings, name: str, access: ModelAccess
) -> MadeDigest:
    """A model's digest of a block that keeps every detail of it and invents none.

    Args:
        block: what is digested.
        document: where it stands.
        fallback: the rules' digest of it.
        settings: its limits.
        name: of the model.
        access: to the models.

    Raises:
        ModelError: no usable reply.
        BudgetExceededError: the call does not fit.
    """
    messages, language = digest_messages(block, document, settings), language_of(block)
    first = _digest(access.structured(messages, DigestReply, tier=Tier.LIGHT, language=language), name)
    found = review(block, document, first)
    if _holds(found, first, settings):
        return MadeDigest(first, was_made_again=False, was_completed=False)
    retry = Message("user", _objection(found, language, settings))
    again = [*messages, Message("assistant", first.summary), retry]
    try:
        second = _digest(access.structured(again, DigestReply, tier=Tier.LIGHT, language=language), name)
    except ModelError:
        second = first
    best = min((first, second), key=lambda one: _badness(review(block, document, one)))
    is_good = _holds(review(block, document, best), best, settings)
    held = best if is_good else cleaned(block, document, best, fallback, settings)
    return MadeDigest(held, was_made_again=True, was_completed=held != best)


def _holds(found: Review, digest: Digest, settings: DigestSettings) -> bool:
    return found.is_clean and len(digest.summary) <= settings.max_characters


def _digest(reply: DigestReply, name: str) -> Digest:
    return Digest(
        summary=one_line(reply.summary), keywords=tuple(reply.keywords), entities=tuple(reply.entities), made_by=name
    )


def _badness(found: Review) -> int:
    return len(found.lost) + 2 * len(found.invented) + 2 * len(found.empty)


def _objection(found: Review, language: Language, settings: DigestSettings) -> str:
    """What is wrong with a first digest; the details are text of the document, so they come in fences."""
    none = "（无）" if language == "zh" else "(none)"
    lost = "; ".join(one.raw for one in found.lost[:_MOST_NAMED])
    return render(
        load_prompt("digest_again", language),
        lost=fence(lost or none, ""),
        invented=fence("; ".join(found.invented[:_MOST_NAMED]) or none, ""),
        empty=fence("; ".join(found.empty) or none, ""),
        characters=str(settings.max_characters),
    )
