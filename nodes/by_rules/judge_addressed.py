"""What was looked up by its label: the whole part is quoted, or the fact is sought in it before anywhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ...decisions import Finding, SubTask, Sufficiency, TaskVerdict
from ...knowledge.addressing.models import Addressed, AddressedPart
from ...knowledge.addressing.question import without_address
from ...knowledge.evidence.models import Evidence, ExtractedSentence, Span
from ...knowledge.evidence.question import analyse_question
from ...knowledge.evidence.table_rows import whole_row
from ...knowledge.evidence.units import Unit, cut_units, quote
from ...knowledge.questions.models import Combination
from ...tools.addressing import lacking_line
from ..messages import message
from .judge import Means, judge_by_rules

MOST_CHARACTERS = 4_000
"""A part that is longer is quoted up to a line within so many characters."""
_CONFIDENCE = 0.95
_SHORT = 600
"""Characters of a part that is quoted whole where it is asked what it says about something."""
_ASKS_WHAT_IT_SAYS = re.compile(
    r"\b(?:say|state|provide|contain|lay down|specify)s?\b.{0,20}\b(?:about|on|regarding|concerning|for)\b"
    r"|(?:对|关于|就|有关|针对).{1,24}(?:怎么|如何|怎样|有什么|有何|有哪些|作了|是怎么|是如何|什么).{0,4}(?:规定|约定|说|要求|写)",
    re.IGNORECASE,
)
_USABLE = (Sufficiency.ANSWERED, Sufficiency.PARTLY, Sufficiency.CONFLICTING)


def judge_addressed(
    task: SubTask, addressed: Addressed, combination: Combination, evidence: Sequence[Evidence], means: Means
) -> TaskVerdict:
    """The verdict on a task whose question names a numbered part.

    Args:
        task: with earlier answers filled in.
        addressed: what was looked up for it.
        combination: of the whole plan.
        evidence: of this task, what was looked up first.
        means: limits and weights.
    """
    language = analyse_question(task.question).language
    if addressed.is_settled:
        return _quoted(task, addressed, evidence, language)
    inside = [_masked(source, spans) for source, spans in _spans(addressed, evidence)]
    verdict = judge_by_rules(_bare(task, addressed), combination, inside, means) if inside else None
    if verdict is not None and verdict.sufficiency in _USABLE:
        return verdict.model_copy(update={"question": task.question})
    if addressed.parts and _length(addressed) <= _SHORT and _ASKS_WHAT_IT_SAYS.search(task.question):
        return _quoted(task, addressed, evidence, language)
    return judge_by_rules(task, combination, evidence, means)


def _bare(task: SubTask, addressed: Addressed) -> SubTask:
    """The question without the words for the place: the place is found, and does not name itself."""
    text = without_address(task.question, addressed.names)
    return task.model_copy(update={"question": text}) if text else task


def _length(addressed: Addressed) -> int:
    return sum(span.end - span.start for part in addressed.parts for _, span in part.places)


def _quoted(task: SubTask, addressed: Addressed, evidence: Sequence[Evidence], language: str) -> TaskVerdict:
    """The parts as they stand, and what is not there."""
    by_id = {source.block.block_id: source for source in evidence}
    beside = len({part.document for part in addressed.parts}) > 1
    sentences: list[ExtractedSentence] = []
    missing = [lacking_line(said, document, language).rstrip("。.") for said, document in addressed.lacking]
    for part in addressed.parts:
        whole = list(_sentences(part, by_id, language))
        sentences += _headed(whole, part, language) if beside else whole
    if not sentences:
        finding = Finding(missing=tuple(missing))
        return _verdict(task, Sufficiency.MISSING, finding, missing)
    how = Sufficiency.PARTLY if missing else Sufficiency.ANSWERED
    return _verdict(task, how, Finding(sentences=tuple(sentences), confidence=_CONFIDENCE), missing)


def _verdict(task: SubTask, how: Sufficiency, finding: Finding, missing: Iterable[str]) -> TaskVerdict:
    return TaskVerdict(
        task_id=task.id, question=task.question, sufficiency=how, finding=finding, missing=tuple(missing)
    )


def _headed(sentences: Sequence[ExtractedSentence], part: AddressedPart, language: str) -> Iterator[ExtractedSentence]:
    """The sentences of a part with its document in front of the first."""
    for place, one in enumerate(sentences):
        text = one.text if place else message("side", language, source=part.document, statement=one.text)
        yield one.model_copy(update={"text": text})


def _sentences(part: AddressedPart, by_id: dict[str, Evidence], language: str) -> Iterator[ExtractedSentence]:
    """The stretches of a part in order: text as it stands, rows of tables with the names of their columns."""
    left = MOST_CHARACTERS
    for block_id, span in part.places:
        source = by_id.get(block_id)
        if source is None:
            continue
        for one in _pieces(source, span, language):
            length = sum(part.span.end - part.span.start for part in one.quotes[:1])
            if length > left:
                cut = _cut(source, one, left)
                if cut is not None:
                    yield cut
                return
            left -= length
            yield one


def _cut(source: Evidence, one: ExtractedSentence, left: int) -> ExtractedSentence | None:
    """The beginning of a text up to a line; None where no line fits, or where it is a table's row."""
    first = one.quotes[0]
    end = first.text.rfind("\n", 0, left)
    if end <= 0 or len(one.quotes) > 1:
        return None
    part = quote(source, first.span.start, first.span.start + end)
    return one.model_copy(update={"text": part.text, "quotes": (part,)})


