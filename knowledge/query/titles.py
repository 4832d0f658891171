"""Titles that stand in a question."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..text.normalise import normalise

_JOINTS = re.compile(r"[\W_]+")


def joined(text: str) -> str:
    """A text as titles are compared: one spelling, letters and digits only."""
    return _JOINTS.sub("", normalise(text))


def edition_titles_in(question: str, titles: Iterable[str]) -> frozenset[str]:
    """The titles without edition (`editions.edition_of`) that a question names."""
    asked = _YEAR_MARK.sub("", joined(question))
    return frozenset(title for title in titles if title in asked)


# 员工手册2023版, 2023年版员工手册: the mark may stand inside the title's words.
_YEAR_MARK = re.compile(r"(?:19|20)\d\d年?(?:修订版|修正版|修订本|版本?|edition|version|revision)?的?")
