"""The graph of entities and relations (S2 §5)."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class GraphSettings(BaseModel):
    """Entities and relations found in the blocks; off unless it is measured to help."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: bool = Field(
        default=False, description="build the graph when documents are added, and offer `query_graph`"
    )
    expand: bool = Field(default=False, description="let searches follow the graph from their first hits (S2 §5.3)")
    expanded: int = Field(
        default=3, ge=1, le=10, description="of the hits of an expanded search, the last ones at most"
    )
    hops: int = Field(default=1, ge=1, le=2, description="relations followed from an entity, one behind another")
    ontology: Path | None = Field(default=None, description="YAML file of allowed types and relations; none: all")