def _pieces(source: Evidence, span: Span, language: str) -> Iterator[ExtractedSentence]:
    units = cut_units(_masked(source, (span,)))
    rows = {unit.start: unit for unit in units if unit.row is not None}
    start = span.start
    for line_start, line_end in _lines(source.block.text, span):
        is_table = source.block.text[line_start:line_end].lstrip().startswith("|")
        if not is_table:
            continue
        yield from _text(source, start, line_start)
        start = line_end
        row = next((unit for at, unit in rows.items() if line_start <= at < line_end), None)
        if row is not None:
            yield _row(row, language)
    yield from _text(source, start, span.end)


def _lines(text: str, span: Span) -> Iterator[tuple[int, int]]:
    start = span.start
    while start < span.end:
        end = text.find("\n", start, span.end)
        end = span.end if end < 0 else end
        yield start, end
        start = end + 1


def _text(source: Evidence, start: int, end: int) -> Iterator[ExtractedSentence]:
    said = source.block.text[start:end]
    start, end = start + len(said) - len(said.lstrip()), start + len(said.rstrip())
    if start < end:
        part = quote(source, start, end)
        yield ExtractedSentence(text=part.text, quotes=(part,), score=_CONFIDENCE)


def _row(unit: Unit, language: str) -> ExtractedSentence:
    assert unit.row is not None  # asked by `_pieces`
    header = quote(unit.source, unit.row.header_start, unit.row.header_end)
    return ExtractedSentence(text=whole_row(unit.row, language), quotes=(unit.quote(), header), score=_CONFIDENCE)


def _spans(addressed: Addressed, evidence: Sequence[Evidence]) -> Iterator[tuple[Evidence, tuple[Span, ...]]]:
    places = [place for part in addressed.parts for place in part.places]
    for source in evidence:
        own = tuple(span for block_id, span in places if block_id == source.block.block_id)
        if own:
            yield source, own


def _masked(source: Evidence, spans: Sequence[Span]) -> Evidence:
    """A block of which only some stretches can be read; whatever is quoted keeps its place."""
    text = source.block.text
    shown = ["\n" if character == "\n" else " " for character in text]
    for span in spans:
        shown[span.start : span.end] = text[span.start : span.end]
    block = source.block.model_copy(update={"text": "".join(shown)})
    return source.model_copy(update={"block": block, "focus": tuple(spans)})
