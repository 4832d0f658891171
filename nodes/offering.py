"""Which tools a planning model is shown: all, or of many those of the kinds that it chooses (S2 §6.2)."""

from __future__ import annotations

from collections.abc import Sequence

from ..decisions import Understanding
from ..errors import BudgetExceededError, ModelError
from ..prompts.loader import Language
from ..tools.choosing.offered import offered
from ..tools.contracts import Category
from ..tools.description import ToolDescription, description_of
from .by_model.choose_category import categories_by_model
from .recording import Step


def offered_tools(understanding: Understanding, step: Step, language: Language) -> tuple[ToolDescription, ...]:
    """At most seven tools: of more, those of the kinds that a light model picks, the likeliest first."""
    tools = step.given.tools
    if not tools.is_large:
        return tools.describe()
    questions = [part.text for part in understanding.decomposition.parts]
    chosen = offered(questions, tools.tools, tools, _categories(understanding.standalone, step, language))
    return tuple(map(description_of, chosen))


def _categories(question: str, step: Step, language: Language) -> Sequence[Category]:
    """The kinds that a model picks; all of them where it gives none."""
    kinds = step.given.tools.categories()
    if step.models is not None and len(kinds) > 1:
        try:
            return categories_by_model(question, kinds, language, step.models)
        except (ModelError, BudgetExceededError):
            pass
    return [kind.category for kind in kinds]
