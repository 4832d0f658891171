# ruff: noqa: E501 - patterns are read in one piece
"""Totals of several counts, each with a price of its own: 三个25元的加两个18元的一共多少钱."""

from __future__ import annotations

import re

from .vocabulary import NUMBER, UNIT

_COUNTED_THINGS = "台个件套吨次人份张本支只块箱包袋瓶条"
_ONE_PRICED = re.compile(
    rf"(?P<count>{NUMBER})\s?[{_COUNTED_THINGS}]\s?(?P<price>{NUMBER})\s?(?P<unit>{UNIT})(?:/[\u4e00-\u9fff])?(?:一[{_COUNTED_THINGS}])?的?[\u4e00-\u9fff]{{0,4}}?"
)
_ONE_PRICED_IN_ENGLISH = re.compile(
    rf"(?P<count>{NUMBER})(?: (?!at\b|for\b)[a-z]+)?(?: at| for) (?P<price>[$€£¥]?\s?(?:{NUMBER}))\s?(?P<unit>{UNIT})?(?: each| apiece)?",
    re.IGNORECASE,
)
_NEXT_PRICED = re.compile(r"\s*(?:,\s*)?(?:再?加上?|和|与|及|以及|,|、|\+|\bplus\b|\band\b)\s*", re.IGNORECASE)
_TOGETHER = re.compile(
    r"^(?:买|购买|采购)?(?P<list>.+?),?\s?(?:一共|总共|共计|合计|加起来|共)?(?:是|要|花|得|需要?)?(?:多少钱?|几)(?:呢)?$"
    r"|^(?:what (?:do|does|is|are)|how much (?:do|does|is|are)) (?P<en>.+?)(?: (?:cost|come to|make))?(?:,? (?:together|altogether|in total|in all))?$",
    re.IGNORECASE,
)


def several_prices(text: str) -> str | None:
    """The expression of a question for the total of at least two counts with their prices; None for any other."""
    asked = _TOGETHER.match(text)
    rest = (asked["list"] or asked["en"]).strip() if asked else ""
    products: list[str] = []
    while rest:
        found = _ONE_PRICED.match(rest) or _ONE_PRICED_IN_ENGLISH.match(rest)
        follows = _NEXT_PRICED.match(rest, found.end()) if found else None
        if found is None or (follows is None and found.end() < len(rest)):
            return None
        products.append(f"{found['price']} {found['unit'] or ''} * {found['count']}")
        rest = rest[follows.end() :] if follows else ""
    return " + ".join(products) if len(products) > 1 else None
