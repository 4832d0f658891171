"""What a text refers to (a numbered clause, an annex, a table, another document), and where that stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..addressing.relative import RelativeReference, relative_references
from ..documents import Block
from ..text.values import ValueKind, find_values
from .models import Span

Label = tuple[str, str]
"""The kind of a numbered part and its number, as `Value` names them: ("条", "10"), ("附件", "4"), ("表", "3")."""

# Paragraphs and items (款, 项) are parts of a clause that is named before them.
_PARTS = frozenset({"条", "節", "节", "章", "编", "附件", "附表"})
_TITLE = re.compile(r"《(?P<title>[^《》]{2,60})》|“(?P<quoted>[^”]{4,60})”|\"(?P<latin>[^\"]{4,60})\"")
# 代表3人 and 列表2份 are no tables with a number.
_TABLE = re.compile(
    r"(?:(?<![代列报图手仪钟发外])附?表|\bTable)\s?(?P<number>\d+(?:[-.]\d+)*|[A-Z]\d*(?![a-z]))(?![\d个名人份张年月日])"
)
# A clause belongs to the document that is named right before it: 《…》第十条, “…”的第3条.
_BEHIND_TITLE = re.compile(r"\s*(?:[（(][^（）()]{0,30}[）)])?\s*(?:的|中的?|,|，)?\s*")
# A title without quotation marks right before a label: 按照员工手册第二十条. 本办法 and 公司规定 are no titles.
_PLAIN = re.compile(
    r"(?P<title>[\u4e00-\u9fff]{2,24}(?:法|条例|办法|规定|合同|协议|手册|制度|规程|细则|章程))(?:[（(][^（）()]{0,12}[）)])?的?$"
)
_PLAIN_LEAD = re.compile(
    r"^.*(?:按照|根据|依照|依据|违反|适用|参照|比照|不符合|符合|执行|以及|[，,、见按依和与或及由在])"
)
_NO_TITLE = re.compile(
    r"[本该此这那].*|(?:各|上述|前述|我们?的?|我?公司的?|国家|有关|相关|法律|行政法规|双方)?(?:的|有关|相关)?"
    r"(?:合同|协议|办法|规定|手册|制度|规程|细则|章程|条例|法)"
)
_LINE = re.compile(r"[^\n]+")
_LEAD = re.compile(r"\s*(?:#{1,6}\s+|[-*•]\s+|\*\*|\|\s*)?")
_NUMBERED = re.compile(r"(?P<number>\d+(?:\.\d+)*)(?:[.、．)]|\s|:|：)(?=\s*\S)")
# A label stands within the first characters of its line.
_LABEL_END = 4
_LONGEST_PLAIN, _SHORTEST_PLAIN = 40, 3
# A clause that runs on longer is looked at from its beginning.
_LONGEST_PART = 1_200


class Reference(NamedTuple):
    """A place that a text refers to; without a label the document as a whole, without a title the text's own."""

    title: str
    label: Label | None
    is_plain: bool = False
    """Whether the title stands there without quotation marks, so that it may be no title at all."""


# Words that send the reader on for the substance; a clause that is merely named (违反第十条的规定) is not behind them.
_DEFERS = re.compile(
    r"(?:按照|依照|参照|比照|适用|(?<![凭遇会接参意])见|详见|参见|按(?!时|期|月|年|日|季)|依(?!法|次))[^。；;，,\n]{0,24}$"
    r"|\b(?:as set out in|as (?:specified|described|provided|stated|defined|listed) in|in accordance with|pursuant to|"
    r"according to|under|see(?: also)?|refer to|subject to|laid down in|given in)\b[^.;\n]{0,40}$",
    re.IGNORECASE,
)


# 第三节 加班 behind 第二十条 begins something else.
_ABOVE = frozenset({"节", "章", "编", "附件", "附表"})

_LEAD_LENGTH = 80
"""Characters before a reference in which such words stand, with what may stand between."""


class Place(NamedTuple):
    """Where a referenced part stands."""

    block: Block
    span: Span


def references_in(text: str) -> tuple[Reference, ...]:
    """Everything that a text refers to, in order, each once; its own label in front is no reference."""
    return tuple(dict.fromkeys(found for _, found in sorted(_references(text), key=lambda item: item[0])))


