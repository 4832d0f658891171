"""What an evaluation of retrieval found, as data; its JSON shape is documented in docs/commands.md."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Figure(_Frozen):
    """A mean over questions with its 95 % confidence interval."""

    measure: str
    mean: float = Field(ge=0, le=1)
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)


class GroupFigures(_Frozen):
    """The figures of all questions, or of those of one type or language."""

    kind: str = Field(description="`all`, `type` or `language`")
    name: str
    answerable: int = Field(ge=0, description="questions behind `figures`")
    unanswerable: int = Field(ge=0, description="questions behind `nothing_found`")
    figures: tuple[Figure, ...]
    nothing_found: Figure | None = Field(description="share of the unanswerable questions with no hit at all")


class Cause(StrEnum):
    """Why a search missed, from the first stage of finding to the last."""

    NOT_PARSED = "not parsed"
    FILTERED_OUT = "filtered out"
    SPLIT = "split across blocks"
    VOCABULARY_GAP = "vocabulary gap"
    RANKED_TOO_LOW = "ranked too low"


class Excerpt(_Frozen):
    """A place in the library, with the beginning of its text."""

    document: str
    section_path: tuple[str, ...]
    block_id: str
    snippet: str


class Ranks(_Frozen):
    """Where the passage that should have come stood; None: not among the candidates of that leg."""

    final: int | None = None
    lexical: int | None = None
    vector: int | None = None
    sparse: int | None = None
    fused: int | None = None
    in_document: int | None = Field(default=None, description="in a search of its own document alone")


class Miss(_Frozen):
    """A question without a relevant hit, and the one cause of it."""

    id: str
    question: str
    type: str
    language: str
    cause: Cause
    detail: str
    quote: str = Field(description="the text that should have been found, as the case quotes it")
    wanted: Excerpt | None = Field(description="the passage that should have come; None where there is none")
    ranks: Ranks
    term_share: float | None = Field(description="share of the question's terms in that passage, weighted by idf")
    lacking: tuple[str, ...] = Field(description="the question's terms that it does not hold")
    instead: Excerpt | None = Field(description="the first hit")


class CauseCount(_Frozen):
    """How many misses have a cause."""

    cause: Cause
    misses: int


class Distribution(_Frozen):
    """Scores of one kind of hit, one a question."""

    hits: int
    deciles: tuple[float, ...] = Field(description="minimum, nine deciles, maximum; empty without hits")
    histogram: tuple[int, ...]


class Verdict(StrEnum):
    """What the misses together point to."""

    TOO_FEW = "too few misses"
    LOOK_ALIKES = "look-alikes"
    BLOCK_SIZE = "block size"
    MODEL_MISMATCH = "model mismatch"


class ScoreReport(_Frozen):
    """Scores of the best relevant and of the best irrelevant hit of each question, and what they point to."""

    edges: tuple[float, ...] = Field(description="borders of the histograms' bins")
    relevant: Distribution
    irrelevant: Distribution
    separation: float | None = Field(description="share of the questions with both whose relevant hit scores higher")
    verdict: Verdict
    sentence: str


class Unusable(_Frozen):
    """A question that could not be asked, or that nothing could be judged by."""

    id: str
    reason: str


class RetrievalReport(_Frozen):
    """Everything that an evaluation found."""

    library_version: int
    questions: int = Field(description="that were asked and judged")
    unusable: tuple[Unusable, ...]
    depth: int = Field(description="a question with no relevant hit within this many is a miss")
    vectors_used: bool
    seed: int
    resamples: int
    groups: tuple[GroupFigures, ...] = Field(description="all questions first")
    causes: tuple[CauseCount, ...]
    misses: tuple[Miss, ...]
    scores: ScoreReport
