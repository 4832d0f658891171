"""Gives a plan's calls of `query_sql` statements that may run, where the planner's may not."""

from __future__ import annotations

from datetime import date
from typing import Any

from ..decisions import Plan, SubTask
from ..errors import BudgetExceededError, ModelError
from ..prompts.loader import Language
from ..tools.sql.offering import listing_for
from ..tools.sql.tool import QUERY_SQL
from .by_model.sql import arguments_by_model
from .recording import Step


def with_statements(plan: Plan, step: Step, language: Language) -> Plan:
    """The plan with each statement that may not run written anew from the tables; one that cannot be stays."""
    return plan.model_copy(update={"tasks": tuple(_with_statement(task, step, language) for task in plan.tasks)})


def _with_statement(task: SubTask, step: Step, language: Language) -> SubTask:
    given = step.given

    def problem_of(arguments: dict[str, Any]) -> str:
        failure = given.tools.problem(QUERY_SQL, arguments)
        return failure.detail if failure is not None else ""

    tool = given.tools.get(QUERY_SQL)
    if task.tool != QUERY_SQL or tool is None or step.models is None or not problem_of(task.arguments):
        return task
    by_rules = given.tools.read_arguments(tool, task.question)
    if by_rules is not None and not problem_of(by_rules.arguments):
        return task.model_copy(update={"arguments": by_rules.arguments})
    tables = listing_for(given.library, given.caller, given.filters, task.question)
    if not tables:
        return task
    try:
        arguments = arguments_by_model(
            task.question,
            tables,
            today=date.today(),
            problem_of=problem_of,
            language=language,
            access=step.models,
        )
    except (ModelError, BudgetExceededError):
        return task
    return task.model_copy(update={"arguments": arguments})
