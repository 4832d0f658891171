"""The agent: understand → gate → a route → deliver. `graph` is what LangGraph Studio and other hosts load."""

from __future__ import annotations

from collections.abc import Hashable

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..context import Context
from ..nodes.deliver import deliver
from ..nodes.gate import gate
from ..nodes.understand import understand
from ..state import AgentInput, AgentOutput, AgentState
from .linear import build_linear
from .rules import deciding, target_of, targets


def build_graph() -> CompiledStateGraph[AgentState, Context, AgentInput, AgentOutput]:
    """The compiled graph, without a checkpointer of its own: the host brings one."""
    builder = StateGraph(AgentState, Context, input_schema=AgentInput, output_schema=AgentOutput)
    builder.add_node("understand", deciding("understand", understand))
    builder.add_node("gate", deciding("gate", gate))
    builder.add_node("linear", build_linear())
    builder.add_node("deliver", deliver)
    builder.add_edge(START, "understand")
    for node in ("understand", "gate"):
        builder.add_conditional_edges(node, target_of, _path_map(node))
    builder.add_edge("linear", "deliver")
    builder.add_edge("deliver", END)
    return builder.compile(name="veriloop")


def _path_map(node: str) -> dict[Hashable, str]:
    return {target: target for target in targets(node)}


graph = build_graph()
