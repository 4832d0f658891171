"""English things named side by side (A in 2019 and B in 2020): which they are, and what stands around them."""

from __future__ import annotations

import re
from typing import NamedTuple

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
DATE = rf"(?:(?:(?:Q[1-4]|{_MONTH})\s)?(?:19|20)\d{{2}})"
_SUFFIX = r"(?:Inc|Ltd|LLC|Co|Corp|Corporation|PLC|GmbH)\.?(?=$|[\s,?;:'])"
_WORD = r"(?:[A-Z][\w&'’-]*\.?|[A-Z]\.)"
NAME = rf"(?:[Tt]he\s)?{_WORD}(?:\s(?:of\s|&\s|de\s)?(?:{_WORD}|\d[\w-]*))*(?:,\s{_SUFFIX})?"
_WHEN = rf"(?:\s(?:in|for|during)\s{DATE})"
_ONE = rf"(?:in\s{DATE}\sfor\s{NAME}|{NAME}{_WHEN}?)"
_ROW = re.compile(
    rf"(?<![\w-]){_ONE}(?:,\s(?!(?:Inc|Ltd|LLC|Co|Corp)\b){_ONE})*,?\s(?:and|or|vs\.?|versus)\s(?:(?:for|by|at|of)\s)?{_ONE}"
)
_SPLIT = re.compile(r",\s(?!(?:Inc|Ltd|LLC|Co|Corp)\b)(?:and\s|or\s)?|\s(?:and|or|vs\.?|versus)\s")
_COMPANY = re.compile(
    r"\b(?:Inc|Ltd|LLC|Co|Corp|Corporation|PLC|GmbH|Group|Holdings?|Solutions|Airlines|Aviation|Services|Enterprises|Industries|Technologies|Partners|Construction|Manufacturing|\w+Corp|Bank|University)\b"
)
_INITIAL = re.compile(r"^(?:[A-Z]\.|Mr\.|Ms\.|Mrs\.|Dr\.)\s")
_ID = re.compile(r"(?:the\s)?[A-Z]{1,6}-?\d[\w-]*$")
_PEOPLE_OR_FIRMS = re.compile(
    r"\b(?:the\s+)?(?:defendants|companies|firms|suppliers|contracts|accused|plaintiffs|models|machines|employees|candidates|employers|bidders)\s*(?:named\s+)?$",
    re.IGNORECASE,
)
_EACH = re.compile(r"\s*,?\s*\b(?:respectively|each)\b|\b(?:in\s+)?their\s+respective\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?\s")
_DATE_ROW = re.compile(rf"\s+(?:in|for|during)\s+{DATE}(?:,\s{DATE})*,?\sand\s(?:in\s)?{DATE}")


class NameRow(NamedTuple):
    """Names side by side: what stands before them, each of them, and what stands behind."""

    before: str
    items: tuple[str, ...]
    after: str


def name_row(text: str) -> NameRow | None:
    """The first names side by side in an English text that are surely several things, or None."""
    for found in _ROW.finditer(text):
        items = [item for item in _SPLIT.split(found.group()) if item]
        items = [re.sub(r"^(?:for|by|at|of)\s", "", item).strip() for item in items]
        before = text[: found.start()]
        head = re.match(r"^(?:Which|What|Who|Whose|Compare|Did|Do|Does|Is|Are|Was|Were|When|Where|How)\s", items[0])
        if head:
            before, items[0] = before + head.group(), items[0][head.end() :]
        if (
            len(items) > 1
            and all(items)
            and not _POSSESSIVE.search(found.group())
            and _several(before, items, text[found.end() :])
        ):
            return NameRow(before, tuple(items), text[found.end() :])
    return None


def in_pairs(row: NameRow) -> tuple[tuple[str, str], ...]:
    """Each name and what stands behind it; a row of dates behind the names is shared out in order."""
    *first, last = row.items
    own = re.search(rf"\s(?:in|for|during)\s(?P<date>{DATE})$", last)
    items, after = row.items, row.after
    if own and re.match(r",?\sand\s|,\s", after) and not any(re.search(DATE, item) for item in first):
        items, after = (*first, last[: own.start()]), f"{own.group()}{after}"
    dates = _DATE_ROW.search(after)
    each = re.findall(DATE, dates.group()) if dates else []
    if dates is None or len(each) != len(items):
        return tuple((item, _EACH.sub("", row.after)) for item in row.items)
    texts = [_EACH.sub("", f"{after[: dates.start()]} in {date}{after[dates.end() :]}") for date in each]
    return tuple(zip(items, texts, strict=True))


def bare_name(item: str) -> str:
    """The name without its date."""
    return re.sub(rf"^in\s{DATE}\sfor\s|{_WHEN}$", "", item).strip()


def alternatives(text: str) -> list[str]:
    """A, B or C as a list."""
    items = [item.strip() for item in _SPLIT.split(text.strip(" ?.,"))]
    return [item for item in items if item]


def _several(before: str, items: list[str], after: str) -> bool:
    """Whether the names are certainly not one name (Smith and Sons, Ministry of Housing and Urban Development)."""
    dated = [re.search(DATE, item) for item in items]
    kinds = (
        all(dated),
        all(_INITIAL.match(item) for item in items),
        all(_ID.fullmatch(item) for item in items),
        _PEOPLE_OR_FIRMS.search(before) is not None,
        re.search(r"\brespectively\b", after) is not None,
        sum(_COMPANY.search(item) is not None for item in items) >= len(items) - 1 and _plain_joint(items),
    )
    return any(kinds)


def _plain_joint(items: list[str]) -> bool:
    """`Smith and Sons Ltd.` is one company: where only the last has its form, the others have at least two words."""
    first = items[0]
    return _COMPANY.search(first) is not None or len(first.split()) > 1
