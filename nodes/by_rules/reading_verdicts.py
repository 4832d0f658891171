"""What a reading changes about a verdict: it may bring what an answer refers to, and has to bring something new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...decisions import Sufficiency, TaskVerdict
from ...knowledge.evidence.deferring import referred_sentences
from ...knowledge.evidence.models import Evidence
from ...knowledge.evidence.question import analyse_question
from ...state import TaskResult
from ...tools.read_section import READ_SECTION


def after_reading(
    verdicts: Sequence[TaskVerdict],
    latest: Sequence[TaskResult],
    before: Mapping[str, TaskVerdict],
    known: Sequence[Evidence],
    evidence: Sequence[Evidence],
) -> list[TaskVerdict]:
    """The verdicts of a round, those on readings completed by what their answers refer to.

    A reading that found no block which was not known answers nothing that the search did not: the same blocks in
    another order are no evidence.

    Args:
        verdicts: by rules, in the order of `latest`.
        latest: what the tasks of the round brought.
        before: the verdicts of earlier rounds, by task.
        known: the evidence of earlier rounds.
        evidence: all evidence.
    """
    blocks = {source.block.block_id for source in known}
    return [
        _after_reading(verdict, result, before.get(verdict.task_id), blocks, evidence)
        if result.task.tool == READ_SECTION
        else verdict
        for verdict, result in zip(verdicts, latest, strict=True)
    ]


def _after_reading(
    verdict: TaskVerdict, result: TaskResult, before: TaskVerdict | None, known: set[str], evidence: Sequence[Evidence]
) -> TaskVerdict:
    if result.addressed is not None and result.addressed.is_settled:
        return verdict
    has_news = any(hit.block.block_id not in known for hit in result.hits)
    return completed(verdict if has_news or before is None else before, evidence)


def completed(verdict: TaskVerdict, evidence: Sequence[Evidence]) -> TaskVerdict:
    """A verdict whose answer sends the reader elsewhere, with what stands there."""
    if verdict.sufficiency is not Sufficiency.ANSWERED or verdict.conflict is not None:
        return verdict
    finding = verdict.finding
    added = referred_sentences(analyse_question(verdict.question), finding.sentences, evidence)
    if not added:
        return verdict
    return verdict.model_copy(
        update={"finding": finding.model_copy(update={"sentences": (*finding.sentences, *added)})}
    )
