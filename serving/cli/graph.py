"""`veriloop graph`: entities and relations of the library: built, shown and counted."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from .add import Bars
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    ProfileOption,
    caller_of,
    open_library,
    refuse_others,
)
from .output import one_line, print_json, say, tell

if TYPE_CHECKING:
    from ...graphs.graph_building import BuildReport, Cost, GraphEstimate
    from ...knowledge.graph.asking import GraphAnswer
    from ...knowledge.graph.models import FoundRelation
    from ...knowledge.library import Library

_NOTHING_FOUND = 3
_SOME_FAILED = 4
LARGE_RUN = 200
"""Blocks from which a run with a model asks before it begins."""
_MOST_PREDICATES = 20

app = typer.Typer(name="graph", help="Entities and relations that the documents state.", no_args_is_help=True)


@app.command("build")
def build(
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what it will cost, and build nothing.")] = False,
    with_model: Annotated[
        bool, typer.Option("--with-model", help="Have the light model read the blocks, besides the rules.")
    ] = False,
    call_seconds: Annotated[
        float, typer.Option(min=0, help="How long the model takes to answer, for the estimate.")
    ] = 3.0,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Ask the model nothing after this time; the same command goes on.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a large run with a model.")] = False,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Read entities and relations from the blocks that were not read yet; stopping at any moment is safe.

    The estimate says the three costs: to build, of a changed block, and of a question.
    """
    from ...graphs.graph_building import build_by_rules  # noqa: PLC0415 - `--help` should not wait for it

    refuse_others(caller, "graph build")
    opened = open_library(library, profile)
    if estimate:
        _print_estimates(opened, call_seconds, with_model=with_model, as_json=json)
        return
    if with_model and not yes:
        _refuse_unless_consents(opened, call_seconds)
    with Bars() as bars:
        reports = [build_by_rules(opened, lambda done, total: bars.show("rules", done, total))]
        if with_model:
            reports.append(_build_by_model(opened, minutes, bars))
    if json:
        print_json({"builds": [report.model_dump(mode="json") for report in reports]})
    else:
        for report in reports:
            _print_report(report)
        _say_use(opened)
    if any(report.failed or (report.stopped and minutes is None) for report in reports):
        raise typer.Exit(_SOME_FAILED)


def _build_by_model(library: Library, minutes: float | None, bars: Bars) -> BuildReport:
    from ...graphs.graph_building import build_by_model  # noqa: PLC0415

    return build_by_model(
        library,
        seconds=None if minutes is None else minutes * 60,
        told=lambda done, total: bars.show("model", done, total),
    )


def _refuse_unless_consents(library: Library, call_seconds: float) -> None:
    """Say what a large run with a model costs, and ask where somebody can answer."""
    from ...graphs.graph_building import estimate_model  # noqa: PLC0415

    estimated = estimate_model(library, call_seconds)
    if estimated.blocks < LARGE_RUN:
        return
    for line in _estimate_lines(estimated):
        tell(line)
    if sys.stdin.isatty() and not typer.confirm("Have the model read these blocks?", err=True):
        raise UsageError("nothing was read: begin with --yes, or see --estimate")


def _print_estimates(library: Library, call_seconds: float, *, with_model: bool, as_json: bool) -> None:
    from ...graphs.graph_building import estimate_model, estimate_rules  # noqa: PLC0415

    estimates = [estimate_rules(library)]
    if with_model:
        estimates.append(estimate_model(library, call_seconds))
    if as_json:
        print_json({"estimates": [one.model_dump(mode="json") for one in estimates]})
        return
    for estimated in estimates:
        for line in _estimate_lines(estimated):
            say(line)


def _estimate_lines(estimated: GraphEstimate) -> Sequence[str]:
    return (
        f"{estimated.made_by}: {estimated.blocks:,} blocks to read, {estimated.done:,} read",
        f"  build: {_cost_words(estimated.build)}",
        f"  upkeep, per changed block: {_cost_words(estimated.upkeep)}",
        f"  query, per question where searches follow the graph: at most {_cost_words(estimated.query)}",
    )


def _cost_words(cost: Cost) -> str:
    seconds = f"{cost.seconds:,.1f} s" if cost.seconds >= 1 else f"{cost.seconds * 1000:,.0f} ms"
    return f"{cost.calls:,} calls, about {cost.tokens_in:,} tokens in and {cost.tokens_out:,} out, {seconds}"


