"""The loop: plan → act* → judge the evidence → answer → check, with reflection wherever something is missing."""

from __future__ import annotations

from typing import Literal

from langgraph.graph import START

from ..state import AgentState
from .routes import RouteGraph, add_parallel_tasks, route_builder
from .rules import LOOP

NAMES = ("plan", "verify_evidence", "reflect", "answer", "extract", "rewrite", "verify_answer")


def entry(state: AgentState) -> Literal["plan", "reflect"]:
    """A question that one search did not answer is looked back on; one of several parts, or a new one, is planned."""
    is_tried = bool(state.get("verdicts"))
    return "reflect" if is_tried and len(state["understanding"].decomposition.parts) == 1 else "plan"


def build_loop() -> RouteGraph:
    """The compiled route; what it decides to deliver is left to the graph around it."""
    builder = route_builder(LOOP, NAMES)
    add_parallel_tasks(builder)
    builder.add_conditional_edges(START, entry)
    return builder.compile(name="loop")
