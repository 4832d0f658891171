"""`veriloop tools`: what a run may call, why something is not there, and how well tools are chosen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Column, Table

from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, caller_of, open_library
from .output import print_json, say, stdout

if TYPE_CHECKING:
    from ...evaluation.tool_choice import ChoiceReport
    from ...tools.contracts import Tool
    from ...tools.offers import NotOffered, Offers

_BELOW_MINIMUM = 4
_WIDEST = 120
"""Columns beyond which lines are hard to read, however wide the terminal is."""
_NO_TERMINAL = 100

app = typer.Typer(no_args_is_help=True, help="What a run may call, and how well the right tool is chosen.")


@app.command("list")
def list_tools(
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Print the tools that are offered, and what is not offered and why.

    Plug-ins that the settings name are loaded for this, and servers of tools are asked what they have.
    """
    found = _offers(library, profile, caller)
    if json:
        print_json({"tools": [_row(tool) for tool in found.tools], "missing": [one._asdict() for one in found.missing]})
        return
    stdout.width = _width()
    stdout.print(_table(found.tools))
    _print_missing(found.missing)


@app.command("check")
def check(
    questions: Annotated[
        Path,
        typer.Argument(metavar="QUESTIONS.jsonl", help='Lines of {"question": ..., "tool": ...}; see docs/tools.md.'),
    ],
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    fail_under: Annotated[
        float | None, typer.Option("--fail-under", min=0, max=1, help="End with exit code 4 below this accuracy.")
    ] = None,
    rules_only: Annotated[bool, typer.Option("--rules", help="Without the model, where one is configured.")] = False,
    json: JsonOption = False,
) -> None:
    """Measure how often the right tool is chosen, on questions of your own.

    A file may declare its tools itself in its first line; otherwise those of the library are chosen from.
    """
    from ...evaluation.tool_choice import check_choice  # noqa: PLC0415 - `--help` should not wait for it
    from ...tools.choosing.labelled import read_labelled  # noqa: PLC0415

    labelled = read_labelled(questions)
    tools = labelled.tools or _offers(library, profile, caller).tools
    report = check_choice(labelled.questions, tools, _settings(profile), with_model=not rules_only)
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_report(report)
    if fail_under is not None and report.accuracy < fail_under:
        raise typer.Exit(_BELOW_MINIMUM)


def _settings(profile: str | None) -> Any:
    from ...configs import load_settings  # noqa: PLC0415

    return load_settings(profile)


def _offers(folder: Path, profile: str | None, caller: str | None) -> Offers:
    from ...graphs.reading import read_up  # noqa: PLC0415 - `--help` should not wait for it
    from ...tools.assembly import ToolNeeds, make_offers  # noqa: PLC0415
    from ...tools.soundness import broken_calendar, broken_databases  # noqa: PLC0415

    opened, asking = open_library(folder, profile), caller_of(caller)
    found = make_offers(ToolNeeds(opened, asking, reader=read_up))
    return found._replace(missing=(*found.missing, *broken_databases(opened, asking), *broken_calendar(opened)))


def _row(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "category": tool.category.value,
        "permission": tool.permission.value,
        "schema_version": tool.schema_version,
        "live": tool.live,
        "idempotent": tool.idempotent,
        "timeout_seconds": tool.timeout_seconds,
        "planned_by_rules": tool.by_rules is not None,
        "description": tool.description,
        "not_for": tool.not_for,
        "examples": list(tool.examples),
        "subjects": list(tool.subjects),
        "arguments": tool.arguments.model_json_schema(),
    }


def _width() -> int:
    """Columns of a table: those of the terminal, as far as lines stay readable."""
    return min(stdout.width, _WIDEST) if stdout.is_terminal else _NO_TERMINAL


def _table(tools: Sequence[Tool]) -> Table:
    table = Table(
        *(Column(name, no_wrap=True) for name in ("tool", "kind", "permission", "planned by")), "what for", box=None
    )
    for tool in tools:
        what_for = escape(_first_sentence(tool.description))
        # A tool without a rule for its arguments is called only where a model plans.
        planned_by = "rules, model" if tool.by_rules is not None else "model"
        table.add_row(tool.name, tool.category.value, tool.permission.value, planned_by, what_for)
    return table


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.:。])\s", text, maxsplit=1)[0].rstrip(":") if text else ""


def _print_missing(missing: Sequence[NotOffered]) -> None:
    if missing:
        say("")
        say("not offered", style="bold")
    for one in missing:
        say(f"  {one.name}: {one.reason}")


def _print_report(report: ChoiceReport) -> None:
    for part in report.parts:
        say(f"{part.name}: {part.right} of {part.asked} right ({part.accuracy:.0%})")
    say("")
    table = Table("right tool", "asked", "right", "chosen instead", box=None)
    for row in report.by_tool:
        instead = ", ".join(f"{name} {count}" for name, count in row.instead.items())
        table.add_row(row.tool, str(row.asked), str(row.right), instead)
    stdout.print(table)
    for wrong in report.wrong:
        say("")
        say(f"wrong: {wrong.question}")
        say(f"  {wrong.tool} would be right; {wrong.chosen} was chosen by {wrong.decided_by}: {wrong.reason}")