def deferred_to(text: str) -> tuple[Reference, ...]:
    """The places that a text sends its reader to for the substance: 按照第十一条处理, as set out in Section 4.2."""
    found = sorted(_references(text), key=lambda item: item[0])
    return tuple(
        dict.fromkeys(one for start, one in found if _DEFERS.search(text[max(start - _LEAD_LENGTH, 0) : start]))
    )


def deferred_by_place(text: str) -> tuple[RelativeReference, ...]:
    """The references by place that a text sends its reader to: 依照前款的规定, as set out in the preceding clause."""
    found = relative_references(text)
    return tuple(one for one in found if _DEFERS.search(text[max(one.start - _LEAD_LENGTH, 0) : one.start]))


def _references(text: str) -> Iterator[tuple[int, Reference]]:
    titles = [(match.end(), _title(match)) for match in _TITLE.finditer(text)]
    labelled: set[int] = set()
    for start, label in _labels(text):
        owner = next((at for at, _ in titles if at <= start and _BEHIND_TITLE.fullmatch(text, at, start)), None)
        if owner is not None:
            labelled.add(owner)
        elif _begins_line(text, start):
            continue
        plain = _plain_title(text[:start]) if owner is None else ""
        yield start, Reference(dict(titles)[owner] if owner is not None else plain, label, bool(plain))
    for end, title in titles:
        if end not in labelled:
            yield end, Reference(title, None)


def _plain_title(before: str) -> str:
    """The title without quotation marks that a text ends with; empty where it is none."""
    match = _PLAIN.search(before[-_LONGEST_PLAIN:])
    title = _PLAIN_LEAD.sub("", match["title"]) if match is not None else ""
    return "" if len(title) < _SHORTEST_PLAIN or _NO_TITLE.fullmatch(title) else title


def _title(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group)


def _labels(text: str) -> Iterator[tuple[int, Label]]:
    for value in find_values(text):
        if value.kind is ValueKind.CLAUSE and value.unit in _PARTS:
            yield value.start, (value.unit, value.canonical)
    for match in _TABLE.finditer(text):
        yield match.start(), ("表", match["number"].upper())


def _begins_line(text: str, start: int) -> bool:
    line = text.rfind("\n", 0, start) + 1
    lead = _LEAD.match(text, line)
    return lead is not None and lead.end() >= start


def place_of(label: Label, blocks: Sequence[Block]) -> Place | None:
    """The first place of a document that begins with a label: a clause, a heading, a table's caption."""
    for block in blocks:
        for line in _LINE.finditer(block.text):
            if label in labels_of_line(line.group()):
                said = block.text[: _end_of_part(block.text, line.end(), label)].rstrip()
                return Place(block, Span(start=line.start(), end=max(line.end(), len(said))))
        if block.section_path and label in labels_of_line(block.section_path[-1]):
            return Place(block, Span(start=0, end=min(len(block.text), _LONGEST_PART)))
    return None


def labels_of_line(line: str) -> frozenset[Label]:
    """The labels that a line begins with; a bare number (3.2 Payment) may be that of a clause or of a section."""
    lead = _LEAD.match(line)
    start = lead.end() if lead else 0
    head = line[start : start + 40]
    found = {label for at, label in _labels(head) if at < _LABEL_END}
    bare = _NUMBERED.match(head)
    if bare is not None:
        found |= {(unit, bare["number"]) for unit in ("条", "节")}
    return frozenset(found)


def _is_within(number: str, of: str) -> bool:
    """Whether 7.1 is a part of 7."""
    return number.startswith(f"{of}.")


def _end_of_part(text: str, start: int, label: Label) -> int:
    """Where the part ends: before the next line that begins with a label of its kind."""
    for line in _LINE.finditer(text, start):
        labels = labels_of_line(line.group())
        if any(kind == label[0] and not _is_within(number, label[1]) for kind, number in labels):
            return line.start()
        if labels and label[0] == "条" and _begins_above(line.group(), labels):
            return line.start()
        if line.start() - start > _LONGEST_PART:
            return line.start()
    return len(text)


def _begins_above(line: str, labels: frozenset[Label]) -> bool:
    """Whether a line begins a part that no clause holds; a bare number may be of a clause."""
    return line.lstrip().startswith(("第", "附")) and {kind for kind, _ in labels} <= _ABOVE
