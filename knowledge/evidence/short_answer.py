# ruff: noqa: E501 - patterns and word lists are read in one piece
"""The name or value in a quoted sentence or row that a question asks for, for questions that build on it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.values import Value, ValueKind
from .amounts import amounts
from .named_answers import named_answer
from .nearest_value import nearest, rated_values, wanted_kinds
from .phrases import content_words, word_share
from .question import QuestionAnalysis
from .question_words import WANTED_VALUES, AnswerType
from .shown_cells import Cell, best_cell, label_rating, shown_cells
from .terms import terms

_NAMED = frozenset({AnswerType.PERSON, AnswerType.ORGANISATION, AnswerType.PLACE})
# Types whose answer is a whole statement, not a name.
_STATEMENTS = frozenset(
    {AnswerType.REASON, AnswerType.SUMMARY, AnswerType.DEFINITION, AnswerType.YES_NO, AnswerType.LIST}
)
# What a column is called that names somebody, something that acts, or a place.
_COLUMNS: dict[AnswerType, re.Pattern[str]] = {
    AnswerType.PERSON: re.compile(r"责任人|负责人|姓名|联系人|经办人|审批人|批准人|签字人|代表|\bname\b|\bowner\b|responsible|contact|approver|\bperson", re.IGNORECASE),
    AnswerType.ORGANISATION: re.compile(r"供应商|公司|单位(?!$)|部门|厂家|厂商|供货|甲方|乙方|机构|supplier|vendor|company|department|organi[sz]ation|responsible|manufacturer", re.IGNORECASE),
    AnswerType.PLACE: re.compile(r"地点|地址|位置|场所|起点|终点|\b(?:location|address|place|site|storage|from)\b", re.IGNORECASE),
}  # fmt: skip
_BY_COLUMN = 0.4
# A cell of which the question holds this share says which row it is.
_ASKED_ABOUT = 0.8
_LONGEST_NAME = 40
_IS = r"\s*(?:分别)?(?:为|是|系|：|:|is|was|are|were)\s*"
_PHRASE_END = re.compile(r"[，,。；;！!？?\n（(]|\.(?:\s|$)|\s(?:and|which|who|that|from|for|on|in)\s")
_ACTORS = re.compile(
    r"(?:suppliers?|vendors?|contractors?|manufacturers?|customers?|供应商|厂家|厂商|承包商|客户)", re.IGNORECASE
)
_MARKS = " ?？。."
_CHINESE_DESCRIPTIONS = (
    (re.compile(r"(?P<what>.+)的(?:人)?(?:是|叫)谁$"), "{what}的人"),
    (
        re.compile(r"(?P<what>.+)的(?:是|为|叫)哪一?[家位名台款套份座个种条项批件](?P<kind>[\u4e00-\u9fff]{1,8})$"),
        "{what}的{kind}",
    ),
    (re.compile(r"(?P<what>.+?)(?:是|叫|为)(?:谁|什么型号|什么名字|哪一?[家位名](?:[\u4e00-\u9fff]{0,6}))$"), "{what}"),
    (re.compile(r"谁是(?P<what>.+)$"), "{what}"),
    (
        re.compile(r".*?(?:什么|哪一?[份个家项])(?P<what>证书|文件|合同|协议|报告|公司|单位|部门|机构|设备|账户)"),
        "{what}",
    ),
    (re.compile(r"(?P<where>[^,]{0,16}?)谁(?P<what>.+)$"), "{where}{what}的人"),
)
_ENGLISH_DESCRIPTIONS = (
    (re.compile(r"who\s+(?:is|was)\s+(?P<what>.+)$", re.IGNORECASE), "{what}"),
    (re.compile(r"what\s+(?:is|are)\s+(?P<what>.+?)\s+called\s+(?P<which>(?:that|which|who)\s.+)$", re.IGNORECASE), "{what} {which}"),
    (re.compile(r"which\s+(?P<what>[\w-]+)\s+(?P<act>(?:is|was|has|had|must|may|can|[\w-]+s|[\w-]+ed)\b.*)$", re.IGNORECASE), "the {what} that {act}"),
)  # fmt: skip
_NAMED_KIND = re.compile(
    r"(?:什么|哪一?[份个项])(?P<zh>证书|文件|合同|协议|报告)|\b(?:what|which)\s+(?P<en>certificate|document|contract|agreement|report)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[《“\"「](?P<name>[^》”\"」]{2,30})[》”\"」]")


def short_answer(question: QuestionAnalysis, sentence: str) -> str:
    """The name, value or id that answers, in the sentence's own words; empty where nothing can be told apart.

    Args:
        question: what is asked.
        sentence: a quoted sentence, or a table row shown as `column: value` pairs.
    """
    if question.answer_type in WANTED_VALUES:
        value = answer_value(question, sentence)
        return value.raw if value else ""
    if question.answer_type in _STATEMENTS:
        return ""
    if _ACTORS.match(question.kind):
        question = question.model_copy(update={"answer_type": AnswerType.ORGANISATION})
    if kind := _NAMED_KIND.search(question.text):
        return _of_kind(kind["zh"] or kind["en"], question, sentence)
    cells = shown_cells(sentence)
    if cells:
        return _from_cells(question, cells)
    return _after_its_name(question, sentence) or _by_type(question, sentence)


def description(question: QuestionAnalysis) -> str:
    """Who or what a question asks for, in its own words, for a question that builds on it where no name was found.

    谁负责采购 is 负责采购的人, `who is the auditor of X` is `the auditor of X`; empty where the question does not say.
    """
    text = question.text.strip(_MARKS)
    for pattern, template in _CHINESE_DESCRIPTIONS if question.language == "zh" else _ENGLISH_DESCRIPTIONS:
        if found := pattern.match(text):
            return template.format(**found.groupdict())
    return ""


def answer_value(question: QuestionAnalysis, sentence: str, subject: str = "") -> Value | None:
    """The one value of the wanted kind that stands nearest to what is asked for and to the subject.

    `raw` is the value as written, a cell with the unit of its column; `start` and `end` are its place in the sentence.
    None where there is none, or where several differ and none is clearly nearer.
    """
    if question.answer_type is AnswerType.IDENTIFIER:
        return _identifier(question, sentence)
    return nearest(rated_values(question, sentence, subject, wanted_kinds(question)))


def _identifier(question: QuestionAnalysis, sentence: str) -> Value | None:
    cells = shown_cells(sentence)
    known = {value.key for value in question.values}
    cell = best_cell([(cell, label_rating(cell.label, question)) for cell in cells])
    start, text = (cell.start, cell.text) if cell else (0, sentence)
    found = [value for value in amounts(text) if value.kind is ValueKind.IDENTIFIER and value.key not in known]
    if len({value.key for value in found}) != 1:
        return None
    return found[0]._replace(start=start + found[0].start, end=start + found[0].end)


def _of_kind(kind: str, question: QuestionAnalysis, sentence: str) -> str:
    """The only certificate, report … that a sentence names, where a question asks which one it is."""
    if question.language == "zh":
        pattern = rf"(?:签署|签订|签发|签字|出具|提交|取得|获得|按照|根据|依据|[为是《“])(?P<name>[\u4e00-\u9fff]{{2,10}}?{kind})"
    else:
        pattern = rf"\b(?:the|an?)\s+(?P<name>(?:[\w-]+\s){{1,3}}?{kind})\b"
    names = {found["name"] for found in re.finditer(pattern, sentence, re.IGNORECASE)}
    names = {name for name in names if name.casefold() not in question.text.casefold()}
    return names.pop() if len(names) == 1 else ""


def _from_cells(question: QuestionAnalysis, cells: Sequence[Cell]) -> str:
    asked = question.terms | terms(question.text)
    open_cells = [cell for cell in cells if cell.text and not _is_asked_about(cell, question, asked)]
    column = _COLUMNS.get(question.answer_type)
    bearing = [cell for cell in open_cells if column and column.search(cell.label)]
    if len(bearing) == 1 and question.answer_type is AnswerType.PERSON:
        return bearing[0].text if len(bearing[0].text) <= _LONGEST_NAME else ""
    rated = [
        (cell, label_rating(cell.label, question) + (_BY_COLUMN if column and column.search(cell.label) else 0.0))
        for cell in open_cells
    ]
    best = best_cell(rated)
    return best.text if best and len(best.text) <= _LONGEST_NAME else ""


def _is_asked_about(cell: Cell, question: QuestionAnalysis, asked: frozenset[str]) -> bool:
    words = content_words(cell.text)
    share = sum(word_share(word, asked) for word in words) / len(words) if words else 0.0
    return cell.text in question.text or share >= _ASKED_ABOUT


def _after_its_name(question: QuestionAnalysis, sentence: str) -> str:
    """What stands behind the asked name and a word such as 为 or is: 联系人为王芳, the project manager is Lisa Wong."""
    is_named = question.answer_type in _NAMED
    for phrase in (question.kind, *(question.focus if is_named else ())):
        match = re.search(re.escape(phrase) + _IS, sentence, re.IGNORECASE) if len(phrase) > 1 else None
        if match is None:
            continue
        rest = sentence[match.end() :]
        end = _PHRASE_END.search(rest)
        name = (rest[: end.start()] if end else rest).strip(" 。.*")
        # In English a small letter begins a verb (were delivered by) or a description.
        is_verb = is_named and name[:1].isascii() and name[:1].islower()
        if 1 < len(name) <= _LONGEST_NAME and name not in question.text and not is_verb:
            return name
    return ""


def _by_type(question: QuestionAnalysis, sentence: str) -> str:
    if question.answer_type in _NAMED:
        return named_answer(question, sentence)
    names = {match["name"] for match in _ITEM.finditer(sentence) if match["name"] not in question.text}
    return names.pop() if len(names) == 1 else ""
