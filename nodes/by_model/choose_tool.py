"""Which tool a question is for, by a light model, where rules are unsure."""

from __future__ import annotations

from collections.abc import Sequence

from ...configs.model_settings import Tier
from ...decisions import DecidedBy
from ...errors import ModelError
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence
from ...tools.choosing.models import ToolChoice
from ...tools.description import ToolDescription
from .lenient import LenientReply, Text, TextOrNothing
from .prompting import one_line, prompt_for

_CONFIDENCE = 0.7
"""A model's own doubt is not asked for."""


class ToolReply(LenientReply):
    """The tool that a question is for, and why."""

    reason: TextOrNothing = ""
    tool: Text


def tool_messages(question: str, tools: Sequence[ToolDescription], language: Language) -> list[Message]:
    """The prompt for a choice; what tools say of themselves is data."""
    listed = "\n".join(f"- {tool.name}: {one_line(tool.description)}" for tool in tools)
    return prompt_for("choose_tool", language, tools=fence(listed, "").lstrip(), question=one_line(question))


def choose_by_model(
    question: str, tools: Sequence[ToolDescription], language: Language, access: ModelAccess
) -> ToolChoice:
    """The tool that a question is for, of those that are offered.

    Raises:
        ModelError: no usable reply, or it names a tool that is not offered.
        BudgetExceededError: the call does not fit.
    """
    reply = access.structured(tool_messages(question, tools, language), ToolReply, tier=Tier.LIGHT, language=language)
    named = [tool.name for tool in tools if tool.name.casefold() == reply.tool.strip("`'\" .").casefold()]
    if not named:
        raise ModelError("the model named no tool that is offered")
    return ToolChoice(named[0], reply.reason or "a model's choice", _CONFIDENCE, decided_by=DecidedBy.LIGHT)
