"""What the routes share: nodes by name, and the way a graph is put together from the table of rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from ..context import Context
from ..nodes.act import act
from ..nodes.answer import answer
from ..nodes.extract import extract
from ..nodes.plan import plan
from ..nodes.read import read
from ..nodes.reflect import reflect
from ..nodes.rewrite import rewrite
from ..nodes.search import search
from ..nodes.verify_answer import verify_answer
from ..nodes.verify_evidence import verify_evidence
from ..state import AgentInput, AgentOutput, AgentState, TaskInput
from .deciding import Node, deciding, equipped, next_steps, path_map

Graph = CompiledStateGraph[AgentState, Context, AgentInput, AgentOutput]
RouteGraph = CompiledStateGraph[AgentState, Context, AgentState, AgentState]
RouteBuilder = StateGraph[AgentState, Context, AgentState, AgentState]

NODES: dict[str, Node] = {
    "search": search,
    "read": read,
    "plan": plan,
    "verify_evidence": verify_evidence,
    "reflect": reflect,
    "answer": answer,
    "extract": extract,
    "rewrite": rewrite,
    "verify_answer": verify_answer,
}


def route_builder(graph: str, names: Sequence[str]) -> RouteBuilder:
    """A graph with these nodes, and after each the edges that its rules can take."""
    builder = StateGraph(AgentState, Context)
    for name in names:
        builder.add_node(name, deciding(graph, name, NODES[name]))
        builder.add_conditional_edges(name, next_steps, path_map(graph, name, inner=True))
    return builder


def add_parallel_tasks(builder: RouteBuilder) -> None:
    """The node that runs sub-tasks, once for each message; the evidence is judged when all are done."""
    builder.add_node("act", _act, input_schema=TaskInput)
    builder.add_edge("act", "verify_evidence")


def _act(state: TaskInput, runtime: Runtime[Context]) -> dict[str, Any]:
    """Run one sub-task through the registry."""
    return act(state, equipped(runtime))
