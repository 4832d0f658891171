# ruff: noqa: E501 - patterns are read in one piece
"""Clauses: where each of them stands, and which others it refers to (见第X条, see Section X)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...text.values import find_values
from ..models import Entity, Kind, Predicate, Relation
from ..names import clause_key, clause_part, document_key, entity, entity_key
from .text import RuleText

_DOTTED = r"\d{1,3}(?:\.\d{1,3}){1,4}"
_LABEL_LEAD = re.compile(r"[ \t>*#]*")
_DOTTED_LABEL = re.compile(rf"[ \t>*#]*(?P<number>{_DOTTED})(?:[.、)]?[ \t]+|(?=[\u4e00-\u9fff]))(?=\S)")
_NUMBERED_HEADING = re.compile(r"(?P<number>\d{1,3})(?:[.、)]\s*|\s+)(?=[^\d\s.%])")
_DOTTED_REFERENCE = re.compile(
    rf"(?:第\s?|[见按照据依在和及与或、,]\s?|(?<![A-Za-z])(?:[Ss]ections?|[Cc]lauses?|[Aa]rticles?|[Pp]aragraphs?|[Ss]ee|and|or|to)\s+)(?P<number>{_DOTTED})(?=\s?[条款节项](?![\u4e00-\u9fff]*[元台个件天日])|(?<=\d)(?![\d.]*\d))"
)
_UNIT_BEHIND = re.compile(r"\s?[条款节项]")
_ENGLISH_BEFORE = re.compile(
    r"(?:[Ss]ections?|[Cc]lauses?|[Aa]rticles?|[Pp]aragraphs?)\s+(?:\d[\d.]*\s*(?:,|and|or|to)\s+)*$"
)
_NAMED_BEFORE = re.compile(
    r"(?:《(?P<title>[^《》]{2,80})》(?:[(][^()]{0,40}[)])?|(?P<law>中华人民共和国[\u4e00-\u9fff]{2,20}?(?:法|条例))|(?:依照|根据|按照|适用|违反|依据)(?P<short>[\u4e00-\u9fff]{1,12}?(?:法|条例|办法|规定|细则)))(?:的|中|之)?$"
)
_LIST_BEFORE = re.compile(
    r"(?:第[^第《》。;\n]{1,12}?[条章节款项](?:第[^第《》。;\n]{1,8}?[款项])*(?:、|和|及|与|或|至|到|,|以及|或者)+)+$"
)
_OTHER_TEXT_BEFORE = re.compile(
    r"(?<!本)[法例则](?:的|中|之)?$|(?:宪章|公约|条约|议定书|法典|宪法|标准)(?:的|中|之)?$|(?<![本该])(?:办法|规定|合同|协议|章程|制度|法律)(?:的|中|之)?$"
)
_PRONOUN = re.compile(r"^(?:该|此|其|本|前述|上述|有关|相关|国家|法律)")
_OWN_BEFORE = re.compile(
    r"本(?:法|条例|办法|规定|合同|协议|章程|制度|细则|规则|准则|标准|规范|手册|指南|通知|决定|意见|方案)(?:的|中|之)?$"
)
_ENGLISH_NAMED_BEHIND = re.compile(
    r"\s*(?:of|in|to)\s+(?:the\s+)?(?P<name>(?:[A-Z][\w&'-]*\s+){1,8}(?:Act|Regulations?|Policy|Code|Rules?|Law|Agreement|Treaty|Convention|Directive|Standard|Handbook|Manual)\b|(?:GDPR|ISO \d+))"
)
_OF_A_CODE = re.compile(r"(?:\([a-z0-9]+\))*\s+of\s+[Tt]itle\s+\d")
# A chapter 13 case, a Chapter 7 trustee: a kind of thing, named by a chapter of some law.
_CHAPTER = re.compile(r"chapter", re.IGNORECASE)
_NOUN_BEHIND = re.compile(r"\s+(?!(?:of|and|or|to|above|below|shall|must|may|is|are|applies|section|for)\b)[A-Za-z]")
_TITLE = re.compile(r"《(?P<title>[^《》\n]{2,60})》(?![^《》。;\n]{0,30}?第[^《》。;\n]{1,12}?条)")
_LOOKED_BACK = 100
_LONGEST_LABEL = 24
# Without §, which mostly belongs to a code that stands before it (11 U.S.C. § 704).
_CANDIDATE = re.compile(
    r"第\s?[(]?[一二三四五六七八九十百千零〇两\d]{1,9}[)]?\s?[条章节編编條節]|附[件录錄表]\s?[一二三四五六七八九十\dA-Z]|(?<![A-Za-z])(?:[Aa]rticles?|[Ss]ections?|[Cc]lauses?|[Cc]hapters?|[Aa]ppendix|[Aa]nnex|[Ss]chedule|[Aa]ttachment|[Ee]xhibit|[Pp]art)\s+(?:\d|[IVXLC]+\b|[A-Z]\b)"
)
_LABEL_UNITS = frozenset("条章节编") | {"附件"}


class _Label(NamedTuple):
    """A clause's number at the beginning of a line."""

    start: int
    end: int
    part: str
    name: str


