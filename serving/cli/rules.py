"""`veriloop rules`: what stops, retries, brakes and falls back, read from the graph that runs."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ...errors import UsageError
from .options import JsonOption
from .output import print_json, say, stdout

if TYPE_CHECKING:
    from ...graphs.live_rules import LiveRule

_WIDE = 1_000


def rules(
    graph: Annotated[
        str | None, typer.Option("--graph", "-g", help="One graph only: agent, linear, two_step or loop.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print the rules that decide where a run goes; behind each step, the first that holds decides."""
    from ...graphs.live_rules import graph_names, live_rules  # noqa: PLC0415 - `--help` should not wait for it

    known = graph_names()
    if graph is not None and graph not in known:
        raise UsageError(f"there is no graph {graph!r}: choose from {', '.join(known)}")
    chosen = known if graph is None else (graph,)
    found = {name: live_rules(name) for name in chosen}
    if json:
        print_json([rule.model_dump(mode="json") for rules in found.values() for rule in rules])
        return
    if not stdout.is_terminal:
        stdout.width = _WIDE
    for name, listed in found.items():
        say(name, style="bold")
        stdout.print(_table(listed))
        say("")


def _table(listed: tuple[LiveRule, ...]) -> Table:
    table = Table("after", "rule", "kind", "then", "meaning", box=None)
    for after, group in groupby(listed, key=lambda rule: rule.after):
        for number, rule in enumerate(group):
            table.add_row("" if number else after, rule.name, rule.kind, rule.target, rule.meaning)
    return table
