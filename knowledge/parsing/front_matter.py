"""What documents say about themselves before their text: fields between two rules, and the head of web pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import yaml

from ..description import Description
from ..metadata_fields import description_of

_FRONT_MATTER = re.compile(r"\A\ufeff?\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_WIDE_COLON = re.compile(r"^([^\s:：#-][^:：\n]{0,30})：\s*", re.MULTILINE)
_LONGEST = 100_000  # characters; what is longer is text between two rules
_OF_THE_PAGE = frozenset({"dc.type", "og:title", "type", "title", "name", "rank", "domain", "业务"})
"""Names in the head of a page that describe it as a page (an ``article``) rather than as a document."""


class FrontMatter(NamedTuple):
    """What a document says about itself, and its text without it."""

    described: Description
    body: str


def split_front_matter(text: str) -> FrontMatter:
    """The fields before the text and the text behind them; what holds no fields stays part of the text.

    Args:
        text: with plain line ends.
    """
    match = _FRONT_MATTER.match(text)
    fields = _fields(match.group(1)) if match is not None and len(match.group(1)) < _LONGEST else None
    if match is None or fields is None:
        return FrontMatter(Description(), text)
    return FrontMatter(description_of(fields).description, text[match.end() :])


def _fields(source: str) -> dict[str, object] | None:
    """The fields of a YAML text, all values as they are written; in Chinese also with the wide colon."""
    for written in (source, _WIDE_COLON.sub(r"\1: ", source)):
        try:
            # The plainest loader: no dates, numbers or objects are made, so that no odd value spoils the others.
            fields = yaml.load(written, Loader=yaml.BaseLoader)
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
        if isinstance(fields, dict):
            return {str(name): value for name, value in fields.items()}
    return None


def described_by_page(front: FrontMatter, metas: Iterable[tuple[str, str]]) -> Description:
    """What a web page says about itself: its front matter, and where that says nothing, its head.

    Args:
        metas: name (or property) and content of its ``meta`` elements, in their order; the first of a name counts.
    """
    fields: dict[str, object] = {}
    for name, content in metas:
        if name.strip().lower() not in _OF_THE_PAGE:
            fields.setdefault(name.strip().lower(), content)
    head = description_of(fields).description
    return head.model_copy(update=front.described.model_dump(exclude_none=True))
