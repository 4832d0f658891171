# ruff: noqa: E501 - patterns are read in one piece
"""Recognises questions about relations: which entity, which relation of it, which other entity."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..text.normalise import fold_widths, simplify
from .asking import GraphQuestion
from .models import Direction, Predicate
from .names import clean_name
from .predicates import WORDINGS


class AskedRelation(NamedTuple):
    """What a question asks the graph for, and how sure its form is."""

    question: GraphQuestion
    confidence: float


_SURE, _LIKELY = 0.9, 0.7
_END = r"\s*[?？。.!]*\s*$"
_LEAD = re.compile(
    r"^(?:请问|请告诉我|告诉我|查一下|查询|帮我查|请列出|列出|想知道|please\s+(?:tell me|list)\s+|can you tell me\s+|tell me\s+|do you know\s+)[,:\s]*",
    re.IGNORECASE,
)
_BETWEEN = (
    re.compile(
        rf"^(?P<a>.{{2,60}}?)\s*(?:和|与|跟|同|及)\s*(?P<b>.{{2,60}}?)(?:之间)?(?:是|有|存在)?(?:着)?(?:什么样的|什么|何种|哪些|怎样的)(?:关系|关联|联系){_END}"
    ),
    re.compile(
        rf"^what(?:'s| is| are)? the (?:relation|relationship|connection|link)s? between (?P<a>.{{2,80}}?) and (?P<b>.{{2,80}}?){_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^how (?:is|are) (?P<a>.{{2,80}}?) (?:and|related to|connected to|connected with|linked to) (?P<b>.{{2,80}}?)(?: related| connected| linked)?(?: to each other)?{_END}",
        re.IGNORECASE,
    ),
)
_REFERRING = (
    re.compile(
        rf"^(?P<in>.{{2,60}}?)(?:中|里|里面|的)?(?:有)?(?:哪些|哪几条|哪条)(?P<kind>条款|条文|条|款|章节)(?:都|还|也)?(?:引用|提到|提及|涉及|援引|参照|参见)(?:了|过|到)?(?P<a>(?:本合同|本办法|其)?第.{{1,20}}?){_END}"
    ),
    re.compile(
        rf"^(?:有)?(?:哪些其他|哪些|哪几[个条款份]|什么|谁|哪一?[个条款份])(?P<kind>条款|条文|条|款|文件|文档|制度|规定|合同|办法|资料|章节)?(?:中|里)?(?:都|还|也)?(?:引用|提到|提及|涉及|援引|参照|参见)(?:了|过|到)?(?P<a>.{{2,80}}?){_END}"
    ),
    re.compile(
        rf"^(?P<a>.{{2,80}}?)(?:都)?被(?:哪些|哪几个|哪几条|什么|哪个|哪条)(?P<kind>条款|条文|条|款|文件|文档|制度|规定|合同|办法|资料|章节)?(?:引用|提到|提及|援引|参照)(?:了|过)?{_END}"
    ),
    re.compile(
        rf"^(?:which|what) (?P<kind>clauses?|sections?|articles?|documents?|files?|policies|policy|contracts?|rules?) (?:refers?|point|points|relates?) to (?P<a>.{{2,80}}?){_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?:which|what) (?P<kind>clauses?|sections?|articles?|documents?|files?|policies|policy|contracts?|rules?) (?:mentions?|references?|cites?|quotes?) (?P<a>.{{2,80}}?){_END}",
        re.IGNORECASE,
    ),
    re.compile(rf"^where is (?P<a>.{{2,80}}?) (?:referred to|mentioned|referenced|cited){_END}", re.IGNORECASE),
)
_REFERRED = (
    re.compile(
        rf"^(?P<a>.{{2,60}}?)(?:都|还|也|里面?|中)?(?:引用|援引|参照|参见)(?:的是|的|了|过|到)?(?:本合同|本办法|其)?(?:中|里)?的?(?:哪些|哪几[个条款份项]|哪一?[个条款份项]|什么)(?:其他)?的?(?:条款|条文|条|款|项|文件|文档|制度|规定|合同|办法|资料|章节|内容)?{_END}"
    ),
    re.compile(
        rf"^(?:which|what)(?: other)?(?: clauses?| sections?| articles?| documents?| annex(?:es)?)? (?:does|do|is|are) (?:the )?(?P<a>.{{2,80}}?) (?:refer(?:ring)? to|cit(?:e|ing)|referenc(?:e|ing)|point(?:ing)? to){_END}",
        re.IGNORECASE,
    ),
)
_ASKS = r"(?:是|为|有|叫)?(?:谁|哪家|哪个|哪些|哪几家|什么|哪一家|哪家公司|哪家企业|哪个公司|哪个部门|多少)"
_NAMES = "|".join(
    re.escape(word)
    for word in sorted(
        {w for one in WORDINGS.values() for w in (*one.words, *one.reversed_words) if len(w) > 1 and not w.isascii()},
        key=len,
        reverse=True,
    )
)
_ENGLISH_NAMES = "|".join(
    re.escape(word)
    for word in sorted(
        {w for one in WORDINGS.values() for w in (*one.words, *one.reversed_words) if w.isascii()},
        key=len,
        reverse=True,
    )
)
_OF = (
    re.compile(rf"^(?P<a>.{{2,60}}?)的(?P<relation>{_NAMES}){_ASKS}{_END}"),
    re.compile(rf"^(?:谁|哪家公司|哪家|哪个)是(?P<a>.{{2,60}}?)的(?P<relation>{_NAMES}){_END}"),
    re.compile(
        rf"^(?:who|what|which(?: company| document| party)?) (?:is|are) the (?P<relation>{_ENGLISH_NAMES})s? (?:of|for|in|under) (?:the )?(?P<a>.{{2,80}}?){_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"^(?:who|what) (?:is|are) (?P<a>.{{2,80}}?)(?:'s|’s) (?P<relation>{_ENGLISH_NAMES}){_END}", re.IGNORECASE
    ),
)
_IN, _OUT = Direction.IN, Direction.OUT
_FIXED: tuple[tuple[re.Pattern[str], str, Direction], ...] = (
    (re.compile(rf"^(?:谁|哪家公司|哪家|哪个公司|哪家供应商)(?:供应|提供|供货)(?:了)?(?P<a>.{{2,60}}?)(?:的)?{_END}"), Predicate.SUPPLIER, Direction.ANY),
    (re.compile(rf"^(?P<a>.{{2,60}}?)(?:是)?由(?:谁|哪家公司|哪家|哪个公司)(?:供应|供货|提供)(?:的)?{_END}"), Predicate.SUPPLIER, Direction.ANY),
    (re.compile(rf"^(?P<a>.{{2,40}}?)(?:主要)?负责(?:什么|哪些(?:工作|事项|事务|职责|内容|制度|文件)?|些什么){_END}"), Predicate.RESPONSIBLE_FOR, _OUT),
    (re.compile(rf"^(?P<a>.{{2,60}}?)(?:由|归|是)(?:谁|哪个部门|哪个单位|哪位|哪个人)(?:来|在)?负责(?:解释|修订|管理|实施|组织)?{_END}"), Predicate.RESPONSIBLE_FOR, _IN),
    (re.compile(rf"^(?:谁|哪个部门|哪个单位|哪位|哪个人)(?:来|在)?(?:主要|具体|全面)?负责(?:了)?(?P<a>.{{2,60}}?)(?:的解释|的管理|的?工作|事宜|事务|这件事|的)?{_END}"), Predicate.RESPONSIBLE_FOR, _IN),
    (re.compile(rf"^(?P<a>.{{2,60}}?)(?:替代|取代|废止|代替)(?:了)?(?:哪些|哪个|什么|哪份)(?:文件|制度|规定|办法|版本)?{_END}"), Predicate.REPLACES, _OUT),
    (re.compile(rf"^(?:哪些|哪个|什么|哪份)(?:文件|制度|规定|办法|版本)?(?:替代|取代|废止|代替)(?:了)?(?P<a>.{{2,60}}?){_END}"), Predicate.REPLACES, _IN),
    (re.compile(rf"^(?P<a>.{{2,60}}?)(?:已)?被(?:哪些|哪个|什么|哪份)(?:文件|制度|规定|办法|版本)?(?:替代|取代|废止|代替)(?:了)?{_END}"), Predicate.REPLACES, _IN),
    (re.compile(rf"^(?:who|which company|which supplier) (?:supplies|supplied|provides|delivers|delivered) (?:the )?(?P<a>.{{2,80}}?){_END}", re.IGNORECASE), Predicate.SUPPLIER, Direction.ANY),
    (re.compile(rf"^what (?:is|are) (?:the )?(?P<a>.{{2,80}}?) responsible for{_END}", re.IGNORECASE), Predicate.RESPONSIBLE_FOR, _OUT),
    (re.compile(rf"^(?P<a>.{{2,40}}?)(?:工作)?的?(?:负责人|责任人)(?:是|叫|为)?(?:谁|哪位|哪些人|什么人){_END}"), Predicate.RESPONSIBLE_FOR, _IN),
    (re.compile(rf"^who(?:'s| is| are) (?:responsible for|in charge of) (?:the )?(?P<a>.{{2,80}}?){_END}", re.IGNORECASE), Predicate.RESPONSIBLE_FOR, _IN),
    (re.compile(rf"^who (?:handles|takes care of|looks after|manages|leads) (?:the )?(?P<a>.{{2,80}}?){_END}", re.IGNORECASE), Predicate.RESPONSIBLE_FOR, _IN),
    (re.compile(rf"^(?:what|which (?:document|policy|rule|regulation)s?) (?:does|do|did) (?:the )?(?P<a>.{{2,80}}?) (?:replace|supersede|repeal){_END}", re.IGNORECASE), Predicate.REPLACES, _OUT),
    (re.compile(rf"^(?:what|which (?:document|policy|rule|regulation)s?) (?:replaces?|replaced|supersedes?|superseded|repeals?|repealed) (?:the )?(?P<a>.{{2,80}}?){_END}", re.IGNORECASE), Predicate.REPLACES, _IN),
)  # fmt: skip
_CLAUSES = re.compile(r"条款|条文|条|款|章节|clause|section|article", re.IGNORECASE)
_CLAUSE_LABEL = re.compile(
    r"第.{1,12}[条款章节]$|\d\.\d+\s*[条款]?$|附[件录表].{1,4}$|(?:section|article|clause)s?\s*\d", re.IGNORECASE
)

Knows = Callable[[GraphQuestion], bool]


def asked_relation(question: str, knows: Knows) -> AskedRelation | None:
    """What a question asks the graph for; None where it asks something else, or of what the graph does not know.

    Args:
        question: as asked; `{t1}` may stand in it for what an earlier task finds.
        knows: whether the graph states anything for a question of it.
    """
    text = _LEAD.sub("", simplify(fold_widths(question)).strip())
    for asked in _readings(text):
        if "{" in asked.question.entity or knows(asked.question):
            return asked
    return None


def _readings(text: str) -> Iterator[AskedRelation]:
    for pattern in _BETWEEN:
        if found := pattern.search(text):
            yield AskedRelation(GraphQuestion(_name(found["a"]), other=_name(found["b"]), hops=2), _SURE)
    yield from _references(text)
    for pattern in _OF:
        if found := pattern.search(text):
            yield AskedRelation(GraphQuestion(_name(found["a"]), found["relation"]), _LIKELY)
    for pattern, predicate, direction in _FIXED:
        if found := pattern.search(text):
            # Who is responsible is a norm as well; where the graph holds the very task, that leaves no doubt.
            sure = _SURE if predicate == Predicate.RESPONSIBLE_FOR else _LIKELY
            yield AskedRelation(GraphQuestion(_name(found["a"]), predicate, direction=direction), sure)


def _references(text: str) -> Iterator[AskedRelation]:
    for pattern in _REFERRED:
        if found := pattern.search(text):
            yield AskedRelation(GraphQuestion(_name(found["a"]), Predicate.REFERS_TO, direction=Direction.OUT), _SURE)
    for pattern in _REFERRING:
        if found := pattern.search(text):
            yield from _incoming(found)


def _incoming(found: re.Match[str]) -> Iterator[AskedRelation]:
    """Who refers to something; documents also by what they merely mention."""
    kind, inside = found.groupdict().get("kind") or "", found.groupdict().get("in")
    name = _name(f"{inside or ''}{found['a']}")
    is_clause = _CLAUSES.search(kind) or _CLAUSE_LABEL.search(found["a"])
    if is_clause:
        yield AskedRelation(GraphQuestion(name, Predicate.REFERS_TO, direction=Direction.IN), _SURE)
    if not _CLAUSES.search(kind) or not is_clause:
        yield AskedRelation(GraphQuestion(name, Predicate.MENTIONS), _SURE)


def _name(text: str) -> str:
    """The name that a question gives, as it stands; titles keep their quotes, which set a clause's document apart."""
    stripped = re.sub(r"^(?:the|an?)\s+", "", text.strip(), flags=re.IGNORECASE)
    return stripped if "《" in stripped else clean_name(stripped)
