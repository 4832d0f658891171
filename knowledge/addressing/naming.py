"""Which documents a question names: by title, file name, short form (采购合同, 劳动合同法) and edition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from ..documents import Document
from ..editions import edition_of
from ..query.titles import joined
from ..text.normalise import normalise

_JOINT = re.compile(r"[_\-—（(【\[\s]")
_STATE = re.compile(r"^中华人民共和国")
_STATUTE = re.compile(r"(?:法|条例|法典|实施细则)$")
_SHORTEST, _SHORTEST_LATIN = 3, 8
_KINDS_OF_PAPER = ("合同", "协议", "手册", "制度", "办法", "规定", "规程", "章程", "细则", "标准", "规范", "指南")
# What may stand before the end of a title that is used as a short form; 培训管理办法 is not short for 档案管理办法.
_BOUNDARY = re.compile(r"(?:^|[\s,.\"'(:;?!]|[的在按照据依中看查问请和与及到给从对出司本该这那下上用读])$")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_UNKNOWN = re.compile(
    r"(?:\"(?P<title>[^\"]{2,40})\"|(?P<plain>[\u4e00-\u9fff]{1,24}(?:法|条例|办法|规定|合同|协议|手册|制度|规程|细则|章程|法典)))[(（]?[^()（）]{0,12}[)）]?(?:的|中的?|第)?\s*$"
)
_LEAD_WORDS = re.compile(
    r"^.*(?:按照|根据|依照|依据|请问|请看|查看|查询|给出|列出|引用|告诉我|我想看|什么是|看一下|查一下)"
)
_GENERIC = re.compile(
    r"(?:本|该|此|这个?|那个?|上述|前述|我们的?|公司的?)?(?:合同|协议|办法|规定|手册|制度|规程|细则|章程|条例|法)$"
)


class Named(NamedTuple):
    """What a question says of documents."""

    documents: tuple[Document, ...] = ()
    """Those that it names; of several editions the one in force, or that of the year which it says."""
    spans: tuple[str, ...] = ()
    """Their names as they stand in the normalised question."""
    unknown: str = ""
    """A name that stands before the label and is none of a document here."""


class _Match(NamedTuple):
    document: Document
    start: int
    end: int


def named_in(question: str, place: int, documents: Sequence[Document], outdated: frozenset[str] = frozenset()) -> Named:
    """The documents that a question names.

    Args:
        question: in natural language.
        place: where its first label begins in the normalised question; what stands right before it goes first.
        documents: those that may be read, each with what has replaced it.
        outdated: ids of further documents that a newer edition has replaced.
    """
    text = normalise(question)
    matches = _longest([match for document in documents for match in _matches(document, text)])
    beside = [one for one in matches if one.end <= place and _is_joint(text[one.end : place])]
    chosen = beside or matches
    spans = tuple(dict.fromkeys(text[one.start : one.end] for one in matches))
    if not chosen:
        return Named(unknown=_unknown(text[:place]))
    named = tuple(dict.fromkeys(one.document.doc_id for one in chosen))
    by_id = {one.document.doc_id: one.document for one in chosen}
    return Named(_of_edition(text, [by_id[one] for one in named], outdated), spans)


def _is_joint(text: str) -> bool:
    return re.fullmatch(r"[\s\"'()（）,.:的中里之内版年修订\d在]*(?:'?s)?\s*", text) is not None


def _longest(matches: Sequence[_Match]) -> list[_Match]:
    """Without those that stand inside a longer name: 商标法 inside 商标法实施条例."""

    def is_inside(one: _Match) -> bool:
        return any(
            other.start <= one.start and one.end <= other.end and other.end - other.start > one.end - one.start
            for other in matches
        )

    return [one for one in matches if not is_inside(one)]


def _matches(document: Document, text: str) -> Iterator[_Match]:
    plain = joined(text)
    best: _Match | None = None
    for name, is_whole in _names(document.title, PurePosixPath(document.name).stem):
        if name not in plain:
            continue
        for found in re.finditer(r"[\W_]*".join(map(re.escape, name)), text):
            fits = is_whole or _BOUNDARY.search(text[: found.start()]) is not None
            if fits and (best is None or found.end() - found.start() > best.end - best.start):
                best = _Match(document, found.start(), found.end())
    if best is not None:
        yield best


@lru_cache(maxsize=16_384)
def _names(title: str, stem: str) -> tuple[tuple[str, bool], ...]:
    """The names of a document, each with whether it is a whole one; ends of a title are short forms."""
    whole: dict[str, bool] = {}
    for name in (title, stem):
        bare = edition_of(name).title
        for one in (joined(name), bare, joined(_JOINT.split(name)[0])):
            for form in (one, _STATE.sub("", one)):
                if len(form) >= _shortest(form):
                    whole[form] = True
        if not _STATUTE.search(bare):
            for form in _ends(name if name.isascii() else bare):
                whole.setdefault(form, False)
    return tuple(whole.items())


def _shortest(name: str) -> int:
    return _SHORTEST_LATIN if name.isascii() else _SHORTEST


def _ends(name: str) -> Iterator[str]:
    """The ends of a title that may stand for it: 采购合同 of 设备采购合同, `security policy` of IT Security Policy."""
    if name.isascii():
        words = re.findall(r"[a-z0-9]+", edition_words(name))
        yield from (end for at in range(1, len(words) - 1) if len(end := "".join(words[at:])) >= _SHORTEST_LATIN)
        return
    yield from (name[at:] for at in range(1, len(name) - _SHORTEST + 1))
    yield from (kind for kind in _KINDS_OF_PAPER if name.endswith(kind))


def edition_words(name: str) -> str:
    """A latin title without the year of its edition."""
    return _YEAR.sub("", normalise(name))


def _of_edition(text: str, documents: Sequence[Document], outdated: frozenset[str]) -> tuple[Document, ...]:
    """Of the editions of a text that of the year which is asked for, else the one that has not been replaced."""
    years = set(_YEAR.findall(text))
    of_year = [d for d in documents if years & set(_YEAR.findall(normalise(d.search_title)))] if years else []
    present = [d for d in documents if d.superseded_by is None and d.doc_id not in outdated]
    return tuple(of_year or present or documents)


def _unknown(before: str) -> str:
    """The title that stands before a label and belongs to no document; empty where it is none, or any such paper."""
    match = _UNKNOWN.search(before)
    if match is None:
        return ""
    name = match["title"] or _LEAD_WORDS.sub("", match["plain"])
    return "" if _GENERIC.fullmatch(name) else name
