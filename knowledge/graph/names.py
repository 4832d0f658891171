"""The keys by which entities are compared: one for each way of writing a name, and one of its own in each document."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from ..text.normalise import normalise, well_formed
from ..text.values import Value, ValueKind, find_values
from .models import LONGEST_NAME, Entity, Kind

_SHORTEST = 2
_MARKS = re.compile(r"(?<!\d)[^\w+#%]+|[^\w+#%]+(?!\d)|(?<!\d)_+|_+(?!\d)")
"""Marks and blanks that tell no names apart: between two digits they do (9.1, 91), and so do C, C++ and C#."""
_QUOTES = " \t\n\"'“”‘’「」『』《》〈〉*`,，。;；:：、|"
_CLAUSE_UNITS = frozenset("条章节编") | {"附件"}
_DOTTED = re.compile(r"(?<![\d.])\d{1,3}(?:\.\d{1,3})+(?![\d.]*\d)")
_OWN = "doc:"
_CLAUSE_SIGN = re.compile(
    r"第|附件|附录|\b(?:[Ss]ection|[Aa]rticle|[Cc]lause)\b|(?<![\d.A-Za-z-])\d{1,3}(?:\.\d{1,3})+(?![\d.]*\d)"
)
_OWNER_BEHIND = re.compile(
    r"^(?:section|article|clause|annex|appendix)s?\s+[\w.()]+\s+(?:of|in)\s+(?:the\s+)?(?P<title>.+)$", re.IGNORECASE
)
_TITLE = re.compile(r"《(?P<title>[^《》]{2,80})》")


@lru_cache(maxsize=65_536)
def entity_key(name: str) -> str:
    """A name as entities are compared: case, width, script of the Chinese, blanks and marks do not matter."""
    normal = normalise(well_formed(name))
    return _MARKS.sub("", normal) or normal


def clean_name(text: str) -> str:
    """A name in one line, without the marks around it and without characters that nobody sees."""
    shown = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    return " ".join(shown.split()).strip(_QUOTES)


def entity(name: str, kind: str) -> Entity | None:
    """An entity, or None where the text is no name: too short, too long, or nothing but marks."""
    cleaned = clean_name(name)
    if not _SHORTEST <= len(cleaned) <= LONGEST_NAME:
        return None
    key = entity_key(cleaned)
    return Entity(cleaned, kind, key) if any(c.isalnum() for c in key) else None


def document_key(doc_id: str) -> str:
    """The key of a document of the library itself."""
    return f"{_OWN}{doc_id}"


def own_document(key: str) -> str | None:
    """The id of the document that a key belongs to, also of a clause or a party in it; None: of none."""
    return re.split("[#/]", key[len(_OWN) :], maxsplit=1)[0] if key.startswith(_OWN) else None


def document_entity(doc_id: str, title: str) -> Entity:
    """A document of the library."""
    return Entity(clean_name(title)[:LONGEST_NAME] or doc_id, Kind.DOCUMENT, document_key(doc_id))


def role_entity(doc_id: str, role: str) -> Entity:
    """What somebody is called inside one document only: 甲方, the Buyer."""
    return Entity(clean_name(role), Kind.ROLE, f"{document_key(doc_id)}/{entity_key(role)}")


def clause_part(value: Value) -> str | None:
    """The part of a clause's key that tells it apart in its document (条5, 9.1); None: it is no clause of its own."""
    if value.kind is not ValueKind.CLAUSE or value.unit not in _CLAUSE_UNITS:
        return None
    return value.canonical if "." in value.canonical else f"{value.unit}{value.canonical}"


def clause_key(owner: str, part: str) -> str:
    """The key of a clause of the document with this key."""
    return f"{owner}#{part}"


def clause_parts(text: str) -> Iterator[str]:
    """The clauses that a text names, as parts of keys."""
    for value in find_values(text):
        if part := clause_part(value):
            yield part
    for match in _DOTTED.finditer(text):
        yield match.group()


def quoted_title(text: str) -> str | None:
    """The first title in 《》 of a text."""
    found = _TITLE.search(text)
    return None if found is None else found["title"]


def clause_owner(name: str) -> str:
    """The title of the document that the name of a clause gives; empty: none (第五条, Section 2).

    《采购合同》第五条, 采购合同12.3款, "Section 2 of the Travel Policy".
    """
    if title := quoted_title(name):
        return title
    if behind := _OWNER_BEHIND.search(name):
        return clean_name(behind["title"])
    found = _CLAUSE_SIGN.search(name)
    return clean_name(name[: found.start()].rstrip("的中里 ")) if found else ""