def _print_report(report: BuildReport) -> None:
    say(
        f"{report.made_by}: {report.read:,} blocks read in {report.cost.seconds:,.1f} s, "
        f"{report.done:,} of {report.total:,}; {report.relations:,} relations"
    )
    if report.cost.calls:
        say(f"  {_cost_words(report.cost)}; {report.failed:,} blocks failed")
    if report.refused:
        say(f"  refused: {', '.join(f'{reason} {count:,}' for reason, count in report.refused.items())}")
    if report.stopped:
        say(f"  stopped: {one_line(report.stopped)}; the same command goes on")


def _say_use(library: Library) -> None:
    if not library.settings.graph.enabled:
        tell("query_graph is offered, and new documents are read, with graph.enabled: true in a profile")


@app.command("show")
def show(
    entity: Annotated[str, typer.Argument(help="A name, a title, a clause (《…》第五条), a model or contract number.")],
    relation: Annotated[str, typer.Option(help="Only this relation: supplier, 引用, replaces, a column …")] = "",
    other: Annotated[str, typer.Option(help="The ways to this other entity.")] = "",
    hops: Annotated[int, typer.Option(min=1, max=2, help="Relations one behind another.")] = 1,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """What documents state of an entity, with the places that say so, and what contradicts what."""
    from ...knowledge.graph.asking import GraphQuestion  # noqa: PLC0415
    from ...knowledge.text.normalise import well_formed  # noqa: PLC0415

    named, kind, to = (well_formed(text).strip() for text in (entity, relation, other))
    question = GraphQuestion(named, kind, to, hops)
    if not question.entity:
        raise UsageError("the entity is empty: say what you look for")
    answer = open_library(library, profile).graph.ask(question, caller_of(caller))
    if json:
        print_json(_answer_document(question.entity, answer))
    else:
        _print_answer(question.entity, answer)
    if not answer.ways:
        raise typer.Exit(_NOTHING_FOUND)


def _answer_document(entity: str, answer: GraphAnswer) -> dict[str, object]:
    """The documented JSON shape."""
    return {
        "entity": entity,
        "known": answer.known,
        "names": list(answer.names),
        "near": list(answer.near),
        "taken": answer.taken or None,
        "ways": [[_step_document(step) for step in way.steps] for way in answer.ways],
        "conflicts": [[_step_document(step) for step in one.relations] for one in answer.conflicts],
    }


def _step_document(step: FoundRelation) -> dict[str, object]:
    relation = step.relation
    return {
        "subject": relation.subject.name,
        "subject_kind": relation.subject.kind,
        "predicate": relation.predicate,
        "object": relation.object.name,
        "object_kind": relation.object.kind,
        "document": step.document.name,
        "section_path": list(step.block.section_path),
        "block_id": step.block.block_id,
        "quote": step.block.text[relation.start : relation.end],
        "made_by": step.made_by,
    }


def _print_answer(entity: str, answer: GraphAnswer) -> None:
    from ...knowledge.graph.showing import conflict_line, relation_line  # noqa: PLC0415
    from ...knowledge.text.normalise import has_chinese  # noqa: PLC0415

    language = "zh" if has_chinese(entity) else "en"
    if not answer.known:
        say("nothing is stated of it" if language == "en" else "资料中没有它的关系")
        if answer.near:
            meant = "is one of these meant?" if language == "en" else "是否指："
            say(one_line(f"{meant} {', '.join(answer.near)}"))
        return
    if answer.taken:
        say(one_line(f"{entity} → {answer.taken}"))
    others = [name for name in answer.names if name != entity]
    if others:
        say(one_line(f"≈ {', '.join(others)}"), style="dim")
    for way in answer.ways:
        for place, step in enumerate(way.steps):
            say(one_line(f"{'   ' * place}{relation_line(step, language)}"))
            quote = " ".join(step.block.text[step.relation.start : step.relation.end].split())[:160]
            say(f"{'   ' * place}   “{quote}”  {step.block.block_id}", style="dim")
    for conflict in answer.conflicts:
        say(one_line(conflict_line(conflict, language)), style="yellow")


@app.command("stats")
def stats(
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """How many relations there are, of which kinds, and who has read them."""
    counts = open_library(library, profile).graph.counts(caller_of(caller))
    if json:
        print_json(counts._asdict())
        return
    say(f"{counts.relations:,} relations between {counts.entities:,} entities, stated by {counts.blocks:,} blocks")
    for name, count in list(counts.predicates.items())[:_MOST_PREDICATES]:
        say(one_line(f"  {name}: {count:,}"))
    rest = list(counts.predicates.values())[_MOST_PREDICATES:]
    if rest:
        say(f"  … and {len(rest):,} more kinds (all of them with --json): {sum(rest):,}")
    for name, count in counts.makers.items():
        say(one_line(f"  by {name}: {count:,}"))
