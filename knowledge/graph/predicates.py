# ruff: noqa: E501 - word lists are read in one piece
"""What relations are called by those who ask, and how they are shown."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from ..text.normalise import normalise
from .models import Predicate


class Wording(NamedTuple):
    """A relation's name in Chinese and English, and the words by which questions mean it."""

    zh: str
    en: str
    words: tuple[str, ...]
    reversed_words: tuple[str, ...] = ()
    """That ask for the subject of an object."""
    is_functional: bool = False
    """Whether a subject has one object, so that two that differ contradict each other."""


WORDINGS: dict[str, Wording] = {
    Predicate.ALIAS_OF: Wording("又称", "is also", ("简称", "全称", "又称", "别名", "alias", "short for", "full name", "abbreviation")),
    Predicate.CONTAINS: Wording("含有条款", "contains", ("条款", "章节", "clauses", "sections")),
    Predicate.REFERS_TO: Wording("引用", "refers to", ("引用", "参照", "援引", "refers to", "refer to", "references", "cites"), ("被引用", "referred to by", "cited by")),
    Predicate.DEFINED_IN: Wording("定义于", "is defined in", ("定义", "定义于", "defined in", "definition")),
    Predicate.PARTY: Wording("当事方", "has the party", ("当事方", "当事人", "签约方", "party", "parties")),
    Predicate.PARTY_A: Wording("甲方", "has as party A", ("甲方", "party a"), is_functional=True),
    Predicate.PARTY_B: Wording("乙方", "has as party B", ("乙方", "party b"), is_functional=True),
    Predicate.BUYER: Wording("买方", "has the buyer", ("买方", "采购方", "需方", "购买方", "采购单位", "buyer", "purchaser"), is_functional=True),
    Predicate.SUPPLIER: Wording("供应商", "has the supplier", ("供应商", "供货方", "卖方", "供方", "供货单位", "供货商", "supplier", "seller", "vendor"), ("客户", "供应给", "customer", "supplies")),
    Predicate.HAS_ID: Wording("编号", "has the number", ("编号", "型号", "合同号", "合同编号", "文件编号", "文号", "number", "model", "id", "contract number", "document number")),
    Predicate.REPLACES: Wording("取代", "replaces", ("取代", "替代", "废止", "代替", "replaces", "supersedes", "repeals"), ("被取代", "被废止", "被替代", "replaced by", "superseded by", "repealed by")),
    Predicate.RESPONSIBLE_FOR: Wording("负责", "is responsible for", ("负责", "职责", "职责范围", "responsible for", "responsibilities"), ("负责部门", "责任部门", "解释部门", "归口部门", "responsible department", "owner")),
    Predicate.HOLDS_ROLE: Wording("担任", "holds the role", ("担任", "职务", "role", "position"), ("经理", "负责人", "主任", "总裁", "manager", "director")),
    Predicate.BELONGS_TO: Wording("隶属于", "belongs to", ("隶属", "母公司", "belongs to", "parent company", "owner"), ("子公司", "下属", "subsidiary", "subsidiaries")),
    Predicate.LOCATED_IN: Wording("位于", "is located in", ("位于", "总部", "地址", "所在地", "located", "headquarters", "based in"), is_functional=True),
    Predicate.FOUNDED_IN: Wording("成立于", "was founded in", ("成立于", "成立时间", "成立日期", "founded", "established"), is_functional=True),
    Predicate.MENTIONS: Wording("提到", "mentions", ("提到", "提及", "涉及", "mentions", "mention"), ("被提到", "mentioned by")),
}  # fmt: skip


def _by_word() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, one in WORDINGS.items():
        for word in (name, name.replace("_", " "), one.zh, one.en, *one.words, *one.reversed_words):
            found.setdefault(normalise(word), set()).add(str(name))
    return {word: frozenset(names) for word, names in found.items()}


_MEANT = _by_word()
_LAST = (Predicate.CONTAINS, Predicate.ALIAS_OF, Predicate.MENTIONS)


def label(predicate: str, language: str) -> str:
    """How a relation is shown; a column's name is shown as it is."""
    wording = WORDINGS.get(predicate)
    return predicate.replace("_", " ") if wording is None else (wording.zh if language == "zh" else wording.en)


def asking_word(predicate: Predicate, language: str) -> str:
    """A word of a language that means a relation when it is asked for."""
    return next(word for word in WORDINGS[predicate].words if word.isascii() == (language == "en"))


def meant(said: str) -> frozenset[str]:
    """The relations that words mean; of a table's column or an ontology it is the words themselves."""
    word = normalise(said)
    return _MEANT.get(word, frozenset())


def is_called(word: str, predicate: str, named: Collection[str]) -> bool:
    """Whether a column or an ontology's relation is called so, or a known relation is meant by its name."""
    column = normalise(predicate)
    return bool(word) and (
        column == word or column.startswith((f"{word} (", f"{word}(")) or bool(meant(predicate) & set(named))
    )


def is_functional(predicate: str) -> bool:
    """Whether a subject has but one object of this relation, so that two contradict each other."""
    wording = WORDINGS.get(predicate)
    return wording is not None and wording.is_functional


def rank(predicate: str) -> int:
    """Which relations say more: those that only lead to a place or a name come last."""
    return _LAST.index(Predicate(predicate)) + 1 if predicate in _LAST else 0
