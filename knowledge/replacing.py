# ruff: noqa: E501 - patterns are read in one piece
"""Which documents a document repeals or replaces: what its text says of that, and which documents are meant.

What a text says counts only where it speaks of itself: 同时废止 and "this policy replaces", not what it reports of
others. A title is taken as it is written; only a document of just this title is meant by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import NamedTuple

from .documents import Document
from .editions import Edition, edition_of
from .elements import Element, ElementKind
from .replacing_rights import may_replace_by_place
from .text.normalise import fold_widths, has_chinese

_MOST_TITLES = 20
_SHORTEST_TITLE = 3
_LONGEST_SENTENCE = 1_500

_TITLE = r"《(?:[^《》]|《[^《》]*》){2,80}》"
# 《A》(财企〔2012〕5号)、《B》及其实施细则
_TITLES = rf"{_TITLE}(?:(?:\([^()]{{0,60}}\)|〔[^〕]*〕|\[[^\]]*\]|[、,和与及以]|其|原|的|版|等|\s|\d{{4}}年?[^《》。;]{{0,20}}?(?:发布|印发|公布|制定|颁布)的|{_TITLE}))*"
_ENDED = r"(?:废止|停止执行|停止施行|停止使用|不再执行|不再施行|失效|作废)"
_SELF = r"本(?:[\u4e00-\u9fff]{1,12}?)"
_SENTENCES = re.compile(r"[^。;!?\n]+")
_ZH_CLAIMS = (
    re.compile(rf"(?P<titles>{_TITLES})[^《》。;不未]{{0,20}}?(?:同时|即行|随之|自行|相应){_ENDED}"),
    re.compile(
        rf"自{_SELF}(?:施行|实施|生效|发布|印发|公布|执行)之?日起[^《》。;不未]{{0,30}}(?P<titles>{_TITLES})[^《》。;不未]{{0,12}}?{_ENDED}"
    ),
    re.compile(
        rf"(?P<titles>{_TITLES})[^《》。;不未]{{0,12}}?自{_SELF}(?:施行|实施|生效|发布|印发|公布|执行)之?日起[^《》。;不未]{{0,8}}?{_ENDED}"
    ),
    re.compile(rf"{_SELF}(?:将)?(?:代替|替代|取代|取替)了?(?:原有?)?[^《》。;不未]{{0,20}}?(?P<titles>{_TITLES})"),
    re.compile(rf"(?:现决定|决定|现予以?|现将)[^《》。;不未]{{0,12}}?废止[^《》。;不未]{{0,12}}?(?P<titles>{_TITLES})"),
    re.compile(rf"^\W*(?:替代|代替|取代|废止)(?:文件|版本|制度|文档)?\s*[:|]\s*[^《》]{{0,12}}?(?P<titles>{_TITLES})"),
)
# 《B》自…起施行,原《A》同时废止: a report of what another text says.
_OF_ANOTHER = re.compile(
    rf"{_TITLE}(?:\([^()]*\))?[^《》。;]{{0,12}}?(?:自|于|已|将)[^《》。;]{{0,24}}?(?:施行|实施|生效|执行)"
)
_REPEALED_BEFORE = re.compile(r"已(?:经)?(?:于|被|在)?[^《》。;,]{0,20}?(?:废止|失效)")

_WORD = r"(?:[A-Z][\w&'’/-]*|\d{4}|v\d+(?:\.\d+)*)"
_LINK = r"(?:of|and|for|on|the|in|to|&|or|at)"
_PLAIN = rf"{_WORD}(?:\s+(?:{_LINK}\s+){{0,2}}{_WORD}){{0,12}}"
_NAME = rf"(?:[\"“](?P<quoted>[^\"”]{{3,120}})[\"”]|(?P<plain>{_PLAIN}))"
_KIND = r"(?i:polic(?:y|ies)|procedures?|rules?|regulations?|handbook|manual|guidelines?|guide|code|standard|plan|document|version|edition|agreement|contract|notice|circular|directive|instructions?|charter|framework|memo(?:randum)?)"
_OUR = r"(?:(?:the|our|its|all)\s+)?(?:(?:previous|former|earlier|existing|prior|old|current)\s+)?(?:(?:versions?|editions?)\s+of\s+(?:the\s+|our\s+)?)?"
_EN_CLAIMS = (
    re.compile(
        rf"\b(?:[Tt]his|[Tt]he\s+present)\s+(?:[\w-]+\s+){{0,4}}?{_KIND}\b[^.;]{{0,60}}?\b(?:replaces?|supersedes?|repeals?|revokes?|withdraws?)(?:\s+and\s+(?:replaces?|supersedes?))?\s+{_OUR}{_NAME}"
    ),
    re.compile(
        rf"\b[Tt]he\s+{_NAME}[^.;]{{0,60}}?\s(?:is|are|shall\s+be|will\s+be)\s+(?:hereby\s+(?:repealed|revoked|withdrawn|rescinded|superseded|replaced|cancelled)|(?:repealed|revoked|withdrawn|rescinded|superseded|replaced|cancelled)\s+(?:by|when|once|as\s+soon\s+as|on\s+the\s+day|from\s+the\s+date)\s+(?:this|the\s+present)\b)"
    ),
    re.compile(rf"^\W*(?:[Ss]upersedes|[Rr]eplaces|SUPERSEDES|REPLACES)\s*(?:[:|]\s*)+(?:the\s+)?{_NAME}"),
)
_EN_NOT = re.compile(r"\b(?:not|never|neither|nor|without)\b|n['’]t\b", re.IGNORECASE)
_EN_SENTENCES = re.compile(r"(?:[^.;\n]|\.(?=\S))+")
_MORE = re.compile(rf"\s*(?:,|and|as\s+well\s+as)+\s+(?:the\s+)?{_NAME}")
_BARE = frozenset(("agreement", "agreements", "policy", "policies", "contract", "document", "version", "rules"))


class Superseded(NamedTuple):
    """Which document has taken the place of another one, and since when."""

    by: Document
    since: date


def replaced_titles(elements: Sequence[Element]) -> tuple[str, ...]:
    """The titles that a document says it repeals or replaces, in the order in which it names them.

    Args:
        elements: the whole document in reading order.
    """
    found = dict.fromkeys(
        title for element in elements for text in _texts(element) for title in titles_replaced_by(text)
    )
    return tuple(found)[:_MOST_TITLES]


def _texts(element: Element) -> Iterator[str]:
    """A table's rows one by one: 替代文件 | 《旧办法》 is a label with what it says."""
    yield from element.text.splitlines() if element.kind is ElementKind.TABLE else (element.text,)


