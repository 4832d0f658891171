"""Settings of the chat models: one endpoint a tier, any OpenAI-compatible server."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator


class Tier(StrEnum):
    """How strong a model a decision needs: judging is `light`, planning `mid`, answering `strong`."""

    LIGHT = "light"
    MID = "mid"
    STRONG = "strong"


def _has_host(value: str) -> bool:
    try:
        parts = urlsplit(value)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def check_base_url(value: str) -> str:
    """Accepts an http(s) address without a trailing slash; anything else is a ValueError that does not repeat it.

    What stands in the wrong place may be a key.
    """
    if not value.startswith(("http://", "https://")) or not _has_host(value):
        raise ValueError("not an address: give one like http://127.0.0.1:8000/v1")
    return value.rstrip("/")


class ChatModelSettings(BaseModel):
    """One chat model behind an OpenAI-compatible endpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str = Field(description="address of the endpoint, usually ending in /v1")
    model: str = Field(min_length=1, description="the model's name at the endpoint")
    api_key: SecretStr | None = Field(default=None, description="bearer token; none for local servers")
    temperature: float = Field(default=0, ge=0, le=2)
    max_output_tokens: int = Field(default=800, ge=1, le=100_000, description="output limit of one call")
    context_window: int = Field(default=8192, ge=512, le=10_000_000, description="tokens in and out")
    request_seconds: float = Field(default=30, gt=0, le=3600, description="wall time of one call, its retries included")
    concurrent_calls: int = Field(default=4, ge=1, le=256, description="calls to the endpoint at the same time")
    retries: int = Field(default=2, ge=0, le=5, description="further attempts after a transient error")
    output_limit_field: Literal["max_tokens", "max_completion_tokens"] = Field(
        default="max_tokens",
        description="request field of the output limit; OpenAI's reasoning models want the second",
    )

    _checked_url = field_validator("base_url")(check_base_url)


class TierSettings(BaseModel):
    """The chat models by tier. One entry is enough: a tier without one uses the nearest that has."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    light: ChatModelSettings | None = None
    mid: ChatModelSettings | None = None
    strong: ChatModelSettings | None = None

    def for_tier(self, tier: Tier) -> ChatModelSettings | None:
        """The model of a tier: its own, else the next stronger, else the next weaker; None without any."""
        order = list(Tier)
        at = order.index(tier)
        candidates = [*order[at:], *reversed(order[:at])]
        return next((found for name in candidates if (found := getattr(self, name.value)) is not None), None)
