"""The table of rules as it stands in the compiled graphs: what a command prints is what a run can do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph
from pydantic import BaseModel, ConfigDict, Field

from .agent import graph
from .deciding import OUTSIDE
from .rules import AGENT, deciding_nodes, rules_after

Compiled = CompiledStateGraph[Any, Any, Any, Any]


class LiveRule(BaseModel):
    """One row of the table, found as an edge of a compiled graph."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    graph: str
    after: str = Field(description="the node behind which the rule is asked")
    name: str
    kind: str = Field(description="stop, retry, brake, fallback or next")
    target: str
    meaning: str


def graph_names() -> tuple[str, ...]:
    """The agent, then the routes that stand in it."""
    return tuple(_compiled())


def live_rules(name: str) -> tuple[LiveRule, ...]:
    """The rules of a graph in the order in which they are asked.

    Raises:
        KeyError: there is no such graph.
        RuntimeError: the table and the compiled graph disagree.
    """
    nodes = set(_compiled()[name].get_graph().nodes)
    ways = _ways(name)
    listed = tuple(_listed(name))
    unknown = {rule.after for rule in listed} - nodes
    dead = [f"{rule.after} -> {rule.target}" for rule in listed if (rule.after, rule.target) not in ways]
    if unknown or dead:
        raise RuntimeError(f"the graph {name} and its rules disagree: {', '.join((*sorted(unknown), *dead))}")
    return listed


def _listed(name: str) -> Iterator[LiveRule]:
    for after in deciding_nodes(name):
        for rule in rules_after(name, after):
            yield LiveRule(
                graph=name,
                after=after,
                name=rule.name,
                kind=rule.kind.value,
                target=rule.target,
                meaning=rule.meaning,
            )


def _compiled() -> dict[str, Compiled]:
    inner: Any = graph.get_subgraphs()
    return {AGENT: graph, **dict(inner)}


def _ways(name: str) -> set[tuple[str, str]]:
    """The edges of a graph; where a route ends, those that the agent has behind it."""
    ways = _edges(_compiled()[name])
    if name == AGENT:
        return ways
    outside = {target for source, target in _edges(graph) if source == name}
    ends = {source for source, target in ways if target == END}
    return ways | {(source, target) for source in ends for target in outside & set(OUTSIDE)}


def _edges(compiled: Compiled) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in compiled.get_graph().edges}
