"""Evidence handed to an answer, and what a rule makes of it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ..documents import Block, Document


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Span(_Frozen):
    """Offsets of a stretch of a block's text: `text[start:end]`."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Evidence(_Frozen):
    """A numbered source of one question: a block and where in it the search hit."""

    marker: int = Field(ge=1, description="the number behind [1]; given once a question")
    block: Block
    document: Document
    score: float = Field(description="of the search, higher is better, comparable within one search only")
    focus: tuple[Span, ...] = Field(default=(), description="the passages that matched, best first")


class Quote(_Frozen):
    """A stretch of a block that is quoted byte for byte."""

    marker: int
    block_id: str
    span: Span
    text: str


class ExtractedSentence(_Frozen):
    """One sentence or table row of an extractive answer.

    `text` is what is shown: the quote itself, or for a table row its cells with their column names. `quotes` are the
    stretches of the source that it consists of (a row and its header are two).
    """

    text: str
    quotes: tuple[Quote, ...]
    score: float = Field(ge=0, le=1, description="how well it answers, comparable across questions")


class Extract(_Frozen):
    """An answer quoted from the evidence; without sentences where nothing answers."""

    sentences: tuple[ExtractedSentence, ...] = ()
    confidence: float = Field(ge=0, le=1, description="0: nothing here answers; 1: surely answered")
    missing: tuple[str, ...] = Field(default=(), description="what was asked for and is not in the evidence")


class ConflictSide(_Frozen):
    """What one source says in a conflict."""

    statement: ExtractedSentence
    value: str = Field(description="the number, date or phrase in which it differs, as it is written")
    document: str = Field(description="the document's name")
    dated: str = Field(default="", description="the date or edition of the document, as far as it is known")


class Conflict(_Frozen):
    """Sources that disagree about one question."""

    question: str
    sides: tuple[ConflictSide, ...] = Field(min_length=2, description="one for each value, most documents first")
    preferred: int | None = Field(default=None, description="index of the side that wins by rule; None: not clear")
    reason: Literal["newer_edition", "higher_authority", "more_specific", "documents_first", "unclear"] = "unclear"


class DomainStatement(_Frozen):
    """What one business area says where others say something else; each holds for its own."""

    domain: str = Field(description="empty: the documents without one")
    document: str = Field(description="the document's name")
    statement: ExtractedSentence


class Fault(_Frozen):
    """Why a sentence is not supported by what it cites."""

    kind: str = Field(
        pattern="^(no_marker|unknown_marker|not_in_source|number|date|amount|duration|clause|identifier|negation)$"
    )
    detail: str = Field(description="the offending piece, for the report")


class SentenceCheck(_Frozen):
    """The verdict on one sentence of an answer."""

    text: str
    supported: bool
    quotes: tuple[Quote, ...] = ()
    faults: tuple[Fault, ...] = ()
    score: float = Field(ge=0, le=1, description="how much of the sentence stands in its quotes")
