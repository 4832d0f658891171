"""The graphs and the rules as Markdown, drawn from the compiled graphs: `python -m veriloop.graphs.drawing`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from .agent import BUILDERS, graph
from .routes import Graph, RouteGraph
from .rules import AGENT, RULES, Rule

_HEAD = """# Graphs

Drawn from the compiled graphs, and the rules from the table that their routers are built from; `make graphs` writes
this page anew. Solid arrows are always taken; of the dotted ones behind a node, the first rule that holds decides.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD, _section(AGENT, graph, "The agent")]
    parts += [_section(route.value, build(), _TITLES[route.value]) for route, build in BUILDERS.items()]
    return "\n".join(parts)


_TITLES = {
    "linear": "The linear route",
    "two_step": "The two-step route",
    "loop": "The loop",
    "reading": "The reading route",
}


def _section(name: str, compiled: Graph | RouteGraph, title: str) -> str:
    rows = "\n".join(_row(rule) for rule in RULES if name in rule.graphs)
    drawn = "\n".join(_drawn(compiled))
    table = f"| after | rule | kind | then | meaning |\n| --- | --- | --- | --- | --- |\n{rows}"
    return f"## {title}\n\n```mermaid\n{drawn}\n```\n\n{table}\n"


def _row(rule: Rule) -> str:
    return f"| `{rule.after}` | `{rule.name}` | {rule.kind.value} | `{rule.target}` | {rule.meaning} |"


def _drawn(compiled: Graph | RouteGraph) -> Iterator[str]:
    """The nodes and edges in mermaid's words, in a fixed order."""
    yield "flowchart TD"
    edges = compiled.get_graph().edges
    for edge in sorted(edges, key=lambda edge: (edge.source, edge.target)):
        arrow = "-.->" if edge.conditional else "-->"
        yield f"  {_name(edge.source)} {arrow} {_name(edge.target)}"


def _name(node: str) -> str:
    return {"__start__": "START([question])", "__end__": "END([end])"}.get(node, node)


if __name__ == "__main__":
    sys.stdout.write(page())
