"""The reading route: read up on each part → judge → answer → check; where reading leaves it in doubt, the loop."""

from __future__ import annotations

from langgraph.graph import START

from .routes import RouteGraph, add_parallel_tasks, route_builder
from .rules import READING

NAMES = ("read", "verify_evidence", "answer", "extract", "rewrite", "verify_answer")


def build_reading_route() -> RouteGraph:
    """The compiled route; what it decides to deliver is left to the graph around it."""
    builder = route_builder(READING, NAMES)
    add_parallel_tasks(builder)
    builder.add_edge(START, "read")
    return builder.compile(name="reading")
