"""Judges the evidence, sub-question by sub-question: by rules, and by a model where the rules are unsure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from langgraph.runtime import Runtime

from ..configs.settings import AnswerSettings
from ..context import Context
from ..decisions import DecidedBy, Plan, SubTask, Sufficiency, TaskVerdict
from ..errors import BudgetExceededError, ModelError
from ..knowledge.evidence.models import Evidence
from ..knowledge.questions.models import QuestionType
from ..prompts.loader import Language
from ..state import AgentState, RoundRecord, TaskResult, ToolCall
from ..tools.choosing.rules import CALCULATE
from ..tools.contracts import Category
from ..tools.query_graph import QUERY_GRAPH
from ..tools.results import is_result
from ..tools.sql.tool import QUERY_SQL
from .by_model.judge import JudgedQuestion, Judgement, judge_by_model
from .by_rules.judge import Means, is_grey, judge_by_rules, part_name
from .by_rules.judge_addressed import judge_addressed
from .by_rules.judge_relations import judge_relations
from .by_rules.judge_results import judge_results, results_among, with_only_value
from .by_rules.judge_rows import judge_rows, with_rows_behind
from .by_rules.reading_verdicts import after_reading
from .evidence import evidence_of, number_evidence, results_of
from .failures import reason_of
from .messages import message
from .passages import ReadingPlan, shown
from .recording import Step, open_step
from .tasks import ready_tasks

# What a judge reads of each sub-question's evidence.
_JUDGED = ReadingPlan(3, 600)


def verify_evidence(state: AgentState, runtime: Runtime[Context]) -> dict[str, Any]:
    """Number what was found, judge each sub-question that has new evidence, and look which tasks may run next."""
    step = open_step(state, runtime, "verify_evidence")
    plan = cast(Plan, state["plan"])
    results = state["results"]
    number = results[-1].round
    latest = [result for result in results if result.round == number]
    known = state.get("evidence", ())
    evidence = number_evidence((hit for result in latest for hit in result.hits), known)
    verdicts = {verdict.task_id: verdict for verdict in state.get("verdicts", ())}
    fresh = _judge(latest, plan, results_of(state), evidence, step, state["understanding"].question_type)
    fresh = after_reading(fresh, latest, verdicts, known, evidence)
    fresh = _asked(fresh, latest, results_of(state), evidence, state, step)
    verdicts.update((verdict.task_id, _better(verdicts.get(verdict.task_id), verdict)) for verdict in fresh)
    ordered = tuple(verdicts.values())
    language = state["analysis"].language
    record = step.close(
        action="judge",
        arguments={verdict.task_id: verdict.sufficiency.value for verdict in ordered},
        observation=f"{len(evidence) - len(known)} new blocks",
        decided_by=DecidedBy.LIGHT if any(v.decided_by is DecidedBy.LIGHT for v in fresh) else DecidedBy.RULES,
        notes=tuple(note for note in _notes(latest, language) if note not in _noted(state)),
    )
    return {
        "evidence": evidence,
        "verdicts": ordered,
        "pending": ready_tasks(plan, ordered),
        "rounds": (*state.get("rounds", ()), _round(number, latest, len(evidence) - len(known), ordered)),
        "library_version": _version(latest, state),
        "steps": (record,),
    }


def _notes(latest: Sequence[TaskResult], language: str) -> Iterator[str]:
    for result in latest:
        yield from result.notes
        # What became of a call that needed consent stands in the answer itself.
        if result.error is not None and not result.is_final:
            yield message("tool_failed", language, reason=reason_of(result, language))


def _noted(state: AgentState) -> frozenset[str]:
    return frozenset(note for record in state["steps"] for note in record.notes)


def _version(latest: Sequence[TaskResult], state: AgentState) -> int:
    versions = [result.library_version for result in latest if result.library_version is not None]
    return min(versions, default=state.get("library_version", 0))


def _round(number: int, latest: Sequence[TaskResult], new_blocks: int, verdicts: Sequence[TaskVerdict]) -> RoundRecord:
    confidences = [verdict.finding.confidence for verdict in verdicts]
    return RoundRecord(
        number=number,
        calls=tuple(call_of(result.task) for result in latest),
        new_blocks=new_blocks,
        confidence=sum(confidences) / len(confidences) if confidences else 0.0,
        conflicts=sum(verdict.conflict is not None for verdict in verdicts),
        attempts=max(result.task.attempt for result in latest),
    )


def call_of(task: SubTask) -> ToolCall:
    """A task's call as brakes compare it."""
    return ToolCall(tool=task.tool, arguments=tuple(sorted((name, str(v)) for name, v in task.arguments.items())))