def clauses(text: RuleText) -> Iterator[Relation | None]:
    """The clauses that begin in the block, and what each refers to."""
    labels = list(_labels(text))
    for label in labels:
        own = Entity(label.name, Kind.CLAUSE, clause_key(text.document.key, label.part))
        yield text.stated(text.document, Predicate.CONTAINS, own, label.start, label.end)
    at_start = _clause_of_section(text)
    for start, end, target in _references(text, labels):
        yield text.stated(_subject(text, labels, at_start, start), Predicate.REFERS_TO, target, start, end)
    for found in _TITLE.finditer(text.folded):
        clause = _subject(text, labels, at_start, found.start())
        title = entity(found["title"], Kind.DOCUMENT)
        # A document that names another one mentions it; a clause that does refers to it, as to a clause.
        if clause.kind == Kind.CLAUSE and title is not None and entity_key(text.document.name) != title.key:
            yield text.stated(clause, Predicate.REFERS_TO, title, *found.span())


def _labels(text: RuleText) -> Iterator[_Label]:
    position = 0
    headings = {entity_key(heading) for heading in text.block.section_path}
    for line in text.folded.splitlines(keepends=True):
        lead = _LABEL_LEAD.match(line)
        first = lead.end() if lead else 0
        if label := _label(line, first, is_heading=entity_key(line) in headings):
            yield label._replace(start=position + label.start, end=position + label.end)
        position += len(line)


def _label(line: str, first: int, *, is_heading: bool) -> _Label | None:
    if dotted := _DOTTED_LABEL.match(line):
        return _Label(dotted.start("number"), dotted.end("number"), dotted["number"], dotted["number"])
    if not _CANDIDATE.match(line, first):
        numbered = _NUMBERED_HEADING.match(line, first) if is_heading else None
        return _Label(first, numbered.end("number"), numbered["number"], numbered["number"]) if numbered else None
    for value in find_values(line[: first + _LONGEST_LABEL]):
        part = clause_part(value)
        if value.start == first and part is not None and not _goes_on(line, value.end):
            return _Label(value.start, value.end, part, value.raw)
        break
    return None


def _goes_on(line: str, end: int) -> bool:
    """Whether a clause's number at the beginning of a line is a part of its sentence: 第五条规定的…, Section 3 of …"""
    return (
        re.match(r"[的至和或、,及与]|第|规定|所|\s+(?:of|and|or|to|applies|shall)\b", line[end : end + 12]) is not None
    )


def _clause_of_section(text: RuleText) -> Entity | None:
    """The clause that a block goes on with, by its headings."""
    for heading in reversed(text.block.section_path):
        if label := _label(heading, 0, is_heading=True):
            return Entity(label.name, Kind.CLAUSE, clause_key(text.document.key, label.part))
    return None


def _subject(text: RuleText, labels: list[_Label], at_start: Entity | None, place: int) -> Entity:
    before = [label for label in labels if label.start <= place]
    if not before:
        return at_start or text.document
    return Entity(before[-1].name, Kind.CLAUSE, clause_key(text.document.key, before[-1].part))


def _references(text: RuleText, labels: list[_Label]) -> Iterator[tuple[int, int, Entity]]:
    taken = {label.start for label in labels}
    for found in _CANDIDATE.finditer(text.folded):
        start = found.start()
        value = next(iter(find_values(text.folded[start : start + _LONGEST_LABEL])), None)
        part = None if value is None or value.start else clause_part(value)
        if value is None or part is None or start in taken:
            continue
        owner = _owner(text.folded, start, start + value.end)
        if owner is not None:
            yield start, start + value.end, _target(text, owner, part, value.raw)
    for found in _DOTTED_REFERENCE.finditer(text.folded):
        start, end = found.span("number")
        before = text.folded[max(0, start - _LOOKED_BACK) : start]
        is_clause = _UNIT_BEHIND.match(text.folded, end) or _ENGLISH_BEFORE.search(before) or before.endswith("第")
        if start not in taken and is_clause and (owner := _owner(text.folded, found.start(), end)) is not None:
            yield start, end, _target(text, owner, found["number"], found["number"])


def _owner(text: str, start: int, end: int) -> str | None:
    """The title of the document that a reference names, empty for its own; None where that is not said surely."""
    before = text[max(0, start - _LOOKED_BACK) : start]
    bare = _LIST_BEFORE.sub("", before)
    if _OWN_BEFORE.search(bare):
        return ""
    if named := _NAMED_BEFORE.search(bare):
        title = next(filter(None, named.groups()))
        return None if _PRONOUN.match(title) else title
    if _OF_A_CODE.match(text, end) or (_CHAPTER.match(text, start) and _NOUN_BEHIND.match(text, end)):
        return None
    if behind := _ENGLISH_NAMED_BEHIND.match(text, end):
        return behind["name"]
    return None if _OTHER_TEXT_BEFORE.search(bare) else ""


def _target(text: RuleText, owner: str, part: str, raw: str) -> Entity:
    if not owner or entity_key(owner) == entity_key(text.document.name):
        return Entity(raw, Kind.CLAUSE, clause_key(document_key(text.doc_id), part))
    other = entity(owner, Kind.DOCUMENT)
    key = entity_key(owner) if other is None else other.key
    joined = f"《{owner}》{raw}" if not owner.isascii() else f"{raw} of {owner}"
    return Entity(joined, Kind.CLAUSE, clause_key(key, part))
