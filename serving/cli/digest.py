"""`veriloop digest`: the entries of the directory, made by a model, shown, or measured."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from .add import Bars
from .finding import find_document
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
    from ...graphs.digesting import DigestEstimate, DigestReport
    from ...knowledge.digest.quality import DigestQuality
    from ...knowledge.documents import Caller
    from ...knowledge.library import Library

LARGE_RUN = 200
"""Blocks from which a run asks before it begins."""
_SOME_FAILED = 4
_MOST_SHOWN = 5
_RULES = "rules need no preparation: without a model digests are made when they are needed"


def digest(
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what it will cost, and make nothing.")] = False,
    show: Annotated[str | None, typer.Option("--show", metavar="DOCUMENT", help="Print a document's digests.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Measure what the digests keep of their blocks' details.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Forget what is there and make all anew.")] = False,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop after this time; the same command goes on later.")
    ] = None,
    price_in: Annotated[float | None, typer.Option(min=0, help="Of a million tokens sent, for the estimate.")] = None,
    price_out: Annotated[float | None, typer.Option(min=0, help="Of a million tokens back, for the estimate.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before a large run.")] = False,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Have a light model write the digests of blocks that have none; only changed blocks are digested again.

    Each is checked against its block: it must keep every number, date, clause and id, and invent none.
    """
    if sum((estimate, show is not None, check, again)) > 1:
        raise UsageError("--estimate, --show, --check and --again exclude one another: give one of them")
    if show is not None:
        _show(open_library(library, profile), show, caller_of(caller), as_json=json)
    elif check:
        _check(open_library(library, profile), caller_of(caller), as_json=json)
    else:
        refuse_others(caller, "digest")
        opened = open_library(library, profile)
        _make_or_estimate(opened, (price_in, price_out), minutes, only=estimate, again=again, yes=yes, as_json=json)


def _make_or_estimate(
    library: Library,
    prices: tuple[float | None, float | None],
    minutes: float | None,
    *,
    only: bool,
    again: bool,
    yes: bool,
    as_json: bool,
) -> None:
    from ...graphs.digesting import estimate_digests, light_model  # noqa: PLC0415

    if light_model(library) is None:
        _say_rules(as_json=as_json)
        return
    if again:
        library.digests.clear()
    estimated = estimate_digests(library)
    if only:
        _print_estimate(estimated, prices, as_json=as_json)
        return
    if estimated.blocks >= LARGE_RUN and not yes and not _consents(estimated, prices):
        raise UsageError("nothing was made: begin with --yes, or see --estimate")
    _make(library, minutes, as_json=as_json)


def _say_rules(*, as_json: bool) -> None:
    if as_json:
        print_json({"made_by": "rules", "note": _RULES})
    else:
        say(_RULES)


def _consents(estimated: DigestEstimate, prices: tuple[float | None, float | None]) -> bool:
    """Ask where somebody can answer; a script is told on stderr, and goes on."""
    for line in _estimate_lines(estimated, prices):
        tell(line)
    return not sys.stdin.isatty() or typer.confirm("Make these digests?", err=True)


def _make(library: Library, minutes: float | None, *, as_json: bool) -> None:
    from ...graphs.digesting import make_digests  # noqa: PLC0415

    with Bars() as bars:
        report = make_digests(
            library,
            seconds=None if minutes is None else minutes * 60,
            progress=lambda done, total: bars.show("digests", done, total),
        )
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _print_report(report)
    if report.failed or (report.stopped and minutes is None):
        raise typer.Exit(_SOME_FAILED)


def _print_report(report: DigestReport) -> None:
    say(
        f"{report.model}: {report.made:,} digests in {report.seconds:.0f} s, {report.done:,} of {report.total:,} blocks"
    )
    say(f"  {report.made_again:,} made again, {report.completed:,} completed by rule, {report.failed:,} failed")
    say(f"  {report.calls:,} calls, {report.tokens_in:,} tokens in, {report.tokens_out:,} out")
    if report.stopped:
        say(f"  stopped: {report.stopped}; the same command goes on")


