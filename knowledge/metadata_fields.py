"""What front matter, web pages and files beside documents say about them: their keys, in Chinese and English.

One table of names for all of them, so that a key means the same wherever it stands. Who may read a document is no
such key: a document cannot open itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from .description import Description
from .text.normalise import fold_widths
from .text.values import ValueKind, find_values

_NAMES: dict[str, tuple[str, ...]] = {
    "title": ("title", "dc.title", "dcterms.title", "og:title", "标题", "名称", "题名", "文件名称"),
    "doc_type": ("type", "doc_type", "document_type", "dc.type", "类型", "文件类型", "文档类型", "文种"),
    "domain": ("domain", "business_area", "领域", "业务领域", "业务"),
    "authority": ("authority", "rank", "效力", "效力等级", "权威", "权威性"),
    "published_at": (
        *("published", "published_at", "publish_date", "published_on", "publication_date", "pubdate", "publishdate"),
        *("date", "issued", "issue_date", "date_issued", "dc.date", "dcterms.date", "dcterms.issued", "dc.date.issued"),
        *("article:published_time", "datepublished", "发布日期", "发布时间", "公布日期", "印发日期", "成文日期"),
        *("签发日期", "日期"),
    ),
    "effective_from": (
        *("effective_from", "effective", "effective_date", "valid_from", "in_force_from", "dcterms.valid"),
        *("生效日期", "实施日期", "施行日期", "执行日期", "生效时间"),
    ),
    "effective_to": (
        *("effective_to", "effective_until", "valid_to", "valid_until", "expires", "expiry", "expiry_date"),
        *("expiration_date", "失效日期", "废止日期", "截止日期", "有效期至", "到期日期"),
    ),
    "replaces": ("replaces", "supersedes", "repeals", "dcterms.replaces", "替代", "取代", "代替", "废止"),
}
"""The names of each field, the one that wins first; a later one counts where the earlier give nothing."""

_TIME = re.compile(r"(?<=\d)T\d{2}:\d{2}.*$")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_LISTED = re.compile(r"[;；\n]|(?<=》)[、，,\s]*(?=《)")
_BOOK_MARKS = "《》"
_LONGEST = 500


class FieldsRead(NamedTuple):
    """What was understood of the fields, and what was not."""

    description: Description
    unknown: tuple[str, ...]
    """keys of no field here, as written"""
    unusable: tuple[str, ...]
    """keys of a field here whose value is none, such as a date that does not exist"""


def description_of(fields: Mapping[str, object]) -> FieldsRead:
    """What fields with Chinese or English keys say about a document.

    Args:
        fields: as YAML or a web page's head gives them; letter case, blanks, hyphens and underscores do not matter.
    """
    given = {_plain(key): key for key in fields}
    told: dict[str, Any] = {}
    used: set[str] = set()
    unusable: list[str] = []
    for field, names in _NAMES.items():
        for name in filter(given.__contains__, map(_plain, names)):
            key = given[name]
            used.add(key)
            value = _READ.get(field, _text)(fields[key])
            if value is None:
                unusable.append(key)
            else:
                told.setdefault(field, value)
    return FieldsRead(Description(**told), tuple(key for key in fields if key not in used), tuple(unusable))


def day_of(value: object) -> date | None:
    """A date in any usual spelling (2026-01-15, 2026年1月15日, 15 January 2026, 20260115); None without a day."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    text = _TIME.sub("", fold_widths(str(value)).strip())
    compact = _COMPACT.fullmatch(text)
    try:
        if compact:
            return date(*map(int, compact.groups()))
        days = [found.canonical for found in find_values(text) if found.kind is ValueKind.DATE]
        return date.fromisoformat(days[0]) if len(days) == 1 and len(days[0]) == 10 else None
    except ValueError:
        return None


def _plain(key: object) -> str:
    return re.sub(r"[\s_-]+", "", fold_widths(str(key))).lower()


def _text(value: object) -> str | None:
    if isinstance(value, (Mapping, list, tuple, set, bytes, bool)) or value is None:
        return None
    return " ".join(str(value).split())[:_LONGEST] or None


def _authority(value: object) -> int | None:
    text = (_text(value) or "").removesuffix(".0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= 100 else None


def _titles(value: object) -> tuple[str, ...] | None:
    pieces: Iterable[object] = value if isinstance(value, (list, tuple)) else _LISTED.split(str(value or ""))
    titles = (_text(piece) for piece in pieces)
    return tuple(bare for title in titles if title and (bare := title.strip(_BOOK_MARKS).strip())) or None


_READ = {
    "authority": _authority,
    "published_at": day_of,
    "effective_from": day_of,
    "effective_to": day_of,
    "replaces": _titles,
}
