"""Why a search found what it found, and why not the rest."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DropReason(StrEnum):
    """Why a passage that a leg found is not among the hits."""

    BEYOND_CANDIDATES = "beyond_candidates"
    BELOW_VECTOR_FLOOR = "below_vector_floor"
    NOT_RELEVANT = "not_relevant"
    SAME_BLOCK = "same_block"
    NEAR_DUPLICATE = "near_duplicate"
    BEYOND_K = "beyond_k"


class DomainChoice(StrEnum):
    """Why the hits are from these domains."""

    NAMED = "named"
    BY_WORDS = "by_words"
    CLEARLY_BEST = "clearly_best"
    NEARLY_EQUAL = "nearly_equal"


class Dropped(_Frozen):
    """A passage that was found and left out; ranks are 1-based, None: not found by that leg."""

    block_id: str
    document: str
    section_path: tuple[str, ...]
    reason: DropReason
    duplicate_of: str | None = Field(default=None, description="the block that is shown instead")
    score: float | None = Field(default=None, description="the reranker's, where it came so far")
    lexical_rank: int | None = None
    vector_rank: int | None = None
    sparse_rank: int | None = None
    fused_rank: int | None = None


class HitExplanation(_Frozen):
    """What brought a hit to its place."""

    block_id: str
    lexical_score: float = Field(ge=0, description="BM25")
    vector_score: float | None = Field(description="cosine; None: it has no vector, or none was asked")
    fused_score: float = Field(ge=0)
    relevance: float = Field(ge=0, le=1, description="share of the query's weight in terms that it holds")
    model_score: float | None = Field(default=None, description="the rerank model's, 0 to 1; None: none, or no time")
    features: dict[str, float] = Field(description="what the reranker weighed, by name; those of 0 are left out")
    terms: dict[str, float] = Field(description="what each term adds to the lexical score; those of 0 are left out")


class Explanation(_Frozen):
    """One search, looked into."""

    tokens: dict[str, float] = Field(description="the query's terms and how telling each is here; 0: unknown here")
    added: dict[str, float] = Field(default_factory=dict, description="terms that were added, and their weights")
    parts: tuple[str, ...] = Field(default=(), description="the sub-queries that were searched")
    filter: str = Field(description="in words; empty: none")
    reasons: tuple[str, ...] = ()
    documents: int | None = Field(description="how many the filter and the caller's rights leave; None: all")
    candidates: dict[str, int] = Field(description="how many passages each leg found")
    vector_floor: float | None = None
    reranked_by: str
    hits: tuple[HitExplanation, ...]
    dropped: tuple[Dropped, ...] = Field(description="the best of them")
    domains: dict[str, float] = Field(
        default_factory=dict,
        description="of each domain with hits, the share of the question's weight that its best hit holds",
    )
    domains_chosen: DomainChoice | None = Field(default=None, description="None: there is one domain only")