def _judge(
    latest: Sequence[TaskResult],
    plan: Plan,
    results: Sequence[TaskResult],
    evidence: Sequence[Evidence],
    step: Step,
    question_type: QuestionType,
) -> list[TaskVerdict]:
    given = step.given
    settings = given.settings.answer
    means = Means(
        max_sentences=_sentences(question_type, settings),
        min_confidence=settings.min_confidence,
        one_of_several=len(plan.tasks) > 1,
        idf=given.library.idf(given.caller),
        similarity=given.library.similarity,
        summary_sentences=settings.summary_sentences,
    )
    # What a calculation waits for is a value, whether or not the words of its question say which kind.
    computed = {before for task in plan.tasks if task.tool == CALCULATE for before in task.depends_on}
    verdicts = [_verdict(result, plan, results, evidence, means, step) for result in latest]
    return [with_only_value(verdict) if verdict.task_id in computed else verdict for verdict in verdicts]


def _verdict(
    result: TaskResult,
    plan: Plan,
    results: Sequence[TaskResult],
    evidence: Sequence[Evidence],
    means: Means,
    step: Step,
) -> TaskVerdict:
    """What rules make of a task: the result of a tool speaks for itself, documents have to answer."""
    found = evidence_of(result.task.id, results, evidence)
    own = results_among(found)
    if own:
        beside = _documents_beside(result.task, found, results, evidence, step)
        verdict = judge_results(result.task, own, result.short_answer, beside, means)
        return with_rows_behind(verdict, result.hits, found) if result.task.tool == QUERY_SQL else verdict
    if result.task.tool == QUERY_SQL and (selected := judge_rows(result.task, result.hits, found, result.short_answer)):
        return selected
    if result.task.tool == QUERY_GRAPH and (
        related := judge_relations(result.task, result.hits, found, result.short_answer)
    ):
        return related
    if result.addressed is not None:
        return judge_addressed(result.task, result.addressed, plan.combination, found, means)
    verdict = judge_by_rules(result.task, plan.combination, found, means)
    if not result.short_answer or verdict.sufficiency is Sufficiency.MISSING:
        return verdict
    finding = verdict.finding.model_copy(update={"short_answer": result.short_answer})
    return verdict.model_copy(update={"finding": finding})


def _documents_beside(
    task: SubTask, own: Sequence[Evidence], results: Sequence[TaskResult], evidence: Sequence[Evidence], step: Step
) -> tuple[Evidence, ...]:
    """The documents that may speak of the same thing as a tool's result.

    None beside what is computed from them, nor beside what is so right now, which they cannot know.
    """
    tool = step.given.tools.get(task.tool)
    if tool is None or tool.live or tool.category is Category.COMPUTING:
        return ()
    others = {result.task.id for result in results} - set(task.depends_on)
    blocks = [item for other in sorted(others) for item in evidence_of(other, results, evidence)]
    found = {item.block.block_id: item for item in (*own, *blocks) if not is_result(item.document)}
    return tuple(found.values())


def _sentences(question_type: QuestionType, settings: AnswerSettings) -> int:
    """How many sentences answer: a summary, or how one thing led to another, wants more than a plain fact."""
    wide = question_type in (QuestionType.SUMMARY, QuestionType.MULTI_HOP)
    return max(settings.max_sentences, settings.summary_sentences) if wide else settings.max_sentences


def _better(before: TaskVerdict | None, now: TaskVerdict) -> TaskVerdict:
    """The later verdict, unless it knows less than the one before: a failed second search takes nothing away."""
    if before is None or now.sufficiency is not Sufficiency.MISSING or before.sufficiency is Sufficiency.MISSING:
        return now
    return before


def _asked(
    verdicts: list[TaskVerdict],
    latest: Sequence[TaskResult],
    results: Sequence[TaskResult],
    evidence: Sequence[Evidence],
    state: AgentState,
    step: Step,
) -> list[TaskVerdict]:
    """A model's word on the sub-questions that the rules are unsure about; a judge that fails changes nothing."""
    grey = [verdict for verdict in verdicts if is_grey(verdict)]
    if step.models is None or not grey:
        return verdicts
    judged = [
        JudgedQuestion(v.question, tuple(shown(evidence_of(v.task_id, results, evidence), _JUDGED))) for v in grey
    ]
    try:
        replies = judge_by_model(judged, cast(Language, state["analysis"].language), step.models)
    except (ModelError, BudgetExceededError):
        return verdicts
    said = dict(zip((v.task_id for v in grey), replies, strict=False))
    return [_with_word(verdict, said[verdict.task_id]) if verdict.task_id in said else verdict for verdict in verdicts]


def _with_word(verdict: TaskVerdict, word: Judgement) -> TaskVerdict:
    missing = (word.missing or part_name(verdict.question),) if word.sufficiency is not Sufficiency.ANSWERED else ()
    return verdict.model_copy(
        update={"sufficiency": word.sufficiency, "missing": missing, "decided_by": DecidedBy.LIGHT}
    )
