"""Completes answers that send the reader elsewhere by what stands there, where that was read."""

from __future__ import annotations

from collections.abc import Sequence

from ...decisions import Sufficiency, TaskVerdict
from ...knowledge.evidence.deferring import referred_sentences
from ...knowledge.evidence.models import Evidence
from ...knowledge.evidence.question import analyse_question
from ...state import TaskResult
from ...tools.read_section import READ_SECTION


def completed(verdict: TaskVerdict, result: TaskResult, evidence: Sequence[Evidence]) -> TaskVerdict:
    """The verdict of a reading with the places that its first sentence refers to; of anything else as it is.

    Args:
        verdict: by rules.
        result: what the task brought.
        evidence: of the task.
    """
    if result.task.tool != READ_SECTION or verdict.sufficiency is not Sufficiency.ANSWERED or verdict.conflict:
        return verdict
    finding = verdict.finding
    added = referred_sentences(analyse_question(verdict.question), finding.sentences, evidence)
    if not added:
        return verdict
    return verdict.model_copy(
        update={"finding": finding.model_copy(update={"sentences": (*finding.sentences, *added)})}
    )
