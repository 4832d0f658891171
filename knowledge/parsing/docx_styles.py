"""The paragraph styles of a Word document: which are headings, of what level, and which carry a list."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from .wordml import child, number, tag, value

_HEADING_NAME = re.compile(
    r"(?:heading|标题|標題|überschrift|titre|título|заголовок|見出し|제목)\s*([1-9])$", re.IGNORECASE
)
_TITLE_NAMES = frozenset({"title", "标题", "標題", "文档标题", "公文标题", "大标题"})
_CONTENTS_NAME = re.compile(r"(?:toc|目录|目錄|table of figures|图表目录)\b.*|(?:目录|toc)\s*\d", re.IGNORECASE)
_LONGEST_CHAIN = 20


class Style(NamedTuple):
    """What matters of a paragraph style, inherited properties included."""

    level: int | None = None
    is_title: bool = False
    is_contents: bool = False
    list_id: str | None = None
    depth: int | None = None


class Styles:
    """The styles by their ids."""

    def __init__(self, root: etree._Element | None) -> None:
        elements = root.findall(tag("style")) if root is not None else []
        self._elements = {element.get(tag("styleId"), ""): element for element in elements}
        self._default = next((identity for identity, element in self._elements.items() if _is_default(element)), None)
        self._resolved: dict[str, Style] = {}

    def of(self, identity: str | None) -> Style:
        """A style by its id; the default one where a paragraph names none."""
        key = identity or self._default or ""
        if key not in self._resolved:
            self._resolved[key] = self._resolve(key)
        return self._resolved[key]

    def list_ids(self) -> dict[str, str]:
        """The list that each style starts, by style id."""
        found = {key: value(element, "pPr", "numPr", "numId") for key, element in self._elements.items()}
        return {key: list_id for key, list_id in found.items() if list_id}

    def _resolve(self, identity: str) -> Style:
        chain = self._chain(identity)
        names = [(value(element, "name") or "").strip().lower() for element in chain]
        levels = [level for level in map(_own_level, chain) if level is not None]
        lists = [found for element in chain if (found := value(element, "pPr", "numPr", "numId"))]
        depths = [d for element in chain if (d := number(element, "pPr", "numPr", "ilvl")) is not None]
        return Style(
            level=levels[0] if levels and 1 <= levels[0] <= 9 else None,
            is_title=bool(names) and names[0] in _TITLE_NAMES,
            is_contents=any(_CONTENTS_NAME.match(name) for name in names),
            list_id=lists[0] if lists else None,
            depth=depths[0] if depths else None,
        )

    def _chain(self, identity: str) -> list[etree._Element]:
        chain: list[etree._Element] = []
        current: str | None = identity
        while current in self._elements and len(chain) < _LONGEST_CHAIN:
            chain.append(self._elements[current])
            current = value(chain[-1], "basedOn")
        return chain


def _is_default(element: etree._Element) -> bool:
    return element.get(tag("type")) == "paragraph" and element.get(tag("default")) in {"1", "true"}


def _own_level(element: etree._Element) -> int | None:
    """1 to 9 for a heading, 10 for a style that says it is body text, None where it says nothing."""
    match = _HEADING_NAME.match((value(element, "name") or "").strip())
    if match:
        return int(match.group(1))
    outline = number(child(element, "pPr"), "outlineLvl")
    return outline + 1 if outline is not None else None
