"""Sub-tasks: which may run, what earlier answers fill in, and how one is run."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..decisions import Plan, SubTask, Sufficiency, TaskVerdict
from ..knowledge.text.counting import counted
from ..models.allowance import lending
from ..state import TaskResult
from ..tools.registry import ToolFailure
from .approving import Purpose, make_call
from .recording import Step

_PLACEHOLDER = re.compile(r"\{(t\d{1,2})\}")
_BACK_OFF_SECONDS = 0.5
_ENOUGH = (Sufficiency.ANSWERED, Sufficiency.PARTLY, Sufficiency.CONFLICTING)


def filled(task: SubTask, answers: Mapping[str, str]) -> SubTask:
    """The task with earlier short answers in the places that name them; unknown ones are left out.

    Braces that name no dependency are text like any other.
    """

    def name_or_text(match: re.Match[str]) -> str:
        return answers.get(match[1], "") if match[1] in task.depends_on else match.group()

    def fill(value: Any) -> Any:
        if isinstance(value, str):
            return _PLACEHOLDER.sub(name_or_text, value).strip() or value
        return [fill(item) for item in value] if isinstance(value, list | tuple) else value

    arguments = {name: fill(value) for name, value in task.arguments.items()}
    return task.model_copy(update={"question": fill(task.question), "arguments": arguments})


def short_answers(verdicts: Sequence[TaskVerdict]) -> dict[str, str]:
    """What earlier tasks found, by task."""
    return {v.task_id: v.finding.short_answer for v in verdicts if v.finding.short_answer}


def ready_tasks(plan: Plan, verdicts: Sequence[TaskVerdict]) -> tuple[SubTask, ...]:
    """Tasks that have not run and whose dependencies are answered, with those answers filled in.

    A task whose dependency found no name cannot be asked; it stays open and is reported as missing.
    """
    done = {verdict.task_id for verdict in verdicts}
    found = {v.task_id for v in verdicts if v.sufficiency in _ENOUGH}
    answers = short_answers(verdicts)
    return tuple(
        filled(task, answers)
        for task in plan.tasks
        if task.id not in done and set(task.depends_on) <= found and all(name in answers for name in _named(task))
    )


def _named(task: SubTask) -> set[str]:
    return set(_PLACEHOLDER.findall(f"{task.question}{task.arguments}")) & set(task.depends_on)


def run_task(task: SubTask, step: Step, purpose: Purpose, round_number: int) -> TaskResult:
    """Make a task's call as far as policies and people allow; a failure becomes part of the result."""
    with lending(step.allowance()) as lent:
        made = make_call(task, step, purpose)
    step.said.extend(lent.said)
    result = TaskResult(
        trace_id=purpose.trace_id,
        key=f"{task.id}/{task.attempt}/{purpose.tries}/{round_number}",
        task=task,
        round=round_number,
        tries=purpose.tries,
        waiting=made.waiting,
        approval_id=made.approval_id,
    )
    if made.result is None:
        return result
    if isinstance(made.result, ToolFailure):
        failure = made.result
        told = {"detail": failure.detail, "detail_in_chinese": failure.chinese, "fault": failure.kind}
        return result.model_copy(update={"error": failure.code, **told})
    return result.model_copy(update=dict(made.result))


def back_off(tries: int, step: Step) -> None:
    """Wait a moment before a call is made again, within the time of the run; a replay does not wait."""
    if tries > 1 and step.given.replay is None:
        time.sleep(min(_BACK_OFF_SECONDS, step.budget.seconds_left() / 2))


def observed(result: TaskResult) -> str:
    """A digest of a result for the trace: no text of documents."""
    if result.waiting is not None:
        return f"waits for consent: {result.waiting.approval_id}"
    if result.error is not None:
        return f"{result.error.value}: {result.detail}"
    names = list(dict.fromkeys(hit.document.name for hit in result.hits))
    return f"{counted(len(result.hits), 'block')} of {counted(len(names), 'document')}"
