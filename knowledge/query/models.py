"""What a question becomes before it is searched: the text, added terms, sub-queries and a filter."""

from __future__ import annotations

from datetime import date
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .wording import WORDING

NO_WORDS: frozenset[str] = frozenset()


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SearchFilter(_Frozen):
    """Which documents are searched. Every field narrows; the default narrows nothing.

    It can only leave documents out of those that the caller may read, never bring one in.
    """

    doc_ids: frozenset[str] | None = Field(default=None, description="only these; None: any")
    doc_types: frozenset[str] = Field(default=NO_WORDS, description="types in any language; empty: any")
    domains: frozenset[str] = Field(default=NO_WORDS, description="as set when the document was added; empty: any")
    dated_from: date | None = Field(default=None, description="first day; a document without a date stays in")
    dated_to: date | None = Field(default=None, description="last day; a document without a date stays in")
    in_force_on: date | None = Field(default=None, description="as far as known, with the newest edition only")
    editions: frozenset[int] = Field(default=frozenset(), description="years of the editions wanted; empty: any")
    edition_titles: frozenset[str] = Field(
        default=NO_WORDS, description="which texts `editions` is about; empty: every text with such an edition"
    )
    min_authority: int = Field(default=0, ge=0, le=100)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.dated_from and self.dated_to and self.dated_from > self.dated_to:
            raise ValueError(f"the period ends ({self.dated_to}) before it begins ({self.dated_from})")
        return self

    @property
    def is_empty(self) -> bool:
        """Whether it leaves every document in."""
        return self == _EVERYTHING

    def describe(self, language: str) -> str:
        """The filter in words, for people; empty if it narrows nothing.

        Args:
            language: ``zh``, anything else is English.
        """
        words = WORDING["zh" if language == "zh" else "en"]
        parts = [
            words.only(len(self.doc_ids)) if self.doc_ids is not None else "",
            words.types.format(words.listed(self.doc_types)) if self.doc_types else "",
            words.domains.format(words.listed(self.domains)) if self.domains else "",
            words.period(self.dated_from, self.dated_to),
            words.in_force.format(self.in_force_on) if self.in_force_on else "",
            words.editions.format(words.listed(map(str, self.editions))) if self.editions else "",
            words.authority.format(self.min_authority) if self.min_authority else "",
        ]
        return words.separator.join(filter(None, parts))


_EVERYTHING = SearchFilter()


class AddedTerm(_Frozen):
    """Words that are searched besides the question's own."""

    term: str
    weight: float = Field(gt=0, lt=1, description="what a match counts beside a word of the question, which counts 1")
    because: str = Field(description="the word of the question that it stands for")


class SubQuery(_Frozen):
    """A part of a question that is searched on its own."""

    text: str
    doc_ids: frozenset[str] | None = Field(default=None, description="only in these documents; None: in all")


class SearchQuery(_Frozen):
    """A question as it is searched."""

    original: str
    text: str = Field(description="what is searched: the original without what has become the filter")
    terms: tuple[AddedTerm, ...] = ()
    sub_queries: tuple[SubQuery, ...] = Field(default=(), description="searched besides `text`; empty: one search")
    filter: SearchFilter = _EVERYTHING
    nothing_left: str = Field(default="", description="that no document meets the filter; empty: some do")
    reasons: tuple[str, ...] = Field(default=(), description="why, in the language of the question")
