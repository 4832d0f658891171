# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Whose a value is: whether a sentence, a row or the headings above it name a subject, and none stands nearer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.normalise import fold_widths, has_chinese
from ..text.values import Value, ValueKind
from .amounts import amounts
from .models import Evidence, Quote
from .names import names_in
from .phrases import content_words, word_share
from .terms import terms

# A name is said if its first word and so much of the rest stands in a text: what comes first tells names of one kind
# apart (华东仓库 and 西北仓库, north and east warehouse).
_NAMED = 0.4
_HELD = 0.5
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_PARTICLES = re.compile(r"[的里中和与之\s]|以及|[^\w-]")
_ARTICLE = re.compile(r"^(?:the|an?|all|that of|those of)\s+", re.IGNORECASE)
_HARD = re.compile(r"[。；;！？!?\n]|\.(?=\s|$)")
_SOFT = re.compile(r"[，、]|,(?!\d)|\s(?:and|while|but|whereas)\s|而")
# What a value is larger by is no value of the subject: 比风机大3 kW, 3 kW more than the fan.
_THAN = re.compile(
    r"(?:比|较|相较于?)[^，。；]{1,24}?[大小高低长短多少重轻快慢早晚贵宽厚深增减升降]\S{0,3}?\s*$|\bby\s+$",
    re.IGNORECASE,
)
_MORE_THAN = re.compile(
    r"^\s*(?:(?:more|less|higher|lower|longer|shorter|larger|smaller|heavier|lighter|greater|above|below|faster|slower|later|earlier)\b)(?! than\s*$)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^\s*(?P<thing>[\u4e00-\u9fffA-Za-z0-9（）()-]{1,14}?)(?:的|为|是|[:：]|\s*$)")
_ENGLISH_LEAD = re.compile(
    r"\b(?:of|for)\s+(?:the\s+)?(?P<thing>[A-Za-z][\w-]*(?:\s[\w-]+)?)\s+(?:is|was|are|were|has|had)\b|^\s*(?:the\s+)?(?P<thing2>[a-z][\w-]*)\s+(?:is|was|has|had|at|:)",
    re.IGNORECASE,
)
# One value for all that the clause names: 甲和乙均为24个月, both are 24 months.
_SHARED = re.compile(r"均|都|相同|一样|一致|同为|各|\b(?:both|each|all|same|equal(?:ly)?)\b", re.IGNORECASE)
_STANDS_FOR = re.compile(
    r"^(?:其|该|本|此|这|它|他|她|均|都|各|应|须|需|可|最|不|合计|共|约|自|从|由|按|在|于|至|即|且|并|但|it|its|this|that|these|they|their|which)",
    re.IGNORECASE,
)
_HEADING_LENGTH = 40
_NO_HEADING = re.compile(r"[。；;！？!?.，,]$|^\|")
_QUALIFIED = re.compile(r"\s*[(（](?P<inner>[^()（）]+)[)）]\s*")
_ABBREVIATION = re.compile(r"[A-Z0-9][A-Z0-9-]*")


def names_subject(subject: str, text: str) -> bool:
    """Whether a text names a subject: its ids and years whole, the first of its words and a good part of the others.

    Args:
        subject: a name as a question gives it; an empty one is always named.
        text: a sentence or row, with the headings above it where these may carry the name.
    """
    subject, text = fold_widths(_ARTICLE.sub("", subject)).casefold(), fold_widths(text).casefold()
    if not subject or places_of(subject, text):
        return True
    ids = {value.key for value in amounts(subject) if value.kind is ValueKind.IDENTIFIER}
    if not ids <= {value.key for value in amounts(text)}:
        return False
    if not set(_YEAR.findall(subject)) <= set(_YEAR.findall(text)):
        return False
    if not has_chinese(subject):
        return _names_in_english(subject, text, bool(ids))
    return _names_in_chinese(_without_values(subject), text, bool(ids) or _YEAR.search(subject) is not None)


def _without_values(subject: str) -> str:
    for value in sorted(amounts(subject), key=lambda one: -len(one.raw)):
        if value.kind is ValueKind.IDENTIFIER or _YEAR.search(value.raw):
            subject = subject.replace(value.raw, " ")
    return re.sub(r"(?:19|20)\d{2}\s*年?版?", " ", subject)


def _names_in_chinese(subject: str, text: str, is_told: bool) -> bool:
    words = [word for word in _PARTICLES.split(subject) if word]
    pairs = [word[at : at + 2] for word in words for at in range(max(len(word) - 1, 1))]
    if not pairs or is_told:
        return True  # its id or edition tells it
    held = [pair in text for pair in pairs]
    return held[0] and sum(held) >= _NAMED * len(held)


def _names_in_english(subject: str, text: str, is_told: bool) -> bool:
    words = [word for word in content_words(subject) if not word.isdigit()]
    if not words or is_told:
        return True
    held_terms = terms(text)
    held = [word_share(word, held_terms) >= _HELD or bool(places_of(word, text)) for word in words]
    return held[0] and sum(held) >= _HELD * len(held)


def places_of(name: str, text: str) -> list[int]:
    """Where a name stands in a text: HN-3200 not inside of HN-3200B, Ann not inside of Anna."""
    before = r"(?<![A-Za-z0-9-])" if name[:1].isascii() and name[:1].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if name[-1:].isascii() and name[-1:].isalnum() else ""
    return [found.start() for found in re.finditer(before + re.escape(name) + after, text, re.IGNORECASE)]


