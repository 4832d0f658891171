"""Short forms and other names, and where terms are defined."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...query.aliases import aliases_in
from ...text.normalise import fold_widths
from ..models import Kind, Predicate, Relation
from ..names import entity
from .text import RuleText

_EDITION = re.compile(r"[(\[](?:19|20)\d{2}[^()\[\]]{0,8}[)\]]|[_\s-]*(?:19|20)\d{2}年?版")
_STATE = "中华人民共和国"
"""With which laws are entitled and mostly not cited."""
_TERM = r"[^\s,.;:!?()\"“”'《》|是指由为的在和与及或]"
_DEFINED = (
    re.compile(
        rf"(?:所称的?|所称之)[\"“'《]?(?P<term>{_TERM}{{2,20}}?)[\"”'》]?\s*,?\s*(?:是指|系指|指的是|,指|,包括)"
    ),
    re.compile(
        r"(?:^|(?<=[\n.。;；)]))[^\S\n]*(?:[(]?[\d一二三四五六七八九十]{1,3}[)、.]\s*)?[\"“](?P<term>[^\"”\n]{2,30})[\"”]\s*:?\s*(?:是指|系指|指(?![定导标出示挥令明数]))"
    ),
    re.compile(r"[\"“](?P<term>[A-Z][A-Za-z][^\"”\n]{0,40})[\"”]\s+(?:shall\s+)?(?:means?|refers?\s+to)\b"),
)


def aliases(text: RuleText) -> Iterator[Relation | None]:
    """Names that the block defines for things (以下简称, hereinafter, Full Name (FN))."""
    for sentence in text.sentences:
        piece = text.folded[sentence.start : sentence.end]
        for alias in aliases_in(piece):
            yield text.stated(
                entity(alias.short, Kind.TERM), Predicate.ALIAS_OF, entity(alias.long, Kind.TERM), *sentence
            )


def titles(text: RuleText) -> Iterator[Relation | None]:
    """What a document is called, with and without its edition, where its first block is: so mentions lead to it."""
    if text.block.ordinal:
        return
    place = max(text.folded.find(fold_widths(text.document.name)), 0)
    folded = fold_widths(text.document.name)
    plain = _EDITION.sub("", folded).strip()
    for name in dict.fromkeys((folded, plain, plain.removeprefix(_STATE))):
        yield text.stated(entity(name, Kind.DOCUMENT), Predicate.ALIAS_OF, text.document, place, place + 1)


def definitions(text: RuleText) -> Iterator[Relation | None]:
    """Terms that the block defines (本办法所称X，是指…; "X" means …)."""
    for pattern in _DEFINED:
        for found in pattern.finditer(text.folded):
            yield text.stated(entity(found["term"], Kind.TERM), Predicate.DEFINED_IN, text.document, *found.span())
