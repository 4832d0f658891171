"""What a search returns."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from ..documents import Block, Document
from ..evidence.models import Span
from ..query.models import SearchFilter
from .explaining import Explanation


class Hit(BaseModel):
    """A block that search found, with the ranks that put it there (1 is best, None: not found by that leg)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rank: int = Field(ge=1)
    score: float
    block: Block
    document: Document
    neighbours: tuple[Block, ...] = Field(
        default=(), description="blocks before or behind that a sentence or table runs into, in document order"
    )
    focus: tuple[Span, ...] = Field(description="the passages inside the block that matched, best first")
    lexical_rank: int | None = None
    vector_rank: int | None = None
    sparse_rank: int | None = None
    fused_rank: int | None = None

    @property
    def text(self) -> str:
        """The block's text with that of the neighbours it runs into, in document order."""
        blocks = sorted((self.block, *self.neighbours), key=lambda block: block.ordinal)
        return "\n".join(block.text for block in blocks)


class DomainsShown(BaseModel):
    """From which domains the hits are, the best first, and which others had some; no name: documents without one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    used: tuple[str, ...]
    others: tuple[str, ...] = ()
    close: tuple[str, ...] = Field(default=(), description="those of the others whose best hit was nearly as good")

    def describe(self, language: str) -> str:
        """In words, in Chinese (`zh`) or English."""
        used, others = (_listed(names, language) for names in (self.used, self.others))
        if language == "zh":
            return f"取自领域：{used}" + (f"；其他领域也有结果：{others}" if others else "")
        return f"from the domain: {used}" + (f"; others had hits, too: {others}" if others else "")

    def doubt(self, language: str) -> str:
        """Which domains were left out although they answer nearly as well, in words; empty where there are none."""
        if not self.close:
            return ""
        used, close = (_listed(names, language) for names in (self.used, self.close))
        if language == "zh":
            return f"取自领域：{used}；其他领域的结果几乎同样好：{close}"
        return f"from the domain: {used}; nearly as good, but left out: {close}"


def _listed(domains: Sequence[str], language: str) -> str:
    none, comma = ("（未分领域）", "、") if language == "zh" else ("(no domain)", ", ")
    return comma.join(name or none for name in domains)


class SearchResult(BaseModel):
    """What a search found; empty where nothing is relevant."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str
    library_version: int
    hits: tuple[Hit, ...]
    tokens: tuple[str, ...] = Field(description="the query as the lexical leg saw it")
    vectors_used: bool
    filter: SearchFilter = Field(default=SearchFilter(), description="which documents were searched")
    notes: tuple[str, ...] = Field(default=(), description="what the reader of the hits should know, in words")
    domains: DomainsShown | None = Field(default=None, description="only of a library of several domains")
    explanation: Explanation | None = Field(default=None, description="only where it was asked for")
