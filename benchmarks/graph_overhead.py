"""Measures what the graph itself costs a question, beside what its nodes do.

    python benchmarks/graph_overhead.py --library DIR [--runs 200] [--direct 谢谢] [--question …] [--json]

Every node function of the graphs is wrapped in a timer before the graph is compiled. `graph_ms` is the time of a run
less the time inside nodes: scheduling, state updates, the rules behind each node, and what a run is given. `bare_ms` is
a plain LangGraph graph of nodes that do nothing, in the shape of the run: as many nodes and subgraphs over the same
state type, a conditional edge behind each, in the same process. Medians of all runs, of each column by itself. Nodes
that run side by side count with the sum of their times.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import pkgutil
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, cast
from unittest.mock import patch

import veriloop.graphs
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from rich.console import Console
from rich.table import Table
from veriloop import Agent, Caller, Library
from veriloop.context import Context
from veriloop.graphs import agent as agent_graph
from veriloop.graphs import assembly, session
from veriloop.state import AgentState

NODE_PACKAGE = "veriloop.nodes."
WARM_UP_RUNS = 3


class Overhead(NamedTuple):
    """Medians in milliseconds, and how many nodes a run visits."""

    nodes: int
    total_ms: float
    node_ms: float
    graph_ms: float
    bare_ms: float

    @property
    def ratio(self) -> float:
        """The graph's own time as a multiple of the bare chain's."""
        return self.graph_ms / self.bare_ms

    @property
    def share(self) -> float:
        """The graph's own part of the whole run, 0 to 1."""
        return self.graph_ms / self.total_ms


class Visit(NamedTuple):
    """A node that a run has gone through, and the subgraphs around it from the outside in."""

    path: tuple[str, ...]
    node: str


class NodeTimer:
    """Sums up the time inside wrapped functions; a wrapped function inside another counts once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = threading.local()
        self._lock = threading.Lock()

    def wrap(self, node: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""

        @functools.wraps(node)
        def timed(*given: Any, **named: Any) -> Any:
            if getattr(self._depth, "inside", False):
                return node(*given, **named)
            self._depth.inside = True
            start = time.perf_counter()
            try:
                return node(*given, **named)
            finally:
                self._depth.inside = False
                with self._lock:
                    self.seconds += time.perf_counter() - start

        return timed


def _graph_modules() -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(veriloop.graphs.__path__, "veriloop.graphs."):
        yield importlib.import_module(found.name)


@contextmanager
def timed_nodes(timer: NodeTimer) -> Iterator[None]:
    """The agent's graph, compiled anew from timed nodes."""
    with ExitStack() as patches:
        for module in _graph_modules():
            for name, value in list(vars(module).items()):
                if _is_node(value):
                    patches.enter_context(patch.object(module, name, timer.wrap(value)))
                elif isinstance(value, dict):
                    timed = {key: timer.wrap(node) for key, node in value.items() if _is_node(node)}
                    patches.enter_context(patch.dict(value, timed))
        patches.enter_context(patch.object(session, "graph", agent_graph.build_graph()))
        yield


def _is_node(value: object) -> bool:
    return isinstance(value, FunctionType) and value.__module__.startswith(NODE_PACKAGE)


def visited(agent: Agent, question: str) -> list[Visit]:
    """The nodes of a run in the order in which they finish: those of a subgraph before the node that holds it."""
    stream = agent_graph.build_graph().stream(
        {"question": question}, context=agent.context, stream_mode="updates", subgraphs=True
    )
    return [
        Visit(tuple(part.split(":")[0] for part in namespace), node)
        for namespace, update in cast(Iterator[tuple[tuple[str, ...], dict[str, Any]]], stream)
        for node in update
    ]


def bare_graph(visits: Sequence[Visit], level: int = 0) -> CompiledStateGraph[Any, Any, Any, Any]:
    """A graph of nodes that do nothing, in the shape of a run: a chain, with the same subgraphs in it."""
    steps: list[Any] = []
    inner: list[Visit] = []
    for visit in visits:
        if len(visit.path) > level:
            inner.append(visit)
        else:
            below = [one for one in inner if one.path[level] == visit.node]
            steps.append(bare_graph(below, level + 1) if below else _nothing)
            inner = [one for one in inner if one not in below]
    return _chain(steps)


def _chain(steps: Sequence[Any]) -> CompiledStateGraph[Any, Any, Any, Any]:
    builder = StateGraph(AgentState, Context)
    names = [f"n{number}" for number in range(len(steps))]
    for name, step, following in zip(names, steps, [*names[1:], END], strict=True):
        builder.add_node(name, step)
        builder.add_conditional_edges(name, functools.partial(_always, following), {following: following})
    builder.add_edge(START, names[0])
    return builder.compile()


def _nothing(_: AgentState) -> dict[str, Any]:
    return {}


def _always(target: str, _: AgentState) -> str:
    return target


def measure(library: Library, question: str, runs: int) -> Overhead:
    """The medians of one question."""
    timer = NodeTimer()
    with timed_nodes(timer):
        agent = assembly.build_agent(library, caller=Caller.owner())
        visits = visited(agent, question)
        totals, inside = _agent_runs(lambda: agent.ask(question), timer, runs)
    chain, context = bare_graph(visits), Context()
    asked = [
        _seconds(lambda: chain.invoke({"question": question}, context=context)) for _ in range(WARM_UP_RUNS + runs)
    ]
    bare = asked[WARM_UP_RUNS:]
    graph = [total - node for total, node in zip(totals, inside, strict=True)]
    return Overhead(len(visits), *(statistics.median(seconds) * 1000 for seconds in (totals, inside, graph, bare)))


def _agent_runs(run: Callable[[], Any], timer: NodeTimer, runs: int) -> tuple[list[float], list[float]]:
    totals: list[float] = []
    inside: list[float] = []
    for _ in range(WARM_UP_RUNS + runs):
        timer.seconds = 0.0
        totals.append(_seconds(run))
        inside.append(timer.seconds)
    return totals[WARM_UP_RUNS:], inside[WARM_UP_RUNS:]


def _seconds(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--direct", default="谢谢", help="small talk, answered without a search")
    parser.add_argument("--question", default="采购合同的质量保证期是多久？", help="answered by one search")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    given = parser.parse_args()
    with Library.open(given.library, create=False) as library:
        asked = {"direct": given.direct, "one search": given.question}
        found = {name: measure(library, question, given.runs) for name, question in asked.items()}
    rows = {name: {**one._asdict(), "ratio": one.ratio, "share": one.share} for name, one in found.items()}
    if given.json:
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
        return
    table = Table("run", *next(iter(rows.values())))
    for name, row in rows.items():
        table.add_row(name, *(f"{value:.3g}" for value in row.values()))
    Console().print(table)


if __name__ == "__main__":
    main()
