"""The settings tree: every number has a unit and bounds, every key is known, no global instance exists."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from .digest_settings import DigestSettings
from .domain_settings import DomainSettings
from .embedding_settings import EmbeddingSettings
from .graph_settings import GraphSettings
from .memory_settings import MemorySettings
from .model_settings import TierSettings
from .reading_settings import ReadingSettings
from .rerank_settings import RerankSettings
from .tool_settings import ToolSettings


class Section(BaseModel):
    """Base of one part of the settings: unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StorageSettings(Section):
    """How a library is shared between processes."""

    lock_seconds: float = Field(default=60.0, ge=0, le=3600, description="wait for another writer")
    keep_versions: int = Field(
        default=20, ge=0, le=1_000, description="replaced versions of a document that stay as its history"
    )


_MOST_RECOGNITION = 0.6  # share of the time for a file; a page that is begun at its end may take a minute


class ParsingSettings(Section):
    """How input files are read, and the limits on them."""

    max_file_megabytes: float = Field(default=300.0, gt=0, le=4096)
    processes: int = Field(
        default=2, ge=0, le=64, description="that read files side by side; 0 reads them in this one, without limits"
    )
    file_seconds: float = Field(default=600.0, gt=0, le=86_400, description="after which reading a file is given up")
    memory_megabytes: float = Field(default=3_000.0, ge=100, le=1_000_000, description="that reading a file may take")
    max_pages: int = Field(default=10_000, ge=1, le=1_000_000, description="of a file; what follows is not read")
    max_cells: int = Field(
        default=2_000_000, ge=1, le=100_000_000, description="of a workbook; what follows is not read"
    )
    ocr: bool = Field(default=True, description="recognise text in pictures where the extra `ocr` is installed")
    ocr_seconds: float = Field(
        default=300.0,
        gt=0,
        le=86_400,
        description="for recognising the pictures of a file; the rest is listed as unread",
    )
    readers: dict[str, Literal["own", "unstructured"]] = Field(
        default_factory=dict, description="who reads files of an ending (`.docx: unstructured`) where both can"
    )

    @property
    def ocr_seconds_of_file(self) -> float:
        """Seconds for recognition that leave time for the rest of a file."""
        return min(self.ocr_seconds, _MOST_RECOGNITION * self.file_seconds)


class SplittingSettings(Section):
    """Sizes in characters. Blocks: S0 §3.1; passages: S4 §2.2."""

    block_min: int = Field(default=500, ge=50, le=5_000)
    block_max: int = Field(default=1_500, ge=100, le=20_000)
    table_max: int = Field(default=4_000, ge=500, le=100_000, description="a longer table is split by rows")
    passage: int = Field(default=512, ge=64, le=4_000)
    overlap: int = Field(default=64, ge=0, le=1_000)

    @model_validator(mode="after")
    def _ordered(self) -> SplittingSettings:
        if not self.block_min <= self.block_max or self.overlap >= self.passage:
            raise ValueError("block_min must not exceed block_max, and overlap must be below passage")
        return self


class IndexingSettings(Section):
    """How long one `add` may spend on vectors; search is lexical for what has none yet."""

    vector_minutes: float = Field(default=5.0, ge=0, le=10_000)
    vector_batch: int = Field(default=32, ge=1, le=1_024, description="passages embedded per transaction")


class SearchSettings(Section):
    """Numbers of hybrid search. Candidates and kept hits: S3 §3.3, S4 §2.4; k1 and b: S3 §3.3."""

    candidates: int = Field(default=50, ge=1, le=1_000)
    keep: int = Field(default=8, ge=1, le=50, description="hits handed to the answer")
    k1: float = Field(default=1.2, ge=0, le=5)
    b: float = Field(default=0.5, ge=0, le=1)
    dictionary: Path | None = Field(
        default=None, description="UTF-8 text file of the domain's words, one a line, each with its synonyms behind it"
    )
    fusion: Literal["weighted", "rrf"] = Field(
        default="weighted", description="by scaled scores, or by ranks (reciprocal rank fusion)"
    )
    lexical_weight: float = Field(
        default=0.35, ge=0, le=1, description="share of the lexical leg in the fusion; the reranker goes by words, too"
    )
    vector_floor: float | None = Field(
        default=None, ge=-1, le=1, description="cosine that a hit by vectors alone needs; left out: calibrated"
    )
    sparse_weight: float = Field(
        default=0.3, ge=0, le=1, description="what sparse vectors count beside the two, where a model gives them"
    )
    min_relevance: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="a passage that holds less than this share of the query's weight in terms, and that no vector"
        " finds near, is no hit; 0 keeps all",
    )


class AnswerSettings(Section):
    """How an answer is put together."""

    max_sentences: int = Field(default=2, ge=1, le=20, description="of an extractive answer to a plain question")
    summary_sentences: int = Field(
        default=5, ge=1, le=20, description="of an extractive answer to a question that asks for a summary"
    )
    min_confidence: float = Field(default=0.35, ge=0, le=1, description="below it an extract counts as nothing found")
    max_output_tokens: int = Field(default=600, ge=50, le=8_000)
    compare_sentences: bool = Field(
        default=True, description="let vectors help to choose the clauses for an open question (about 0.4 s on a CPU)"
    )


class BudgetSettings(Section):
    """The budgets of S2 §7.2 are hard; only their seconds can be stretched, for a model that runs on a slow machine."""

    time_factor: float = Field(default=1.0, ge=0.1, le=60, description="multiplies the seconds of every class")


class TraceSettings(Section):
    """The record of each run in the library's file, to be shown and replayed."""

    enabled: bool = True
    keep: int = Field(default=500, ge=0, le=100_000, description="the oldest traces beyond these are forgotten")


class LoggingSettings(Section):
    """Structured logs go to stderr; they never hold document text or secrets."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"
    format: Literal["console", "json"] = "console"


class Settings(BaseSettings):
    """Everything that can be set. Order of precedence: environment, then profile file, then these defaults."""

    model_config = SettingsConfigDict(env_prefix="VERILOOP_", env_nested_delimiter="__", extra="forbid", frozen=True)

    profile: str = "offline"
    storage: StorageSettings = StorageSettings()
    parsing: ParsingSettings = ParsingSettings()
    splitting: SplittingSettings = SplittingSettings()
    indexing: IndexingSettings = IndexingSettings()
    embeddings: EmbeddingSettings = EmbeddingSettings()
    search: SearchSettings = SearchSettings()
    domains: dict[str, DomainSettings] = Field(
        default_factory=dict, description="what holds for business areas, by name"
    )
    rerank: RerankSettings = RerankSettings()
    answer: AnswerSettings = AnswerSettings()
    digest: DigestSettings = DigestSettings()
    reading: ReadingSettings = ReadingSettings()
    graph: GraphSettings = GraphSettings()
    memory: MemorySettings = MemorySettings()
    tools: ToolSettings = ToolSettings()
    budget: BudgetSettings = BudgetSettings()
    models: TierSettings | None = None
    traces: TraceSettings = TraceSettings()
    logging: LoggingSettings = LoggingSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment beats the profile, whose values arrive as constructor arguments."""
        return env_settings, init_settings
