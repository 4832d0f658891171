"""A server of the Model Context Protocol whose tools may be called."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

ToolPermission = Literal["read", "sensitive", "write"]


class McpSettings(BaseModel):
    """A server: a program that is started here (`command`), or an address (`url`, streamable HTTP).

    What a server says of its own tools (read-only, harmless) is a hint of somebody else and decides nothing:
    permissions stand here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    command: tuple[str, ...] = Field(default=(), description="the program and its arguments; spoken to over stdio")
    url: str | None = Field(default=None, pattern=r"^https?://", description="of a server over streamable HTTP")
    environment: dict[str, str] = Field(
        default_factory=dict,
        description="variables of the program; `env:NAME` takes the value of an environment variable",
    )
    headers: dict[str, str] = Field(
        default_factory=dict, description="sent along over HTTP; `env:NAME` takes the value of an environment variable"
    )
    tools: tuple[str, ...] | None = Field(default=None, description="names that are offered; default: all of them")
    permission: ToolPermission = Field(
        default="sensitive", description="what a call may do at most: read, sensitive (asks a person), write (asks)"
    )
    permissions: dict[str, ToolPermission] = Field(default_factory=dict, description="of single tools, by name")
    live: bool = Field(default=False, description="whether the tools tell what is so right now")
    readers: frozenset[str] = Field(default=frozenset(), description="who may have it called; empty: everyone")
    connect_seconds: float = Field(default=10.0, gt=0, le=120)
    timeout_seconds: float = Field(default=30.0, gt=0, le=300, description="of one call")
    max_characters: int = Field(default=20_000, ge=100, le=200_000, description="of a result that are read")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("give either `command` or `url`")
        return self
