# ruff: noqa: E501 - patterns are read in one piece
"""Parties of contracts: 甲方：X, 采购方/供应商, Buyer: X, "between X (the Buyer) and Z"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..models import Entity, Kind, Predicate, Relation
from ..names import entity, role_entity
from .text import RuleText

_ROLES: dict[Predicate, str] = {
    Predicate.PARTY_A: r"甲方|Party\s+A",
    Predicate.PARTY_B: r"乙方|Party\s+B",
    Predicate.BUYER: r"采购方|采购人|采购单位|买方|需方|购买方|Buyer|Purchaser",
    Predicate.SUPPLIER: r"供应商|供应方|供货方|供货单位|卖方|供方|销售方|Supplier|Seller|Vendor",
    Predicate.PARTY: r"[丙丁]方|发包人|发包方|承包人|承包方|委托人|委托方|受托人|受托方|出租人|出租方|承租人|承租方|贷款人|借款人|服务方|服务商|许可方|被许可方|用人单位|Party\s+[CD]|Landlord|Tenant|Lessor|Lessee|Licensor|Licensee|Contractor|Service\s+Provider|Customer|Client|Borrower|Lender",
}
_ANY = "|".join(_ROLES.values())
_ORGANISATION = r"(?:公司|集团|厂|院|所|大学|学院|学校|医院|银行|局|中心|委员会|事务所|合作社|商行|经营部|工作室|协会|研究会|政府|法院|部队|处|站|店|社)"
_LINE = re.compile(
    rf"^[ \t|>*#-]*(?P<role>{_ANY})(?:\s*[(](?P<second>[^()\n]{{1,16}})[)])?(?:名称|全称|单位名称)?\s*(?:[:|]\s*)+(?P<name>[^\n|]{{2,80}})",
    re.MULTILINE,
)
_NAME_END = re.compile(
    r"\s{2,}|[,;。]|[(](?:以下|下称|简称|盖章|签章|公章)|(?<=[\u4e00-\u9fff])\s+(?=地址|法定|电话|联系)|$"
)
_BLANK_FORM = re.compile(r"^[_\s＿—-]*$|_{2,}|盖章|签[字章名]|^[(\[]|^[Xx×]{2,}|姓名|名称|地址|电话")
_CALLED = re.compile(
    rf"(?P<name>[^\s,.;:!?()\"“”《》|与和及由]{{3,40}}?{_ORGANISATION})\s*[(]\s*(?:以下|下文)?(?:均|统一)?(?:简称|称)?为?\s*[\"“]?(?P<role>{_ANY})[\"”]?\s*[)]"
)
_BETWEEN = re.compile(
    r"\b[Bb]etween\s*:?\s+(?P<first>[A-Z][^()\n;]{2,80}?)\s*(?:[(](?P<role1>[^()]{2,80})[)])?,?\s+and\s+(?P<second>[A-Z][^()\n;.]{2,80}?)\s*(?:[(](?P<role2>[^()]{2,80})[)]|(?=[.,;\n]|$))"
)
_QUOTED_ROLE = re.compile(rf"[\"“'](?:the\s+)?(?P<role>{_ANY})[\"”']|\bthe\s+(?P<bare>{_ANY})\b", re.IGNORECASE)
_LEGAL_FORM = re.compile(r",?\s+(?:a|an)\s+[a-z][^,]*$|,\s+(?:with|whose|having|of)\s.*$")


class _Party(NamedTuple):
    predicate: Predicate
    role: str
    entity: Entity
    start: int
    end: int


def parties(text: RuleText) -> Iterator[Relation | None]:
    """The parties of a contract, what they are called in it, and who supplies whom."""
    named = list(dict.fromkeys((*_lines(text), *_called(text), *_between(text))))
    bearers = {role: {one.entity.key for one in named if one.role == role} for role in {one.role for one in named}}
    # A role of several names is that of a list: each row is about another contract.
    found = [one for one in named if len(bearers[one.role]) == 1]
    for party in found:
        place = (party.start, party.end)
        yield text.stated(text.document, party.predicate, party.entity, *place)
        yield text.stated(role_entity(text.doc_id, party.role), Predicate.ALIAS_OF, party.entity, *place)
    yield from _supply(text, found)


def _supply(text: RuleText, found: list[_Party]) -> Iterator[Relation | None]:
    """Of one buyer and one supplier of a block, that the one supplies the other."""
    buyers = {one.entity.key: one for one in found if one.predicate is Predicate.BUYER}
    suppliers = {one.entity.key: one for one in found if one.predicate is Predicate.SUPPLIER}
    if len(buyers) == len(suppliers) == 1:
        (buyer,), (supplier,) = buyers.values(), suppliers.values()
        place = min(buyer.start, supplier.start), max(buyer.end, supplier.end)
        yield text.stated(buyer.entity, Predicate.SUPPLIER, supplier.entity, *place)


def _lines(text: RuleText) -> Iterator[_Party]:
    for found in _LINE.finditer(text.folded):
        end = _NAME_END.search(found["name"])
        name = found["name"][: end.start() if end else None].strip()
        party = None if _BLANK_FORM.search(name) else entity(name, _kind(name))
        if party is None or len(name) > 60 or _is_sentence(name):
            continue
        if "|" in found.group() and party.kind is not Kind.ORGANISATION:
            continue  # whoever signs for a party, or the header of a list
        place = found.start("role"), found.start("name") + len(name)
        for role in (found["role"], *re.findall(_ANY, found["second"] or "")):
            if predicate := _predicate(role):
                yield _Party(predicate, role, party, *place)


def _called(text: RuleText) -> Iterator[_Party]:
    for found in _CALLED.finditer(text.folded):
        party, predicate = entity(found["name"], Kind.ORGANISATION), _predicate(found["role"])
        if party is not None and predicate is not None:
            yield _Party(predicate, found["role"], party, *found.span())


def _between(text: RuleText) -> Iterator[_Party]:
    for found in _BETWEEN.finditer(text.folded):
        for name, said in ((found["first"], found["role1"]), (found["second"], found["role2"])):
            quoted = _QUOTED_ROLE.search(said or "")
            role = "" if quoted is None else quoted["role"] or quoted["bare"]
            predicate = _predicate(role)
            party = entity(_LEGAL_FORM.sub("", name), Kind.ORGANISATION)
            if party is not None and predicate is not None:
                yield _Party(predicate, role, party, *found.span())


def _predicate(role: str) -> Predicate | None:
    return next((p for p, words in _ROLES.items() if re.fullmatch(words, role.strip(), re.IGNORECASE)), None)


def _kind(name: str) -> Kind:
    return Kind.ORGANISATION if re.search(_ORGANISATION, name) or name.isascii() else Kind.NAME


def _is_sentence(name: str) -> bool:
    """Whether what stands behind a role is a clause about it and no name."""
    return (
        re.search(r"[是应将须]|有权|负责|不得|可以|承担|提供|\b(?:shall|must|may|will|is|are|has)\b", name) is not None
    )
