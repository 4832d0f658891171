"""The two-step route: parallel searches, one targeted second search for what is missing, answer → check."""

from __future__ import annotations

from langgraph.graph import START

from .routes import RouteGraph, add_parallel_tasks, route_builder
from .rules import TWO_STEP

NAMES = ("plan", "verify_evidence", "reflect", "answer", "extract", "rewrite", "verify_answer")


def build_two_step() -> RouteGraph:
    """The compiled route; what it decides to deliver is left to the graph around it."""
    builder = route_builder(TWO_STEP, NAMES)
    add_parallel_tasks(builder)
    builder.add_edge(START, "plan")
    return builder.compile(name="two_step")