def _cost(tokens_in: int, tokens_out: int, prices: tuple[float | None, float | None]) -> float | None:
    """In the currency of the prices; None where none was given."""
    if prices == (None, None):
        return None
    return (tokens_in * (prices[0] or 0) + tokens_out * (prices[1] or 0)) / 1e6


def _print_estimate(estimated: DigestEstimate, prices: tuple[float | None, float | None], *, as_json: bool) -> None:
    if as_json:
        cost = _cost(estimated.tokens_in, estimated.tokens_out, prices)
        most = _cost(estimated.most_tokens_in, estimated.most_tokens_out, prices)
        print_json(estimated.model_dump(mode="json") | {"cost": cost, "most_cost": most})
        return
    for line in _estimate_lines(estimated, prices):
        say(line)


def _estimate_lines(estimated: DigestEstimate, prices: tuple[float | None, float | None]) -> Iterable[str]:
    yield f"{estimated.blocks:,} blocks without a digest, {estimated.done:,} with one"
    cases = (
        ("once each", estimated.calls, estimated.tokens_in, estimated.tokens_out),
        ("all made again", estimated.most_calls, estimated.most_tokens_in, estimated.most_tokens_out),
    )
    for name, calls, tokens_in, tokens_out in cases:
        cost = _cost(tokens_in, tokens_out, prices)
        priced = "" if cost is None else f", cost {cost:,.2f}"
        yield f"  {name}: {calls:,} calls, about {tokens_in:,} tokens in and {tokens_out:,} out{priced}"


def _show(library: Library, name: str, caller: Caller, *, as_json: bool) -> None:
    from ...knowledge.digest.of_library import digests_of  # noqa: PLC0415

    document = find_document(library, name, caller)
    blocks = library.blocks(document.doc_id, caller)
    digests = digests_of(library, caller, [(block, document) for block in blocks])
    if as_json:
        shown = [
            {"block_id": block.block_id, "ordinal": block.ordinal, **made.model_dump(mode="json")}
            for block, made in zip(blocks, digests, strict=True)
        ]
        print_json({"document": document.name, "doc_id": document.doc_id, "digests": shown})
        return
    say(f"{document.name}  {document.title}  {document.doc_id}", style="bold")
    for block, made in zip(blocks, digests, strict=True):
        path = " › ".join(block.section_path)
        say(f"\n── {block.ordinal} {block.kind.value} {block.block_id}  {made.made_by}  {path}", style="dim")
        say(made.summary)
        say(f"  keywords: {', '.join(made.keywords)}", style="dim")
        say(f"  entities: {', '.join(made.entities)}", style="dim")


def _check(library: Library, caller: Caller, *, as_json: bool) -> None:
    from ...knowledge.digest.of_library import digests_of  # noqa: PLC0415
    from ...knowledge.digest.quality import measure_digests  # noqa: PLC0415

    placed = library.contents.blocks(caller, -1)
    digests = digests_of(library, caller, placed)
    quality = measure_digests((block, document, made) for (block, document), made in zip(placed, digests, strict=True))
    if as_json:
        print_json(quality.model_dump(mode="json") | {"recall": quality.details.recall})
    else:
        _print_quality(quality)


def _print_quality(quality: DigestQuality) -> None:
    said = quality.details
    say(f"{quality.blocks:,} digests, {quality.by_model:,} by a model: {said.kept:,} of {said.total:,} details kept "
        f"({said.recall:.3f}), {quality.complete:,} keep all of their block's")  # fmt: skip
    for kind, one in quality.kinds.items():
        say(f"  {kind}: {one.kept:,} of {one.total:,} ({one.recall:.3f})")
    say(f"  empty phrases in {quality.with_empty_phrases:,}, inventions in {quality.with_inventions:,}")
    for place in quality.inventions[:_MOST_SHOWN]:
        say(one_line(f"    {place.document} {place.block_id}: {'; '.join(place.invented)}"))
    if len(quality.inventions) > _MOST_SHOWN:
        say(f"    … and {len(quality.inventions) - _MOST_SHOWN:,} more (all of them with --json)")
    say(f"  {quality.summary_characters:,} characters of summaries for {quality.characters:,} of blocks")
