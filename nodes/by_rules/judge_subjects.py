"""Whether what was found is about what a part asks for: its subject, its edition, its sum."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...knowledge.editions import edition_of
from ...knowledge.evidence.amounts import amounts
from ...knowledge.evidence.conclusion_subjects import names_subject, said_with_headings
from ...knowledge.evidence.models import Evidence, ExtractedSentence
from ...knowledge.evidence.question import QuestionAnalysis
from ...knowledge.evidence.shown_cells import quoted_cells
from ...knowledge.evidence.table_totals import RowKind, row_kind
from ...knowledge.questions.models import Combination

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_EDITION = re.compile(
    r"(?<!\d)(?P<zh>(?:19|20)\d{2})\s*年?\s*(?:版|修订|修正)|\b(?P<en>(?:19|20)\d{2})\s+(?:edition|version|revision)\b"
    r"|(?:edition|version|revision)\s+(?:of\s+)?(?P<of>(?:19|20)\d{2})\b"
    r"|\b(?:Policy|Handbook|Manual|Code|Rules|Regulations?|Guide(?:lines?)?|Standards?)\s+(?P<name>(?:19|20)\d{2})\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    r"^(?P<who>[\u4e00-\u9fff]{2,12}?)的[\u4e00-\u9fff]{2,8}?(?:是|为|有|在|叫|多)(?:谁|什么|哪|多|几|大|少)"
)
_COMPUTED = {
    Combination.SUM: re.compile(r"合计|总|共|累计|\b(?:total|sum|altogether|overall|in all|combined)", re.IGNORECASE),
    Combination.AVERAGE: re.compile(r"平均|均|\b(?:average|mean)\b", re.IGNORECASE),
    Combination.COUNT: re.compile(
        r"\d|[一二三四五六七八九十两]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
    ),
    Combination.LARGEST: re.compile(r"最|\b(?:most|\w{3,}est|maximum|top|first)\b", re.IGNORECASE),
    Combination.SMALLEST: re.compile(r"最|\b(?:least|\w{3,}est|minimum|lowest)\b", re.IGNORECASE),
}
_STATED_BY = {
    Combination.SUM: frozenset({RowKind.TOTAL, RowKind.SUBTOTAL}),
    Combination.AVERAGE: frozenset({RowKind.STATISTIC}),
}


def is_about_another(
    question: QuestionAnalysis, subject: str, sentence: ExtractedSentence, evidence: Sequence[Evidence]
) -> bool:
    """Whether neither a sentence nor a heading above it names what is asked about.

    Args:
        question: of the part.
        subject: the name that the part is about; where it is empty, the owner that the question names (X的负责人是谁)
            has to stand somewhere in what was found of the document.
        sentence: the first that was found.
        evidence: with the source of the sentence.
    """
    said = f"{said_with_headings(sentence.quotes, evidence)}\n{sentence.text}"
    if _is_of_another_edition(question.text, sentence, evidence, said):
        return True
    if subject:
        return not names_subject(subject, said)
    whose = _WHOSE.match(question.text)
    if whose is None:
        return False
    blocks = {quote.block_id for quote in sentence.quotes}
    documents = {source.document.doc_id for source in evidence if source.block.block_id in blocks}
    texts = (source.block.text for source in evidence if source.document.doc_id in documents)
    return whose["who"][:2] not in "\n".join((said, *texts))


def _is_of_another_edition(asked: str, sentence: ExtractedSentence, evidence: Sequence[Evidence], said: str) -> bool:
    """Whether a question names an edition and the document of the answer is another one."""
    years = {int(year) for found in _EDITION.finditer(asked) for year in found.groups() if year}
    blocks = {quote.block_id for quote in sentence.quotes}
    names = {source.document.name for source in evidence if source.block.block_id in blocks}
    editions = {year for name in names for year in map(int, _YEAR.findall(name)) if edition_of(name).number}
    return bool(years and editions) and not years & (editions | {int(year) for year in _YEAR.findall(said)})


def leaves_computing_open(combination: Combination, sentence: ExtractedSentence) -> bool:
    """Whether a sum, average, count or extreme was asked for, and a sentence or row does not state it itself."""
    pattern = _COMPUTED.get(combination)
    if pattern is None:
        return False
    cells = quoted_cells(sentence)
    if cells:
        kind = row_kind(tuple(cell.text for cell in cells))
        return kind not in _STATED_BY.get(combination, ()) or not any(amounts(cell.text) for cell in cells)
    return pattern.search(sentence.text) is None
