# ruff: noqa: E501 - patterns are read in one piece
"""Who is responsible for what, who holds which role, what belongs where: only forms that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...evidence.names import names_in
from ...text.values import ValueKind, find_values
from ..models import Entity, Kind, Predicate, Relation
from ..names import entity, role_entity
from .text import RuleText, is_organisation

_HAN = r"[\u4e00-\u9fffA-Za-z0-9]"
_BODY = r"(?:部|部门|处|科|室|中心|委员会|办公室|公司|局|院|厅|署|小组|工作组|经理|主任|主管|总监|负责人|专员|管理员|政府|机关|机构|单位|委|[甲乙丙]方|工程师|秘书|董事会|监事会|股东会|理事会)"
_START = r"(?:^|(?<=[\s,。;:)|]))"
_SURELY = r"(?:统一|具体|全面|主要|共同|牵头|归口|依法|分别)?"
_OBJECT = r"(?P<object>[^,。;:!?|\n]{2,60})(?=[,。;:!?|\n]|$)"
_ZH_ACTIVE = re.compile(
    rf"{_START}(?P<subject>{_HAN}{{1,18}}?{_BODY})(?:应当|应|须|将)?{_SURELY}负责(?!人|制|任)(?:对|就)?{_OBJECT}"
)
_ZH_PASSIVE = re.compile(
    rf"{_START}(?P<object>[^,。;:!?|\n由]{{2,30}}?)(?:应当|应|须|均|将|统一)?由(?P<subject>{_HAN}{{1,18}}?{_BODY}){_SURELY}负责(?P<deed>解释|修订|组织|实施|执行|管理|落实|编制|制定|审批|维护)?(?=[,。;\n]|和|并|$)"
)
_ROLE_END = r"(?:经理|总裁|董事长|董事|主任|主管|总监|负责人|院长|校长|行长|厂长|部长|处长|科长|所长|组长|队长|秘书长|秘书|会长|主席|总工程师|工程师|代表|顾问|监事|财务官|执行官|技术官|运营官)"
_PERSON = r"(?P<person>[\u4e00-\u9fff]{2,3}|[\u4e00-\u9fff]某{1,2}|[A-Z][a-z]+(?:\s[A-Z][a-z]+){1,2})"
_ZH_APPOINTED = (
    re.compile(
        rf"(?:任命|聘任|聘请|委派|指派|选举|指定){_PERSON}(?:同志|先生|女士)?(?:为|担任|任|出任)(?P<role>[^,。;的:|\n]{{0,16}}{_ROLE_END})"
    ),
    re.compile(
        rf"{_START}{_PERSON}(?:同志|先生|女士)(?:被任命为|担任|出任|兼任|任)(?P<role>[^,。;的:|\n]{{0,16}}{_ROLE_END})"
    ),
)
_EN_BODY = r"(?:[Dd]epartment|[Tt]eam|[Oo]ffice|[Oo]fficer|[Mm]anagers?|[Cc]ommittee|[Bb]oard|[Dd]irectors?|[Ss]upervisors?|[Aa]dministrators?|[Oo]wners?|[Ss]uppliers?|[Cc]ontractor|[Uu]nit|[Dd]ivision|[Dd]esk|[Cc]oordinator|CEO|CFO|CISO|CTO|[Cc]ompany|[Ss]ecretary|[Bb]uyer|[Ss]eller|Party\s+[AB])"
_EN_ACTIVE = re.compile(
    rf"(?:^|(?<=[.,;:|\n]\s)|(?<=\n)|(?<=[Tt]he\s)|(?<=[Oo]ur\s)|(?<=[Ee]ach\s))(?:The\s+|the\s+)?(?P<subject>(?:(?!the\b|that\b|and\b|which\b)[A-Za-z][\w&'-]*\s+){{0,4}}?{_EN_BODY})\s+(?:is|are|shall\s+be|will\s+be)\s+(?:jointly\s+|solely\s+|fully\s+|also\s+)?responsible\s+for\s+(?P<object>[^.;,:|\n]{{3,100}})(?=[.;,:|\n]|$)"
)
_EN_NAME = r"(?<![\w&'’.-])(?:[A-Z][\w&'’.-]*[ ]+){0,4}[A-Z][\w&'’-]*"
_EN_APPOINTED = re.compile(
    r"(?P<person>(?:(?:Mr|Ms|Mrs|Dr)\.?\s+)?[A-Z][a-z’'-]+(?:\s+[A-Z]\.)?(?:\s+[A-Z][a-z’'-]+){1,2})\s+(?:was|is|has\s+been|is\s+hereby)\s+appointed\s+(?:as\s+)?(?:the\s+|a\s+)?(?P<role>[A-Za-z][A-Za-z &-]{2,60}?)(?=\s+(?:on|in|from|with|effective|for|by)\b|[.,;\n]|$)"
)
_ZH_PLACE = re.compile(
    r"(?<!其)(?:(?:总部|注册地|工厂|办公地)?(?:位于|坐落于|坐落在)|总部设[在于])(?P<place>[^,。;:!?|\n的]{2,24}?)(?=[,。;\n]|的|是|$)"
)
_ZH_FOUNDED = re.compile(
    r"(?:成立于|创立于|创建于|始建于|注册成立于)(?P<date>[^,。;\n]{4,16})|于(?P<before>\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)(?:正式)?(?:成立|创立|注册成立)(?=[,。;\n]|$)"
)
_ZH_BELONGS = re.compile(
    rf"{_START}(?P<subject>{_HAN}{{2,20}}?)(?:隶属于|隶属|归属于|从属于|是(?P<of>{_HAN}{{3,24}}?)的(?:全资|控股)?子公司)(?P<object>{_HAN}{{2,24}})?(?=[,。;\n]|$)"
)
_EN_PLACE = re.compile(
    rf"(?P<subject>{_EN_NAME}),?\s+(?:is|are|was)?\s*(?:headquartered|based|located|situated)\s+in\s+(?P<object>(?:the\s+)?[A-Z][\w'’-]*(?:(?:,\s+|\s+(?:of\s+)?)[A-Z][\w'’-]*){{0,4}})"
)
_EN_FOUNDED = re.compile(
    rf"(?P<subject>{_EN_NAME}),?\s+(?:was\s+|is\s+a\s+[a-z -]+\s)?(?:founded|established|incorporated)\s+(?:in|on)\s+(?P<date>(?:[A-Z][a-z]+\s+(?:\d{{1,2}},\s+)?)?\d{{4}})"
)
_EN_BELONGS = re.compile(
    rf"(?P<subject>{_EN_NAME}),?\s+(?:is|was)\s+(?:a|an)\s+(?:wholly[- ]owned\s+)?(?:subsidiary|division|department|member)\s+of\s+(?:the\s+)?(?P<object>{_EN_NAME})"
)
_LONGEST_BEFORE = 300
"""Characters between the beginning of a sentence and what it says of the organisation that it begins with."""
_ANOTHER = re.compile(r"其|办公室|子公司|分公司|客户|项目|地块|房屋")
"""Of which a sentence may say something else than of the organisation that it begins with."""
_SELF = re.compile(r"^(?:本|该)(?:办法|规定|制度|条例|细则|规则|标准|规范|手册|方案|指南|法|合同|协议)(?:的)?$")
_NOT_SUBJECT = re.compile(
    r"^(?:本|该|其|此|各|某|上述|前款|有关|相关|并|由|和|与|及|或|以及|不|未|可|应|经|向|对|在|为|是|因|如|其他|负责)|[的了是]|负责|应当|不得|可以"
)
_NOT_OBJECT = re.compile(
    r"^(?:的|人|任|制|并|和|地|之|其|本条|前款|上述)|的(?:部门|机构|机关|人员|单位|人)|应当|不得|可以|必须"
)
_PARTY = re.compile(
    r"[甲乙丙]方|Party\s+[AB]|[Bb]uyer|[Ss]eller|[Ss]uppliers?|[Cc]ompany|公司|部门|委员会|办公室|中心|机构|单位|主管|经理|主任|负责人",
    re.ASCII,
)
_LABEL = re.compile(
    r"^(?:第[一二三四五六七八九十百零\d]{1,6}[条章节款项]\s*|[一二三四五六七八九十\d]{1,3}[、.]\s*|\d+(?:\.\d+)+\s*)"
)


def duties(text: RuleText) -> Iterator[Relation | None]:
    """X负责Y, Y由X负责, X is responsible for Y."""
    for pattern in (_ZH_ACTIVE, _EN_ACTIVE):
        for found in pattern.finditer(text.folded):
            task = None if _NOT_OBJECT.search(found["object"]) else entity(found["object"], Kind.TASK)
            yield text.stated(_doer(text, found["subject"]), Predicate.RESPONSIBLE_FOR, task, *found.span())
    for found in _ZH_PASSIVE.finditer(text.folded):
        said = _LABEL.sub("", found["object"])
        task = text.document if _SELF.match(said) else entity(said, Kind.TASK)
        if not _NOT_OBJECT.search(said):
            yield text.stated(_doer(text, found["subject"]), Predicate.RESPONSIBLE_FOR, task, *found.span())


def _doer(text: RuleText, name: str) -> Entity | None:
    """Who does something; a bare 甲方 or "the company" is somebody else in each document."""
    said = _LABEL.sub("", name).strip()
    if _NOT_SUBJECT.search(said):
        return None
    return role_entity(text.doc_id, said) if _PARTY.fullmatch(said) else entity(said, Kind.ORGANISATION)


def roles(text: RuleText) -> Iterator[Relation | None]:
    """Who was appointed to what."""
    for pattern in (*_ZH_APPOINTED, _EN_APPOINTED):
        for found in pattern.finditer(text.folded):
            role = entity(found["role"], Kind.ROLE)
            yield text.stated(entity(found["person"], Kind.PERSON), Predicate.HOLDS_ROLE, role, *found.span())


def places(text: RuleText) -> Iterator[Relation | None]:
    """Where an organisation sits, when it was founded, what it belongs to."""
    for found in _ZH_PLACE.finditer(text.folded):
        subject = _organisation_before(text, found.start())
        yield text.stated(subject, Predicate.LOCATED_IN, entity(found["place"], Kind.PLACE), *found.span())
    for found in _ZH_FOUNDED.finditer(text.folded):
        subject = _organisation_before(text, found.start())
        yield text.stated(subject, Predicate.FOUNDED_IN, _date(found["date"] or found["before"]), *found.span())
    for found in _ZH_BELONGS.finditer(text.folded):
        owner = entity(found["of"] or found["object"] or "", Kind.ORGANISATION)
        subject = None if _NOT_SUBJECT.search(found["subject"]) else entity(found["subject"], Kind.ORGANISATION)
        yield text.stated(subject, Predicate.BELONGS_TO, owner, *found.span())
    yield from _english_places(text)


def _english_places(text: RuleText) -> Iterator[Relation | None]:
    for pattern, predicate, kind in (
        (_EN_PLACE, Predicate.LOCATED_IN, Kind.PLACE),
        (_EN_BELONGS, Predicate.BELONGS_TO, Kind.ORGANISATION),
    ):
        for found in pattern.finditer(text.folded):
            yield text.stated(_english(found["subject"]), predicate, entity(found["object"], kind), *found.span())
    for found in _EN_FOUNDED.finditer(text.folded):
        yield text.stated(_english(found["subject"]), Predicate.FOUNDED_IN, _date(found["date"]), *found.span())


def _english(name: str) -> Entity | None:
    """A proper name out of what stands before a verb; nothing where it is no name (It, The)."""
    named = names_in(name)
    return entity(named[-1], Kind.ORGANISATION) if named and name.endswith(named[-1]) else None


def _organisation_before(text: RuleText, offset: int) -> Entity | None:
    """The only organisation that a sentence has named before an offset; None where there are several or none."""
    sentence = text.sentence_at(offset)
    before = text.folded[sentence.start : offset]
    if len(before) > _LONGEST_BEFORE:
        return None
    found = [name for name in names_in(before) if not name.isascii() or " " in name]
    is_plain = len(found) == 1 and before.lstrip().startswith(found[0]) and not _ANOTHER.search(before)
    return entity(found[0], Kind.ORGANISATION) if is_plain and is_organisation(found[0]) else None


def _date(said: str) -> Entity | None:
    dates = [value for value in find_values(said) if value.kind is ValueKind.DATE]
    year = said if said.isdecimal() else ""
    return entity(dates[0].raw if dates else year, Kind.DATE)
