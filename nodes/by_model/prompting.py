"""What the prompts of all decisions have in common."""

from __future__ import annotations

from collections.abc import Sequence

from ...models.messages import Message
from ...prompts.hidden import visible
from ...prompts.loader import Language, fence, load_prompt, render


def prompt_for(decision: str, language: Language, **fields: str) -> list[Message]:
    """The two messages of a decision: what never changes first, so that an endpoint can keep it; then the case."""
    request = render(load_prompt(f"{decision}_request", language), **fields)
    return [Message("system", load_prompt(decision, language).text), Message("user", request)]


def one_line(text: str) -> str:
    """A visible text without line breaks, so that what stands in it cannot look like a further part of the prompt."""
    return " ".join(visible(text).split())


def fenced(texts: Sequence[str], language: Language, label: str = "") -> str:
    """Texts numbered from 1, each inside its fence."""
    return "\n".join(fence(text, f"{label}[{number}]") for number, text in enumerate(texts, start=1)) or nothing(
        language
    )


def nothing(language: Language) -> str:
    """What stands in a prompt where there is nothing to show."""
    return "（无）" if language == "zh" else "(none)"


def context_text(context: Sequence[Message] | str) -> str:
    """What is known so far, as one text; it arrives with its documents in fences."""
    return context if isinstance(context, str) else "\n\n".join(message.text for message in context)
