"""Checks an answer against what it cites, sentence by sentence and without a model (design §6).

A sentence is supported if its markers exist, its content stands in the cited blocks, and its numbers, dates,
amounts, durations, clauses, ids and denials agree with them. A paraphrase is support (S3 §5.2); arithmetic is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..text.normalise import normalise
from .bounds import contradicted_bounds
from .changed_words import changed_piece, is_nearly
from .claimed_values import source_values, wrong_values
from .companions import parted_values
from .conditions import changed_condition
from .lead_in import leads_in
from .matching import Match, find_match
from .misplaced import misplaced_values, swapped_values
from .models import Evidence, Fault, Quote, SentenceCheck
from .names import names_in
from .negation import disagreeing_piece, is_cut_off
from .roles import strange_party

# Share of a paraphrase's content terms that its quotes must hold. Nine in ten sentences of the reference answers to the
# clause questions reach it in the block that they were written from, one in ten in another block of the same rule.
SUPPORT = 0.55

_MARKER = re.compile(r"\s*[\[【]\d{1,3}(?:\s*[,，、]\s*\d{1,3})*[\]】]")
_LEAD = re.compile(
    r"^\s*(?:(?:根据|按照|依据|依照)[^，,。]{0,60}(?:规定|的?内容|文件|资料|记载|描述|办法|条例|法律?|制度|手册|报告|判决书)?[，,：:]"
    r"|(?:according to|under|pursuant to|as stated in|based on)\s[^,.]{0,100},)\s*",
    re.IGNORECASE,
)
# Labels of list items are no numbers that a source would have to state.
_ENUMERATOR = re.compile(
    r"(?:(?<=^)|(?<=[：:；;。\n]))\s*(?:[（(]\s*(?:\d{1,2}|[一二三四五六七八九十]{1,3}|[a-z])\s*[)）]|\d{1,2}\s*[.、．](?!\d)|[一二三四五六七八九十]{1,3}、)\s*"
)


def check_answer(
    sentences: Sequence[tuple[str, Sequence[int]]], evidence: Sequence[Evidence]
) -> tuple[SentenceCheck, ...]:
    """One verdict a sentence, in order.

    Args:
        sentences: each with the markers that it cites; markers may also still stand in the text.
        evidence: the numbered sources of the question.
    """
    return tuple(_check(text, tuple(markers), evidence) for text, markers in sentences)


def _check(text: str, markers: tuple[int, ...], evidence: Sequence[Evidence]) -> SentenceCheck:
    claim = _MARKER.sub("", text).strip()
    if claim not in "\n".join(source.block.text for source in evidence):
        claim = _ENUMERATOR.sub("", claim).strip() or claim
    if not markers:
        if _is_no_claim(claim, evidence):
            return SentenceCheck(text=text, supported=True, score=1.0)
        return SentenceCheck(text=text, supported=False, faults=(Fault(kind="no_marker", detail=claim),), score=0.0)
    known = {source.marker for source in evidence}
    unknown = [Fault(kind="unknown_marker", detail=f"[{marker}]") for marker in markers if marker not in known]
    sources = [source for source in evidence if source.marker in markers]
    if not sources:
        return SentenceCheck(text=text, supported=False, faults=tuple(unknown), score=0.0)
    match = _match(claim, sources)
    faults = (*unknown, *_faults(claim, match, sources))
    return SentenceCheck(
        text=text, supported=not faults, quotes=match.quotes, faults=faults, score=min(match.coverage, 1.0)
    )


def _is_no_claim(claim: str, evidence: Sequence[Evidence]) -> bool:
    """A heading, or a phrase that only leads to what follows."""
    body = _LEAD.sub("", claim)
    return not any(character.isalnum() for character in body) or leads_in(body, _held(evidence))


def _match(claim: str, sources: Sequence[Evidence]) -> Match:
    whole = find_match(claim, sources)
    body = _LEAD.sub("", claim)
    if whole.coverage == 1.0 or body == claim or not body:
        return whole
    without_lead = find_match(body, sources)
    return without_lead if without_lead.coverage >= whole.coverage else whole


def _faults(claim: str, match: Match, sources: Sequence[Evidence]) -> Iterator[Fault]:
    if match.coverage < SUPPORT:
        yield Fault(kind="not_in_source", detail=claim)
    yield from wrong_values(claim, source_values(match.quotes, sources), verbatim=match.verbatim)
    yield from _twisted_values(claim, sources)
    body = _LEAD.sub("", claim)
    if match.verbatim and match.coverage < 1.0:
        yield from (Fault(kind="not_in_source", detail=name) for name in _strange_names(body, sources))
    if match.quotes and match.coverage < 1.0 and (match.verbatim or is_nearly(body, match.quotes[0].text)):
        yield from _piece(changed_piece(body, match.quotes[0].text, _held(sources)), "not_in_source")
    if claim not in _text(sources):
        yield from _piece(changed_condition(body, _text(sources)), "negation")
        yield from _piece(strange_party(body, [_held(sources)]), "not_in_source")
    if match.quotes and not (match.verbatim and match.coverage == 1.0):
        piece = disagreeing_piece(body, "\n".join(quote.text for quote in match.quotes))
        yield from _piece(piece, "negation")
    elif any(is_cut_off(_block(quote, sources), quote.span.start) for quote in match.quotes):
        yield Fault(kind="negation", detail=claim)


def _piece(detail: str | None, kind: str) -> Iterator[Fault]:
    if detail is not None:
        yield Fault(kind=kind, detail=detail)


def _block(quote: Quote, sources: Sequence[Evidence]) -> str:
    return next(source.block.text for source in sources if source.block.block_id == quote.block_id)


def _text(sources: Sequence[Evidence]) -> str:
    return "\n".join(source.block.text for source in sources)


def _held(sources: Sequence[Evidence]) -> str:
    """The cited blocks with what stands above them."""
    return "\n".join(part for s in sources for part in (s.document.title, *s.block.section_path, s.block.text))


def _twisted_values(claim: str, sources: Sequence[Evidence]) -> Iterator[Fault]:
    """Values that stand in the sources, but of something else or as another kind of bound."""
    text = _text(sources)
    if claim not in text:
        yield from (Fault(kind="number", detail=raw) for raw in contradicted_bounds(claim, text))
        yield from (Fault(kind="number", detail=value.raw) for value in misplaced_values(claim, sources))
        yield from (Fault(kind="number", detail=value.raw) for value in swapped_values(claim, sources))
    if len(sources) > 1:
        yield from (Fault(kind="number", detail=value.raw) for value in parted_values(claim, sources))


def _strange_names(claim: str, sources: Sequence[Evidence]) -> Iterator[str]:
    """Names in a nearly literal sentence that stand neither in the cited blocks nor above them.

    One changed name leaves a sentence almost word for word the same, and says something else.
    """
    held = normalise(_held(sources))
    return (name for name in names_in(claim) if normalise(name) not in held)
