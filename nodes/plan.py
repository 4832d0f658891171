"""Makes the plan: a model's where one is configured and the question is complex, else the rules'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, cast

from langgraph.runtime import Runtime

from ..context import Context
from ..decisions import DecidedBy, Plan, Route
from ..errors import BudgetExceededError, InvalidPlanError, ModelError
from ..knowledge.text.counting import counted
from ..prompts.loader import Language
from ..state import AgentState
from ..tools.choosing.models import ToolChoice
from ..tools.choosing.offered import offered
from ..tools.contracts import Category
from ..tools.description import description_of
from ..tools.search_documents import SEARCH_DOCUMENTS
from .by_model.choose_tool import choose_by_model
from .by_model.plan import plan_by_model
from .by_rules.judge import part_name
from .by_rules.looked_up_values import looked_up
from .by_rules.plan import plan_by_rules
from .by_rules.plan_check import plan_problem
from .by_rules.tool_tasks import call_of, choose
from .context_view import context_of
from .messages import message
from .offering import offered_tools
from .recording import Step, open_step
from .statements import with_statements
from .tasks import ready_tasks


class _Made(NamedTuple):
    plan: Plan
    problem: str


def plan(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Plan sub-tasks; a plan that cannot run is reported, to be repaired once and then replaced by the rules' plan.

    A new plan begins with what has been found so far, and without what was thought about it.
    """
    step = open_step(state, runtime, "plan")
    chosen = _chosen(state, step)
    made = _by_model(state, step, chosen) if _wants_model(state, step, chosen) else None
    made = made or _Made(_by_rules(state, step, chosen), "")
    record = step.close(
        thought=made.problem,
        action="plan",
        arguments={"tasks": [task.model_dump(exclude={"attempt"}) for task in made.plan.tasks]},
        observation=counted(len(made.plan.tasks), "sub-task"),
        decided_by=made.plan.decided_by,
        notes=tuple(_lacking(chosen, cast(Language, state["analysis"].language))),
    )
    return {
        "plan": made.plan,
        "plan_problem": made.problem,
        "plan_from": len(state.get("rounds", ())),
        "pending": () if made.problem else ready_tasks(made.plan, ()),
        "verdicts": (),
        "steps": (record,),
    }


def _last_rule(state: AgentState) -> str:
    return state["steps"][-1].rule


def _chosen(state: AgentState, step: Step) -> dict[str, ToolChoice]:
    """The tool for each part: by rules, and by a light model where they are unsure."""
    parts = state["understanding"].decomposition.parts
    language = cast(Language, state["analysis"].language)
    return {part.text: _choice(part.text, language, step) for part in parts}


def _choice(part: str, language: Language, step: Step) -> ToolChoice:
    tools = step.given.tools
    by_rules = choose(part, tools)
    if step.models is None or not by_rules.runner_up:
        return by_rules
    some = offered([part], tools.tools, tools, tuple(Category))
    try:
        return choose_by_model(part, tuple(map(description_of, some)), language, step.models)
    except (ModelError, BudgetExceededError):
        return by_rules


def _lacking(chosen: Mapping[str, ToolChoice], language: Language) -> Iterator[str]:
    """What the user would have to say for a call that fits and cannot be made."""
    joint = "、" if language == "zh" else ", "
    for part, choice in chosen.items():
        if choice.missing:
            yield message("tool_lacks", language, part=part_name(part), missing=joint.join(choice.missing))


def _wants_model(state: AgentState, step: Step, chosen: Mapping[str, ToolChoice]) -> bool:
    """In the loop; elsewhere where a tool was chosen whose arguments rules cannot find."""
    if step.models is None or _last_rule(state) == "rules_plan":
        return False
    return state["gate"].route is Route.LOOP or any(
        choice.missing or (choice.tool != SEARCH_DOCUMENTS and _has_no_call(choice, part, step))
        for part, choice in chosen.items()
    )


def _has_no_call(choice: ToolChoice, part: str, step: Step) -> bool:
    is_computed = choice.arguments is None and looked_up(part) is not None
    return not is_computed and call_of(choice, part, step.given.tools) is None


def _by_rules(state: AgentState, step: Step, chosen: Mapping[str, ToolChoice]) -> Plan:
    given = step.given
    documents = given.documents()
    read = partial(given.library.read_query, caller=given.caller)
    return plan_by_rules(state["understanding"], documents, given.settings.search.keep, read, given.tools, chosen)


def _by_model(state: AgentState, step: Step, chosen: Mapping[str, ToolChoice]) -> _Made | None:
    """A model's plan and what is wrong with it; None where the model gives none."""
    if step.models is None:
        return None
    problem = state.get("plan_problem", "") if _last_rule(state) == "repair_plan" else ""
    try:
        made = plan_by_model(
            state["understanding"],
            offered_tools(state["understanding"], step, cast(Language, state["analysis"].language)),
            cast(Language, state["analysis"].language),
            step.models,
            context=context_of(state, step, with_evidence=bool(state.get("rounds"))),
            problem=problem or None,
        )
    except InvalidPlanError as error:
        return _Made(_by_rules(state, step, chosen).model_copy(update={"decided_by": DecidedBy.MID}), str(error))
    except (ModelError, BudgetExceededError):
        return None
    made = with_statements(made, step, cast(Language, state["analysis"].language))
    return _Made(made, plan_problem(made, step.given.tools))
