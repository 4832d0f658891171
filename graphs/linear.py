"""The linear route: search → judge → answer → check, with the quoted answer as landing place."""

from __future__ import annotations

from langgraph.graph import START

from .routes import RouteGraph, route_builder
from .rules import LINEAR

NAMES = ("search", "verify_evidence", "answer", "extract", "rewrite", "verify_answer")


def build_linear() -> RouteGraph:
    """The compiled route; what it decides to deliver is left to the graph around it."""
    builder = route_builder(LINEAR, NAMES)
    builder.add_edge(START, "search")
    return builder.compile(name="linear")