def titles_replaced_by(text: str) -> Iterator[str]:
    """The titles that a paragraph says its document repeals or replaces. Never raises for any text."""
    folded = fold_widths(text)
    chinese = has_chinese(folded)
    for match in (_SENTENCES if chinese else _EN_SENTENCES).finditer(folded):
        sentence = match.group()
        if len(sentence) <= _LONGEST_SENTENCE:
            yield from _in_chinese(sentence) if "《" in sentence else ()
            yield from _in_english(sentence)


def _in_chinese(sentence: str) -> Iterator[str]:
    for pattern in _ZH_CLAIMS:
        for claim in pattern.finditer(sentence):
            before = sentence[: claim.start("titles")]
            if _OF_ANOTHER.search(before) or _REPEALED_BEFORE.search(sentence):
                continue
            yield from (title.group()[1:-1].strip() for title in re.finditer(_TITLE, claim["titles"]))


def _in_english(sentence: str) -> Iterator[str]:
    for pattern in _EN_CLAIMS:
        claim = pattern.search(sentence)
        if claim is None or _EN_NOT.search(claim.group()):
            continue
        yield from _named(claim["quoted"], claim["plain"])
        position = claim.end() if pattern is not _EN_CLAIMS[1] else len(sentence)
        while more := _MORE.match(sentence, position):
            yield from _named(more["quoted"], more["plain"])
            position = more.end()


def _named(quoted: str | None, plain: str | None) -> Iterator[str]:
    title = (quoted or plain or "").strip(" ,.")
    if len(title) >= _SHORTEST_TITLE and title.casefold() not in _BARE and not title.isdecimal():
        yield title


def superseded(documents: Iterable[Document]) -> dict[str, Superseded]:
    """The documents that another one replaces, by id, with the one that does so last.

    A claim counts among the documents given here only, so give those that one reader may see. A document of lower
    authority, or one that began earlier, replaces none; nor do two that claim to replace each other. What a document
    says of itself counts in its own folder and below.
    """
    known = list(documents)
    if not any(document.replaces for document in known):
        return {}
    by_title: dict[str, list[Document]] = {}
    for document in known:
        for title in {edition.title for edition in _editions(document)}:
            by_title.setdefault(title, []).append(document)
    claims = {(one.doc_id, other.doc_id): (one, other) for one in known for other in _meant_by(one, by_title)}
    found: dict[str, Superseded] = {}
    for (by, old), (newer, older) in claims.items():
        before = found.get(old)
        since = begins_on(newer)
        if _may_replace(newer, older, mutual=(old, by) in claims) and (before is None or since >= before.since):
            found[older.doc_id] = Superseded(newer, since)
    return found


def superseded_by_day(documents: Iterable[Document], day: date) -> dict[str, Superseded]:
    """The documents that another one has replaced by a day, by id, see `superseded`."""
    return {doc_id: one for doc_id, one in superseded(documents).items() if one.since <= day}


def marked(document: Document, replaced: Mapping[str, Superseded]) -> Document:
    """The document with the name of the one that has replaced it, if one has."""
    found = replaced.get(document.doc_id)
    return document if found is None else document.model_copy(update={"superseded_by": found.by.name})


def begins_on(document: Document) -> date:
    """Since when a document holds as far as is known: at the latest since it came in."""
    return document.effective_from or document.published_at or document.updated_at.date()


def _editions(document: Document) -> tuple[Edition, Edition]:
    return edition_of(document.title), edition_of(PurePosixPath(document.name).stem)


def _meant_by(document: Document, by_title: Mapping[str, Sequence[Document]]) -> Iterator[Document]:
    for title in document.replaces:
        meant = edition_of(title)
        if len(meant.title) < _SHORTEST_TITLE:
            continue
        for other in by_title.get(meant.title, ()):
            numbers = {edition.number for edition in _editions(other)} - {()}
            if other.doc_id != document.doc_id and (not meant.number or not numbers or meant.number in numbers):
                yield other


def _may_replace(newer: Document, older: Document, *, mutual: bool) -> bool:
    if newer.authority < older.authority or not may_replace_by_place(newer, older):
        return False
    stated = [document.effective_from or document.published_at for document in (newer, older)]
    if stated[0] and stated[1] and stated[0] != stated[1]:
        return stated[0] > stated[1]
    numbers = [max(edition.number for edition in _editions(document)) for document in (newer, older)]
    if numbers[0] and numbers[1] and numbers[0] != numbers[1]:
        return numbers[0] > numbers[1]
    # Of two texts of one title, neither dated, nothing says which came first.
    same_title = bool({one.title for one in _editions(newer)} & {one.title for one in _editions(older)})
    return not mutual and not same_title
