"""The agent: understand → gate → a route → deliver → remember. `graph` is what LangGraph Studio and other hosts load.

`linear`, `two_step` and `loop` are the same agent with that route alone: each is a graph of its own, from a question to
an answer object, to be used by itself or as a node of a larger graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from langgraph.graph import END, START, StateGraph

from ..context import Context
from ..decisions import Route
from ..nodes.deliver import deliver
from ..nodes.gate import gate
from ..nodes.remember import remember
from ..nodes.understand import understand
from ..state import AgentInput, AgentOutput, AgentState
from .deciding import deciding, path_map, target_of
from .linear import build_linear
from .loop import build_loop
from .reading_route import build_reading_route
from .routes import Graph
from .rules import AGENT
from .two_step import build_two_step

# LangGraph's own limit of 10,007 brakes nothing. The budget's eight steps take three supersteps each; this is a net
# below the rules, never reached while they hold.
MOST_SUPERSTEPS = 60

BUILDERS = {
    Route.LINEAR: build_linear,
    Route.TWO_STEP: build_two_step,
    Route.LOOP: build_loop,
    Route.READING: build_reading_route,
}
# Where a route may hand a question over to, besides `deliver`.
_ONWARD = {Route.LINEAR: (Route.READING, Route.LOOP), Route.READING: (Route.LOOP,)}


def build_graph(routes: Iterable[Route] = tuple(BUILDERS), name: str = "veriloop") -> Graph:
    """The compiled graph, without a checkpointer of its own: the host brings one.

    Args:
        routes: the routes that it has; a question whose own route is missing takes the nearest.
        name: of the compiled graph.
    """
    chosen = tuple(route for route in BUILDERS if route in frozenset(routes))
    known = frozenset({*chosen, Route.DIRECT})
    nodes = ("gate", "deliver", *(route.value for route in chosen))
    builder = StateGraph(AgentState, Context, input_schema=AgentInput, output_schema=AgentOutput)
    builder.add_node("understand", deciding(AGENT, "understand", understand))
    builder.add_node("gate", deciding(AGENT, "gate", partial(gate, routes=known)))
    builder.add_node("deliver", deliver)
    builder.add_node("remember", partial(remember, routes=known))
    builder.add_edge(START, "understand")
    for node in ("understand", "gate"):
        ways = path_map(AGENT, node, inner=False)
        builder.add_conditional_edges(node, target_of, {at: to for at, to in ways.items() if to in nodes})
    for route in chosen:
        builder.add_node(route.value, BUILDERS[route]())
        onward = tuple(other.value for other in _ONWARD.get(route, ()) if other in chosen)
        ends = ("deliver", *onward)
        builder.add_conditional_edges(route.value, target_of, {end: end for end in ends})
    builder.add_edge("deliver", "remember")
    builder.add_edge("remember", END)
    return builder.compile(name=name).with_config(recursion_limit=MOST_SUPERSTEPS)


graph = build_graph()
linear = build_graph([Route.LINEAR], "linear")
two_step = build_graph([Route.TWO_STEP], "two_step")
loop = build_graph([Route.LOOP], "loop")
