# ruff: noqa: E501 - patterns are read in one piece
"""Model, contract and document numbers, mentioned together with what bears them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.values import ValueKind, find_values
from ..models import Entity, Kind, Predicate, Relation
from ..names import entity
from .text import RuleText

_ID = r"(?P<id>(?=[A-Za-z0-9/_.-]*[A-Za-z])(?=[A-Za-z0-9/_.-]*\d)[A-Z][A-Za-z0-9]*(?:[-_/.][A-Za-z0-9]+)*)(?![A-Za-z0-9-])"
_THING = r"[\u4e00-\u9fff]{2,12}?"
_BORDER = r"(?:^|(?<=[\s,。;:、()|/]))"
_NAMED = (
    re.compile(rf"{_BORDER}(?P<name>{_THING})(?:的)?(?:规格型号|产品型号|设备型号|型号规格|型号)(?:为|是|:)\s*{_ID}"),
    re.compile(rf"{_BORDER}(?P<name>[\u4e00-\u9fff]{{2,12}})\s*[(](?:型号|编号|以下简称)?[:\s]?{_ID}[)]"),
    re.compile(
        rf"(?<![A-Za-z0-9-]){_ID}型?(?P<name>[\u4e00-\u9fff]{{2,8}}(?:机组|机|器|仪|柜|泵|阀|装置|设备|系统|单元|模块))"
    ),
    re.compile(
        rf"\b(?P<name>(?:[A-Za-z][A-Za-z-]+\s+){{0,3}}[A-Za-z][A-Za-z-]+)\s+\((?:[Mm]odel|[Pp]art|[Cc]ontract|[Rr]ef\.?|[Ss]erial)(?:\s+(?:[Nn]o\.?|[Nn]umber))?\s*:?\s*{_ID}\)"
    ),
)
_OF_DOCUMENT = re.compile(
    rf"(?:合同编号|合同号|文件编号|文件号|制度编号|项目编号|订单编号|订单号|协议编号|报告编号|文档编号|\b(?:[Cc]ontract|[Dd]ocument|[Pp]olicy|[Pp]roject|[Oo]rder|[Rr]eport|[Aa]greement)\s+(?:[Nn]o\.?|[Nn]umber|ID|#))\s*(?:[:|为是]|is)?\s*{_ID}"
)
_NOT_NAMES = re.compile(
    r"[的了是在为将由和与及或被把向对按]|^[本该其各此每某第]|型号|编号|^(?:其中|采用|使用|包括|以及|如|即|例如|根据|符合|执行)"
)
_STANDARD = re.compile(r"(?:ISO|IEC|GB|EN|DIN|IEEE|ANSI|JB|DL|UL|OHSAS|HTTP|IP)(?:[-/ ]?[A-Z])?[-/ ]?\d")
"""A standard that something meets, or a class of protection, is no number of its own."""
_LEADS = re.compile(r"^(?:采购|采用|使用|选用|配置|安装|购买|提供|新增|包括|一台|两台|\d+台)+")


def identifiers(text: RuleText) -> Iterator[Relation | None]:
    """Things with the number that they bear, and the numbers of the document itself."""
    for pattern in _NAMED:
        for found in pattern.finditer(text.folded):
            name = _LEADS.sub("", found["name"])
            thing = None if _NOT_NAMES.search(name) else entity(name, Kind.TERM)
            yield text.stated(thing, Predicate.HAS_ID, _identifier(found["id"]), *found.span())
    if text.block.ordinal == 0 or text.block.kind == "table":
        for found in _OF_DOCUMENT.finditer(text.folded):
            yield text.stated(text.document, Predicate.HAS_ID, _identifier(found["id"]), *found.span())


def _identifier(text: str) -> Entity | None:
    values = find_values(text)
    is_one = (
        not _STANDARD.match(text)
        and len(values) == 1
        and values[0].kind is ValueKind.IDENTIFIER
        and values[0].raw == text
    )
    return entity(text, Kind.IDENTIFIER) if is_one else None
