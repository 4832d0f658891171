"""A statement for `query_sql` by a mid model, from the tables that there are; it is checked, and mended once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from ...configs.model_settings import Tier
from ...errors import ModelError
from ...models.asking import ModelAccess
from ...models.messages import Message
from ...prompts.loader import Language, fence
from .lenient import LenientReply, Text, TextOrNothing
from .prompting import nothing, one_line, prompt_for

_LONGEST_SHOWN = 400
Problem = Callable[[dict[str, Any]], str]
"""Why a call with these arguments could not run; empty: it can."""


class SqlReply(LenientReply):
    """A statement and the source that it is for."""

    source: Text = ""
    sql: TextOrNothing


def sql_messages(question: str, tables: str, today: date, language: Language, problem: str) -> list[Message]:
    """The prompt for a statement: tables with their columns and some values, as data; what was wrong before."""
    return prompt_for(
        "sql",
        language,
        tables=fence(tables, "").lstrip(),
        today=today.isoformat(),
        question=one_line(question),
        problem=one_line(problem)[:_LONGEST_SHOWN] or nothing(language),
    )


def arguments_by_model(
    question: str, tables: str, *, today: date, problem_of: Problem, language: Language, access: ModelAccess
) -> dict[str, Any]:
    """The arguments of a call of `query_sql` that may run.

    Args:
        question: of the task.
        tables: what there is to ask (`tools.sql.offering.listing_for`).
        today: what `last quarter` counts from.
        problem_of: checks arguments as the call will.
        language: of the prompt.
        access: to the models of the run.

    Raises:
        ModelError: the model finds nothing to ask, or its statement may not run, also when it has been told why.
        BudgetExceededError: a call does not fit.
    """
    problem = ""
    for _ in range(2):
        messages = sql_messages(question, tables, today, language, problem)
        reply = access.structured(messages, SqlReply, tier=Tier.MID, language=language)
        if not reply.sql:
            raise ModelError("the model found no table to ask")
        arguments = {"sql": reply.sql, **({"source": reply.source} if reply.source else {})}
        problem = problem_of(arguments)
        if not problem:
            return arguments
    raise ModelError(f"the model's statement may not run: {problem}")
