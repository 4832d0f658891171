"""The linear route: search → answer → verify, with the quoted answer as landing place. Usable on its own."""

from __future__ import annotations

from collections.abc import Hashable

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..context import Context
from ..nodes.answer import answer
from ..nodes.extract import extract
from ..nodes.search import search
from ..nodes.verify import verify
from ..state import AgentState
from .rules import deciding, target_of, targets


def build_linear() -> CompiledStateGraph[AgentState, Context, AgentState, AgentState]:
    """The compiled route; what it decides to deliver is left to the graph around it."""
    builder = StateGraph(AgentState, Context)
    builder.add_node("search", deciding("search", search))
    builder.add_node("answer", deciding("answer", answer))
    builder.add_node("extract", deciding("extract", extract))
    builder.add_node("verify", deciding("verify", verify))
    builder.add_edge(START, "search")
    for node in ("search", "answer", "extract", "verify"):
        builder.add_conditional_edges(node, target_of, _path_map(node))
    return builder.compile(name="linear")


def _path_map(node: str) -> dict[Hashable, str]:
    return {target: END if target == "deliver" else target for target in targets(node)}
