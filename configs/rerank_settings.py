"""Settings of the model that reranks what a search found."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

RerankProvider = Literal["none", "flag", "cross-encoder", "bge-m3"]


class RerankSettings(BaseModel):
    """Which model judges pairs of a question and a passage, and how long it may take.

    `none` (the default) leaves the order to the reranker that needs no model. The others need the extra `bge`:
    `flag` is a reranker of the BGE family through FlagEmbedding, `cross-encoder` any one that sentence-transformers
    reads, and `bge-m3` compares the vectors that the embedding model BGE-M3 makes of the two texts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: RerankProvider = "none"
    model: str | None = Field(default=None, description="a local folder, or the model's name at its source")
    candidates: int = Field(default=50, ge=1, le=200, description="pairs of one rerank, at most")
    batch_size: int = Field(default=8, ge=1, le=512, description="pairs in one call of the model")
    seconds: float = Field(default=2.0, gt=0, le=600, description="wall time of one rerank")
    weight: float = Field(default=1.0, ge=0, le=1, description="share of the model against the model-free score")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.provider != "none" and not self.model:
            raise ValueError(f"rerank provider {self.provider!r} needs `model`: a local folder or a name")
        return self
