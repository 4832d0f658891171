"""Which kinds of tools a question needs, by a light model, where there are too many tools for one choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ...configs.model_settings import Tier
from ...errors import ModelError
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language
from ...tools.contracts import Category
from ...tools.description import CategoryDescription
from .lenient import LenientReply, Text, reading
from .prompting import one_line, prompt_for

_SYNONYMS = {
    "文件": Category.DOCUMENTS,
    "文档": Category.DOCUMENTS,
    "数据": Category.DATA,
    "计算": Category.COMPUTING,
    "记忆": Category.MEMORY,
    "操作": Category.ACTIONS,
    "其他": Category.OTHER,
}
_read = reading(Category, _SYNONYMS)


def _listed(value: Any) -> Any:
    if isinstance(value, str):
        value = value.replace("、", ",").replace("，", ",").split(",")
    return value if isinstance(value, list) else [value]


class CategoryReply(LenientReply):
    """The kinds of tools that are needed, the most important one first."""

    categories: Annotated[list[Text], BeforeValidator(_listed)] = Field(default_factory=list)


def categories_by_model(
    question: str, kinds: Sequence[CategoryDescription], language: Language, access: ModelAccess
) -> tuple[Category, ...]:
    """The kinds of tools that a question needs, of those that there are.

    Raises:
        ModelError: no usable reply, or it names none of them.
        BudgetExceededError: the call does not fit.
    """
    listed = "\n".join(f"- {kind.category.value}: {kind.about} ({', '.join(kind.tools)})" for kind in kinds)
    messages: list[Message] = prompt_for("tool_category", language, categories=listed, question=one_line(question))
    reply = access.structured(messages, CategoryReply, tier=Tier.LIGHT, language=language)
    known = {kind.category for kind in kinds}
    read = [_read(name) for name in reply.categories]
    found = tuple(dict.fromkeys(one for one in read if isinstance(one, Category) and one in known))
    if not found:
        raise ModelError("the model named no kind of tools that there is")
    return found
