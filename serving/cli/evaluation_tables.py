"""How an evaluation of retrieval is shown to people: figures, causes, scores and the first misses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from .output import say, stdout, visible

if TYPE_CHECKING:
    from ...evaluation.minimums import CheckedMinimum
    from ...evaluation.reports import Distribution, Excerpt, Figure, GroupFigures, Miss, RetrievalReport, ScoreReport

_WIDE = 1_000
_SHOWN_MISSES = 5
_SHOWN_UNUSABLE = 5
_BAR_CHARACTERS = 24


def print_report(report: RetrievalReport) -> None:
    """Everything a person wants to see first; `--json` and `--misses` have the rest."""
    if not stdout.is_terminal:
        stdout.width = _WIDE
    legs = "words and vectors" if report.vectors_used else "words alone"
    say(f"{report.questions:,} questions, library version {report.library_version}, searched by {legs}", style="bold")
    _print_unusable(report)
    stdout.print(_figures(report.groups))
    say(f"in brackets: 95 % intervals, percentile bootstrap, {report.resamples:,} resamples, seed {report.seed}\n")
    _print_causes(report)
    _print_scores(report.scores)
    for number, miss in enumerate(report.misses[:_SHOWN_MISSES], start=1):
        _print_miss(number, miss)
    if len(report.misses) > _SHOWN_MISSES:
        say(f"… and {len(report.misses) - _SHOWN_MISSES} more (all of them with --misses FILE or --json)")


def print_minimums(checked: Sequence[CheckedMinimum]) -> None:
    """A line for each minimum that was asked for."""
    for one in checked:
        value = "not measured" if one.value is None else f"{one.value:.3f}"
        say(f"{'met' if one.met else 'MISSED'}: {one.measure} >= {one.at_least:g}: {value}")


def _print_unusable(report: RetrievalReport) -> None:
    if not report.unusable:
        return
    say(f"{len(report.unusable):,} questions could not be used:")
    for one in report.unusable[:_SHOWN_UNUSABLE]:
        say(f"  {one.id}: {one.reason}")
    if len(report.unusable) > _SHOWN_UNUSABLE:
        say(f"  … and {len(report.unusable) - _SHOWN_UNUSABLE} more (all of them with --json)")


def _figures(groups: Sequence[GroupFigures]) -> Table:
    names = [figure.measure for figure in groups[0].figures]
    with_refusals = any(group.nothing_found for group in groups)
    table = Table("group", "questions", *names, *(["nothing found"] if with_refusals else []), box=None)
    for group in groups:
        label = group.name if group.kind == "all" else f"{group.kind} {group.name}"
        figures: list[Figure | None] = [*group.figures] if group.figures else [None] * len(names)
        if with_refusals:
            figures.append(group.nothing_found)
        count = str(group.answerable + group.unanswerable)
        table.add_row(escape(visible(label)), count, *map(_figure, figures))
    return table


def _figure(figure: Figure | None) -> str:
    return "–" if figure is None else f"{figure.mean:.3f} ({figure.low:.2f}–{figure.high:.2f})"


def _print_causes(report: RetrievalReport) -> None:
    asked = report.groups[0].answerable
    say(f"misses: {len(report.misses):,} of {asked:,} questions have no relevant hit in the first {report.depth}")
    for count in report.causes:
        say(f"  {count.cause.value:<20} {count.misses:>6,}")
    say("")


def _print_scores(scores: ScoreReport) -> None:
    say("scores: the best relevant and the best irrelevant hit of each question")
    table = Table("from", "to", "relevant", "", "irrelevant", "", box=None)
    rows = zip(scores.edges, scores.edges[1:], scores.relevant.histogram, scores.irrelevant.histogram, strict=False)
    for low, high, right, wrong in rows:
        right_bar, wrong_bar = _bar(right, scores.relevant), _bar(wrong, scores.irrelevant)
        table.add_row(f"{low:.2f}", f"{high:.2f}", str(right), right_bar, str(wrong), wrong_bar)
    stdout.print(table)
    for name, distribution in (("relevant", scores.relevant), ("irrelevant", scores.irrelevant)):
        if distribution.deciles:
            say(f"  deciles, {name + ':':<11} {' '.join(f'{score:.2f}' for score in distribution.deciles)}")
    if scores.separation is not None:
        say(f"  the relevant hit scores higher in {scores.separation:.1%} of the questions that have both")
    say(f"  {scores.sentence}\n")


def _bar(count: int, distribution: Distribution) -> str:
    most = max(distribution.histogram, default=0)
    return "#" * round(_BAR_CHARACTERS * count / most) if most else ""


def _print_miss(number: int, miss: Miss) -> None:
    say(f"{number}. {miss.cause.value}: {miss.id}: {' '.join(miss.question.split())}", style="bold")
    say(f"   {miss.detail}")
    if miss.wanted is not None:
        say(f"   wanted:  {_place(miss.wanted)}")
        if miss.ranks.in_document is not None:
            say(f"            rank {miss.ranks.in_document} in a search of its document alone")
        if miss.lacking:
            say(f"            lacks: {' '.join(miss.lacking)}")
    say(f"   instead: {'nothing' if miss.instead is None else _place(miss.instead)}")


def _place(excerpt: Excerpt) -> str:
    return f"{' › '.join((excerpt.document, *excerpt.section_path))}  {excerpt.block_id}\n            {excerpt.snippet}"