def said_with_headings(quotes: Sequence[Quote], evidence: Sequence[Evidence]) -> str:
    """Some quotes with the title, the file name and the headings above them, which may carry a subject's name."""
    sources = {source.block.block_id: source for source in evidence}
    held = [(quote, sources[quote.block_id]) for quote in quotes if quote.block_id in sources]
    above = [
        text
        for quote, source in held
        for text in (
            source.document.title,
            source.document.name,
            *source.block.section_path,
            _heading_above(source.block.text, quote.span.start),
        )
    ]
    return "\n".join((*dict.fromkeys(above), *(quote.text for quote in quotes)))


def _heading_above(text: str, start: int) -> str:
    """The last short line above a place that is no sentence and no row."""
    lines = (line.strip() for line in reversed(text[:start].split("\n")[:-1]))
    return next((line for line in lines if 0 < len(line) <= _HEADING_LENGTH and _NO_HEADING.search(line) is None), "")


def is_qualified(subject: str, cells: Sequence[str]) -> bool:
    """Whether a row is about a special kind of the subject only: 压机（备用） or 备用压机 where 压机 is meant."""
    if any(cell.strip().casefold() == subject.casefold() for cell in cells):
        return False
    return any(_narrows(subject, cell.strip()) for cell in cells)


def _narrows(subject: str, cell: str) -> bool:
    if not cell.casefold().startswith(subject.casefold()):
        return has_chinese(subject) and cell.endswith(subject) and has_chinese(cell.removesuffix(subject))
    inner = _QUALIFIED.fullmatch(cell[len(subject) :])
    return inner is not None and _ABBREVIATION.fullmatch(inner["inner"]) is None


def owns(subject: str, others: Sequence[str], text: str, value: Value, asked: str) -> bool:
    """Whether a value of a sentence is the subject's own, as far as the sentence's clauses tell.

    The clause of the value has to name the subject, or the sentence names neither it nor anything else (the headings
    then carry the name); another subject between the name and the value takes the value away.

    Args:
        subject: whose value is wanted.
        others: the other subjects of the question.
        text: a sentence, or several that are quoted in one piece.
        value: one of its values.
        asked: the question about the subject; what it names is nothing else's. Where it is empty, only what the clause
            gives the value to in so many words (风机的功率, the power of the fan) counts as something else.
    """
    start = max((found.end() for found in _HARD.finditer(text, 0, value.start)), default=0)
    end = next((found.start() for found in _HARD.finditer(text, value.end)), len(text))
    before = text[start : value.start]
    if _THAN.search(before) or _MORE_THAN.match(text[value.end : end]):
        return False
    rivals = [at for name in others if name and name not in subject for at in places_of(name, text[start:end])]
    own = places_of(_ARTICLE.sub("", subject), text[start:end])
    if rivals and not _is_nearer(own, rivals, value.start - start) and not _SHARED.search(before):
        return False
    if own or names_subject(subject, text[start:end]):
        return not _is_left(subject, before, asked)
    if names_subject(subject, text) and _YEAR.search(subject) is None:
        return _is_lead_in(subject, text[:start]) and not _is_left(subject, before, asked)
    return not _is_left(subject, before, asked) and not _names_another(subject, before)


def _is_nearer(own: Sequence[int], rivals: Sequence[int], value: int) -> bool:
    """Whether the subject stands before the value with no rival in between, or they are named side by side."""
    mine = max((at for at in own if at < value), default=-1)
    theirs = max((at for at in rivals if at < value), default=-1)
    return mine > theirs


def _is_left(subject: str, before: str, asked: str) -> bool:
    """Whether the last clause before a value begins with something that the question does not name."""
    cut = max((found.end() for found in _SOFT.finditer(before)), default=0)
    clause = before[cut:]
    if names_subject(subject, clause):
        return _names_another(subject, clause)
    lead = (_LEAD if has_chinese(clause) else _ENGLISH_LEAD).search(clause)
    thing = next((part for part in lead.groups() if part), "").strip() if lead else ""
    if lead and not asked and not (lead.group().endswith("的") or lead.group().casefold().startswith(("of", "for"))):
        return False
    return bool(thing) and _STANDS_FOR.match(thing) is None and not _is_asked(thing, asked or subject)


def _is_asked(thing: str, asked: str) -> bool:
    if has_chinese(thing):
        pairs = [thing[at : at + 2] for at in range(max(len(thing) - 1, 1))]
        return any(pair in asked for pair in pairs) or any(value.kind is ValueKind.DATE for value in amounts(thing))
    held = terms(asked)
    return any(word_share(word, held) >= _HELD for word in content_words(thing) or [thing])


def _names_another(subject: str, before: str) -> bool:
    """Whether an organisation, a person or an id other than the subject stands behind its name."""
    behind = before[max(places_of(subject, before), default=0) :]
    names = [name for name in names_in(behind) if has_chinese(name) and name not in subject and subject not in name]
    wanted = {value.key for value in amounts(subject)}
    ids = [v for v in amounts(behind) if v.kind is ValueKind.IDENTIFIER and v.key not in wanted]
    return bool(names) or bool(ids and any(v.kind is ValueKind.IDENTIFIER for v in amounts(subject)))


def _is_lead_in(subject: str, earlier: str) -> bool:
    """Whether the sentence before names the subject and ends in a colon, so that its items are about it."""
    lead = re.search(r"[^。；;！？!?]*[:：]\s*[^:：]*$", earlier)
    return lead is not None and names_subject(subject, lead.group())
