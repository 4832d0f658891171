"""Whether the parts of a question that go to a database are asked under the same conditions; else none goes there.

A condition that is said once (去年, 线上渠道) and reaches one part only would have a figure stand beside another that
was counted otherwise, and nothing in the figures would tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...decisions import SubTask
from ...knowledge.evidence.phrases import content_words, word_share
from ...knowledge.evidence.terms import terms
from ...knowledge.questions.models import Combination
from ...knowledge.questions.shared_time import has_time
from ...knowledge.text.normalise import fold_widths, has_chinese
from ...knowledge.text.values import find_values
from ...tools.choosing.rules import QUERY_SQL
from .judge import COMPARED

_SIDE_BY_SIDE = COMPARED | {Combination.CONTRAST}
_LITERAL = re.compile(r"'(?:[^']|'')*'|(?<![\w\"])\d+(?:\.\d+)?(?![\w\"])")
_LISTED = re.compile(r"\?(?:, \?)+")
_HELD = 0.5
# Words that say how the parts are put together; all others are conditions or what is asked for.
_COMPARING = re.compile(
    r"比较|对比|相比|相差|差[额距值]?|之间|区别|不同|哪一?[个家种款台项些]?|谁|[更最较还要]|多多?少|[高低大小多少长短贵重轻快慢早晚宽厚深远近便宜]|分别|各自|是否|吗|呢|请|我想知道|一下|多久|几"
    r"|\b(?:how|much|many|more|less|fewer|higher|lower|larger|smaller|bigger|greater|longer|shorter|earlier|later|than|that|those|by"
    r"|exceed\w*|differ\w*|compar\w*|between|which|whose|what|who|was|were|is|are|do|does|did|had|has|have|the|of|and|or|each|respectively"
    r"|of|in|please|tell|me|year|high|low)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[?？。!！;；]")


def only_asked_alike(
    tasks: Sequence[SubTask], searches: Sequence[SubTask], combination: Combination, question: str
) -> tuple[SubTask, ...]:
    """The tasks, those for a database as the searches that they were wherever a condition may have been lost.

    Args:
        tasks: of the parts, with the tools that they are for.
        searches: the same tasks before tools were chosen.
        combination: how the parts make up the answer.
        question: the whole one.
    """
    asked = [task for task in tasks if task.tool == QUERY_SQL]
    lost = {task.id for task in asked} & set(_lost(tasks, asked, combination, question))
    plain = {search.id: search for search in searches}
    return tuple(plain.get(task.id, task) if task.id in lost else task for task in tasks)


def _lost(tasks: Sequence[SubTask], asked: Sequence[SubTask], combination: Combination, question: str) -> Iterator[str]:
    """The tasks whose conditions are not surely all of those that they were asked under."""
    if len(tasks) < 2 or not asked:
        return
    if combination in _SIDE_BY_SIDE:
        if len({_shape(task) for task in asked}) > 1 or _left_out(question, tasks):
            yield from (task.id for task in asked)
    elif has_time(fold_widths(question), _language(question)):
        yield from (task.id for task in asked if not _stands_alone(task, question))


def _shape(task: SubTask) -> tuple[str, str]:
    """A call without the values that it asks for."""
    sql = _LITERAL.sub("?", str(task.arguments.get("sql", "")))
    return str(task.arguments.get("source", "")), _LISTED.sub("?", sql)


def _left_out(question: str, tasks: Sequence[SubTask]) -> bool:
    """Whether the question holds a value or a word that no part is asked with."""
    asked = "\n".join(fold_widths(task.said or task.question) for task in tasks)
    whole = fold_widths(question)
    if not {value.key for value in find_values(whole)} <= {value.key for value in find_values(asked)}:
        return True
    held = terms(asked)
    words = content_words(_COMPARING.sub(" ", whole))
    return any(word_share(word, held) < _HELD for word in words if len(word) > 1 or not has_chinese(word))


def _stands_alone(task: SubTask, question: str) -> bool:
    """Whether a part names a period itself, or is a sentence of its own, or follows from an earlier part."""
    text = fold_widths(task.said or task.question)
    if task.depends_on or has_time(text, _language(question)):
        return True
    bare = text.rstrip("?？ ")
    return any(sentence.strip() == bare for sentence in _SENTENCE.split(fold_widths(question)))


def _language(text: str) -> str:
    return "zh" if has_chinese(text) else "en"
