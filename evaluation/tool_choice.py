"""How well tools are chosen for questions whose right tool is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from ..configs import Settings
from ..context import make_models
from ..errors import BudgetExceededError, ModelError
from ..knowledge.text.normalise import has_chinese
from ..models.budget import Budget, BudgetLimits
from ..models.completing import ModelSource
from ..models.metered import MeteredModels
from ..nodes.by_model.choose_tool import choose_by_model
from ..nodes.by_rules.tool_tasks import choose
from ..prompts.loader import Language
from ..tools.choosing.labelled import LabelledQuestion, Outcome, accuracy, confusion, measure
from ..tools.choosing.models import ToolChoice
from ..tools.choosing.offered import offered
from ..tools.contracts import Category, Tool
from ..tools.description import description_of
from ..tools.registry import ToolRegistry


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PartAccuracy(_Frozen):
    """The accuracy over a part of the questions."""

    name: str
    asked: int
    right: int
    accuracy: float


class ToolAccuracy(_Frozen):
    """What was chosen where one tool was right."""

    tool: str
    asked: int
    right: int
    instead: dict[str, int] = Field(description="which other tools were chosen, and how often")


class WrongChoice(_Frozen):
    """A question for which another tool was chosen."""

    question: str
    tool: str
    chosen: str
    reason: str
    confidence: float
    decided_by: str


class ChoiceReport(_Frozen):
    """What `veriloop tools check` reports."""

    asked: int
    right: int
    accuracy: float
    parts: tuple[PartAccuracy, ...] = Field(description="all questions, and those held out where some are")
    by_tool: tuple[ToolAccuracy, ...]
    wrong: tuple[WrongChoice, ...]
    by_model: int = Field(description="choices that a model made, since the rules were unsure")


def check_choice(
    questions: Sequence[LabelledQuestion], tools: Sequence[Tool], settings: Settings, *, with_model: bool = True
) -> ChoiceReport:
    """Choose a tool for every question, by rules and, where one is configured and they are unsure, by a model.

    Args:
        questions: with the tool that is right for each.
        tools: to choose from.
        settings: with the models.
        with_model: whether a configured model may be asked.

    Raises:
        UsageError: two tools share a name, or one is not declared soundly.
    """
    registry = ToolRegistry(tools)
    models = make_models(settings) if with_model else None
    outcomes = measure(questions, _chooser(registry, models))
    return _report(outcomes)


def _chooser(registry: ToolRegistry, models: ModelSource | None) -> Callable[[str], ToolChoice]:
    def chosen(question: str) -> ToolChoice:
        by_rules = choose(question, registry)
        if models is None or not by_rules.runner_up:
            return by_rules
        access = MeteredModels(models, Budget(BudgetLimits.for_class("medium")))
        language: Language = "zh" if has_chinese(question) else "en"
        some = offered([question], registry.tools, registry, tuple(Category))
        try:
            return choose_by_model(question, tuple(map(description_of, some)), language, access)
        except (ModelError, BudgetExceededError):
            return by_rules

    return chosen


def _report(outcomes: Sequence[Outcome]) -> ChoiceReport:
    whole = accuracy(outcomes)
    parts = {"all": outcomes}
    if any(one.case.held_out for one in outcomes):
        parts["tuned with"] = [one for one in outcomes if not one.case.held_out]
        parts["held out"] = [one for one in outcomes if one.case.held_out]
    return ChoiceReport(
        asked=whole.asked,
        right=whole.right,
        accuracy=whole.share,
        parts=tuple(_part(name, of_part) for name, of_part in parts.items()),
        by_tool=tuple(_by_tool(outcomes)),
        wrong=tuple(_wrong(one) for one in outcomes if not one.is_right),
        by_model=sum(one.choice.decided_by.value != "rules" for one in outcomes),
    )


def _part(name: str, outcomes: Sequence[Outcome]) -> PartAccuracy:
    found = accuracy(outcomes)
    return PartAccuracy(name=name, asked=found.asked, right=found.right, accuracy=found.share)


def _by_tool(outcomes: Sequence[Outcome]) -> list[ToolAccuracy]:
    rows = []
    for tool, chosen in confusion(outcomes).items():
        instead = {name: count for name, count in chosen.most_common() if name != tool}
        rows.append(ToolAccuracy(tool=tool, asked=chosen.total(), right=chosen[tool], instead=instead))
    return rows


def _wrong(one: Outcome) -> WrongChoice:
    choice = one.choice
    return WrongChoice(
        question=one.case.question,
        tool=one.case.tool,
        chosen=choice.tool,
        reason=choice.reason,
        confidence=round(choice.confidence, 3),
        decided_by=choice.decided_by.value,
    )
