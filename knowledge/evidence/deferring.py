"""Sentences that answer only by sending the reader elsewhere, and what stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..addressing.finding import outline_of
from ..addressing.relative import places_of
from .amounts import amounts
from .cross_references import Reference, deferred_by_place, deferred_to, labels_of_line, place_of
from .extract import extract_answer
from .models import Evidence, ExtractedSentence, Span
from .nearest_value import wanted_kinds
from .question import QuestionAnalysis
from .question_words import WANTED_VALUES
from .units import CLAUSE_LENGTH, cut_units, quote

# What an answer is completed by, at most; a rule that refers to many others cannot be told in full.
_MOST_ADDED = 2


def defers(question: QuestionAnalysis, sentences: Sequence[ExtractedSentence]) -> bool:
    """Whether the first sentence of an answer leaves its substance to another place.

    One that states a value of the kind that is asked for does not, whatever else it refers to.
    """
    if not sentences or _states_value(question, sentences[0]):
        return False
    said = frozenset(label for one in sentences for line in one.text.splitlines() for label in labels_of_line(line))
    text = sentences[0].text
    return any(one.title or one.label not in said for one in deferred_to(text)) or bool(deferred_by_place(text))


def _states_value(question: QuestionAnalysis, sentence: ExtractedSentence) -> bool:
    if question.answer_type not in WANTED_VALUES:
        return False
    kinds = frozenset().union(*wanted_kinds(question))
    asked = {value.canonical for value in question.values}
    return any(value.kind in kinds and value.canonical not in asked for value in amounts(sentence.text))


def referred_sentences(
    question: QuestionAnalysis, sentences: Sequence[ExtractedSentence], evidence: Sequence[Evidence]
) -> tuple[ExtractedSentence, ...]:
    """What stands in the evidence at the places that an answer sends its reader to, quoted; empty where it does not.

    Args:
        question: that is answered.
        sentences: of the answer.
        evidence: with the blocks that the answer and what it refers to stand in.
    """
    if not defers(question, sentences):
        return ()
    quoted = {part.text for one in sentences for part in one.quotes}
    referred = (
        *(one for other in deferred_to(sentences[0].text) for one in _said_at(question, other, sentences[0], evidence)),
        *_said_before(sentences[0], evidence),
    )
    found = (one for one in referred if not any(one.text in text for text in quoted))
    return tuple({one.text: one for one in found}.values())[:_MOST_ADDED]


def _said_before(sentence: ExtractedSentence, evidence: Sequence[Evidence]) -> Iterator[ExtractedSentence]:
    """What 前款, 前条 or the preceding clause of a sentence says, as far as the evidence holds it."""
    first = sentence.quotes[0]
    own = next((source for source in evidence if source.block.block_id == first.block_id), None)
    references = deferred_by_place(sentence.text)
    if own is None or not references:
        return
    sources = {s.block.block_id: s for s in evidence if s.document.doc_id == own.document.doc_id}
    outline = outline_of(sorted((s.block for s in sources.values()), key=lambda block: block.ordinal))
    for reference in references:
        for stretch in places_of(reference, outline, first.block_id, first.span.start + reference.start):
            yield _quoted(sources[stretch.block.block_id], stretch.span, sentence.score)


def _said_at(
    question: QuestionAnalysis, reference: Reference, sentence: ExtractedSentence, evidence: Sequence[Evidence]
) -> Iterator[ExtractedSentence]:
    own = {part.block_id for part in sentence.quotes}
    documents = {source.document.doc_id for source in evidence if source.block.block_id in own}
    if reference.title:
        wanted = [s for s in evidence if reference.title in s.document.search_title]
    else:
        wanted = [s for s in evidence if s.document.doc_id in documents]
    if reference.label is None:
        others = [source for source in wanted if source.document.doc_id not in documents]
        yield from extract_answer(question, others, max_sentences=1).sentences
        return
    for source in wanted:
        place = place_of(reference.label, (source.block,))
        if place is not None:
            yield _quoted(source, place.span, sentence.score)
            return


def _quoted(source: Evidence, span: Span, score: float) -> ExtractedSentence:
    """A part of a block as a sentence of the answer, cut behind a unit where it is long."""
    text = source.block.text
    end = span.end
    if end - span.start > CLAUSE_LENGTH:
        ends = [unit.end for unit in cut_units(source) if span.start < unit.end <= span.start + CLAUSE_LENGTH]
        end = ends[-1] if ends else span.start + CLAUSE_LENGTH
    end = span.start + len(text[span.start : end].rstrip())
    part = quote(source, span.start, end)
    return ExtractedSentence(text=part.text, quotes=(part,), score=score)
