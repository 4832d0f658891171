# ruff: noqa: E501 - patterns and word lists are read in one piece
"""English questions for how things differ, without a winner."""

from __future__ import annotations

import re
from typing import NamedTuple

from .asked_values import has_measure
from .english_names import in_pairs, name_row
from .models import Combination

_ON = r"(?:regarding|on|about|concerning|with regard to|with respect to|in terms of|for|as to)"
_BETWEEN = re.compile(
    rf"^(?:what\s+(?:is|are|was|were)\s+)?the\s+(?:main\s+|key\s+)?(?:differences?|distinctions?)(?:\s+in\s+(?P<noun>.+?))?\s+between\s+(?P<items>.+?)(?:\s+{_ON}\s+(?P<on>.+))?$",
    re.IGNORECASE,
)
_DIFFER = re.compile(
    r"^(?:how|in what way|do|does)\s+(?:do\s+|does\s+|did\s+)?(?P<items>.+?\s+and\s+.+?)\s+(?:differ|conflict|contradict each other|disagree|deviate)(?:\s+(?:on|in|regarding|about|as to|with regard to)\s+(?P<on>.+))?$",
    re.IGNORECASE,
)
_DIFFER_FROM = re.compile(
    r"^(?:how\s+)?(?:do|does|did)\s+(?P<one>.+?)\s+differ\s+from\s+(?P<other>.+?)(?:\s+(?:on|in|regarding|about)\s+(?P<on>.+))?$",
    re.IGNORECASE,
)
_COMPARE = re.compile(r"^(?:please\s+)?compare\s+(?P<rest>.+)$", re.IGNORECASE)
_EDITIONS = re.compile(
    r"^(?P<the>the\s+)?(?P<row>(?:19|20)\d{2}(?:,\s*(?:19|20)\d{2})*,?\s+and\s+(?:the\s+)?(?:19|20)\d{2})\s+(?P<noun>edition|version|revision|issue)s(?P<of>\s+of\s+.+)?$",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"\b(?:policy|policies|contract|handbook|edition|version|manual|agreement|rules?|procedure|regulations?|code|guideline|plan|lease|law|report|document)\b",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    r"[,.;:]\s+(?:and\s+)?(?=(?:how|what|why|when|where|who|which|does|did|do|is|can)\b)", re.IGNORECASE
)


class Contrast(NamedTuple):
    """The parts of a contrast (text and subject), and further questions behind it."""

    combination: Combination
    parts: list[tuple[str, str]]
    follow_ups: list[str]


def contrast(body: str) -> Contrast | None:
    """What each of the contrasted things says or is, or None."""
    first, *follow_ups = _FURTHER.split(body)
    # That both are the same, or not, shows where they stand side by side.
    follow_ups = [text for text in follow_ups if not re.search(r"\b(?:both|same)\b", text, re.IGNORECASE)]
    if found := _BETWEEN.match(first):
        noun, items = found["noun"] or "", _items(found["items"])
        measured = all(has_measure(_head(thing)) for thing in ([noun] if noun else items))
        return Contrast(
            Combination.DIFFERENCE if measured else Combination.CONTRAST,
            [(_content(item, found["on"] or "", noun), item) for item in items],
            follow_ups,
        )
    if found := _DIFFER_FROM.match(first):
        parts = [(_content(item, found["on"] or "", ""), item) for item in _referred(found["one"], found["other"])]
        return Contrast(Combination.CONTRAST, parts, follow_ups)
    if found := _DIFFER.match(first):
        parts = [(_content(item, found["on"] or "", ""), item) for item in _items(found["items"])]
        return Contrast(Combination.CONTRAST, parts, follow_ups)
    return _compared(first, follow_ups)


def is_open_contrast(body: str) -> bool:
    """Whether things are compared without being named (compare the offers of the three bidders)."""
    return _COMPARE.match(body) is not None or _BETWEEN.match(body.rstrip("?. ")) is not None


def _compared(first: str, follow_ups: list[str]) -> Contrast | None:
    found = _COMPARE.match(first)
    if found is None:
        return None
    row = name_row(found["rest"])
    if row is not None:
        parts = [
            (f"What {'are' if _is_plural(row.before) else 'is'} {row.before}{item}{after}", item)
            for item, after in in_pairs(row)
        ]
        return Contrast(Combination.CONTRAST, parts, follow_ups)
    split = re.match(
        r"^(?P<one>the\s+.+?)\s+(?:and|with|to|versus|vs\.?)\s+(?P<other>the\s+.+)$", found["rest"], re.IGNORECASE
    )
    if split is None:
        return None
    parts = [(_content(item, "", ""), item) for item in _referred(split["one"], split["other"])]
    return Contrast(Combination.CONTRAST, parts, follow_ups)


def _content(item: str, on: str, noun: str) -> str:
    if noun:
        article = "" if noun.casefold().startswith("the ") else "the "
        preposition = "in" if re.fullmatch(r"(?:19|20)\d{2}", item) else "of"
        return f"What {'are' if _is_plural(noun) else 'is'} {article}{noun} {preposition} {item}"
    if on and _DOCUMENT.search(item):
        return f"What does {item} say on {on}"
    if on:
        return f"What is {item} with regard to {on}"
    return f"What {'are' if _is_plural(item) else 'is'} {item}"


def _is_plural(item: str) -> bool:
    head = _head(item)
    return head.endswith("s") and not head.endswith("ss")


def _head(item: str) -> str:
    """A noun phrase without what stands behind its first preposition or participle."""
    return re.split(
        r"\s(?:for|of|in|on|at|under|to|with|as|incurred|paid|made|reported)\s|\s(?:incurred|paid|made|reported)$", item
    )[0]


def _items(text: str) -> list[str]:
    """The contrasted things; editions named by their years share the noun behind the last."""
    if found := _EDITIONS.match(text):
        years = re.findall(r"\d{4}", found["row"])
        return [f"{found['the'] or 'the '}{year} {found['noun']}{found['of'] or ''}" for year in years]
    items = [item.strip() for item in re.split(r",\s+(?!\d)(?:and\s+)?|\s+and\s+", text) if item.strip()]
    if len(items) > 2 and "," not in text:
        return []
    short = re.match(r"^(?P<the>the\s+)?(?P<word>[a-z]\w*)$", items[0]) if len(items) == 2 else None
    shared = re.match(r"^(?P<word>(?:the\s+)?[\w-]+)(?P<noun>\s+[a-z].*)$", items[1]) if short else None
    return [f"{items[0]}{shared['noun']}", f"{(short['the'] or '') if short else ''}{items[1]}"] if shared else items


def _referred(one: str, other: str) -> tuple[str, str]:
    """`those for X` stands for the noun of the first thing; the payment terms in X and Y are those in Y."""
    shared = re.match(r"^(?P<front>.+?\s(?:of|in|for|at|under)\s)the\s", one)
    if shared and not re.search(r"\s(?:of|in|for|at|under)\s", other):
        return one, f"{shared['front']}{other}"
    noun = re.split(r"\s(?:for|of|in|on|at|under)\s", one)[0]
    return one, re.sub(r"^(?:those|that|the one|the ones)\b", noun, other, flags=re.IGNORECASE)
