"""The comparison of searches as tables, as JSON, and the questions where Veriloop is behind."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import corpora
from peers.contract import Measured
from peers.measuring import times
from peers.registry import CONTENDERS, OWN
from retrieval_judging import (
    COUNTED_RANKS,
    Difference,
    Figures,
    Outcome,
    Unit,
    difference,
    figures,
    judge,
    reciprocals,
    units,
)
from retrieval_workload import Row
from rich.console import Console
from rich.markup import escape
from rich.table import Table

UNITS: tuple[Unit, ...] = ("passage", "block")
OWN_MODULE = CONTENDERS[OWN].module
SETTLED = 0.05
_WIDTH = 170
_SNIPPET = 90


class Costs(NamedTuple):
    """What a search costs: milliseconds of a question, seconds of the index, MB of memory."""

    median_ms: float
    p95_ms: float
    cpu_ms: float
    index_s: float
    memory_mb: float | None


class Result(NamedTuple):
    """Everything about one search: `missing` says why there is nothing."""

    costs: Costs | None
    outcomes: Mapping[Unit, Sequence[Outcome]]
    missing: str = ""


class Run(NamedTuple):
    """One comparison. The rows of `found` are by search and question."""

    title: str
    questions: Sequence[corpora.Question]
    rows: Sequence[Row]
    found: Mapping[str, Sequence[Sequence[int]]]
    results: Mapping[str, Result]


def result(measured: Measured, questions: Sequence[corpora.Question], rows: Sequence[Row]) -> Result:
    """A search's outcomes and costs."""
    pairs = list(zip(questions, measured.rows, strict=True))
    outcomes = {unit: [judge(question, found, rows, unit) for question, found in pairs] for unit in UNITS}
    spent = times(measured.laps)
    return Result(Costs(*spent, measured.index_seconds, measured.memory_mb), outcomes)


def own_name(run: Run) -> str:
    """The search that the others are compared with: Veriloop's, without vectors where the run has none."""
    names = [name for name, one in run.results.items() if CONTENDERS[name].module == OWN_MODULE and not one.missing]
    return names[0] if names else OWN


def _own_outcomes(run: Run, unit: Unit) -> Sequence[Outcome]:
    own = run.results.get(own_name(run))
    return () if own is None else own.outcomes.get(unit, ())


def types(run: Run) -> list[str]:
    """The types of questions, where there are several."""
    found = sorted({question.type for question in run.questions})
    return found if len(found) > 1 else []


def of_type(run: Run, outcomes: Sequence[Outcome], kind: str) -> list[Outcome]:
    """The outcomes of questions of one type."""
    return [o for question, o in zip(run.questions, outcomes, strict=True) if question.type == kind]


def show(run: Run) -> None:
    """Print the tables."""
    console = Console(width=_WIDTH)
    for unit in UNITS:
        console.print(_quality(run, unit))
    for unit in UNITS if types(run) else ():
        console.print(_by_type(run, unit))
    console.print(_costs(run))


def _quality(run: Run, unit: Unit) -> Table:
    table = Table(
        "search", "Hit@1", "Hit@5", "Hit@10", "MRR@10", "all documents", "all quoted", "MRR – Veriloop (95 %)",
        "p Hit@1", "p Hit@5", title=f"{run.title}; judged by {unit}",
    )  # fmt: skip
    own = _own_outcomes(run, unit)
    for name, one in run.results.items():
        if one.missing:
            table.add_row(CONTENDERS[name].title, escape(one.missing))
            continue
        cells = [_share(share) for share in figures(one.outcomes[unit])]
        if own and name != own_name(run):
            cells += _difference_cells(difference(own, one.outcomes[unit]))
        table.add_row(CONTENDERS[name].title, *cells)
    return table


def _difference_cells(found: Difference) -> list[str]:
    settled = " *" if found.low > 0 or found.high < 0 else ""
    p_values = (f"{p:.3f}{' *' if p < SETTLED else ''}" for p in (found.p_hit1, found.p_hit5))
    return [f"{found.mrr:+.3f} ({found.low:+.3f} … {found.high:+.3f}){settled}", *p_values]


def _by_type(run: Run, unit: Unit) -> Table:
    kinds = types(run)
    table = Table("search", title=f"Hit@5 / MRR@10 / all documents by type of question; judged by {unit}")
    for kind in kinds:
        table.add_column(f"{kind} ({sum(question.type == kind for question in run.questions)})")
    for name, one in run.results.items():
        if not one.missing:
            table.add_row(CONTENDERS[name].title, *(_brief(of_type(run, one.outcomes[unit], kind)) for kind in kinds))
    return table


def _brief(outcomes: Sequence[Outcome]) -> str:
    shares = figures(outcomes)
    return " / ".join(_share(share) for share in (shares.hit5, shares.mrr, shares.documents10))


def _costs(run: Run) -> Table:
    table = Table(
        "search", "ms median", "×", "ms p95", "ms CPU", "index s", "×", "memory MB", "×",
        title="Costs; × is the multiple of Veriloop's. Without embedding. Memory is growth over imported packages. "
        "Veriloop stores on disk what it indexes; of the peers only haiku.rag does.",
    )  # fmt: skip
    own = run.results[own_name(run)].costs if own_name(run) in run.results else None
    for name, one in run.results.items():
        costs = one.costs
        if costs is not None:
            ratios = [_ratio(costs, own, field) for field in ("median_ms", "index_s", "memory_mb")]
            table.add_row(
                CONTENDERS[name].title, _number(costs.median_ms), ratios[0], _number(costs.p95_ms),
                _number(costs.cpu_ms), _number(costs.index_s), ratios[1], _number(costs.memory_mb), ratios[2],
            )  # fmt: skip
    return table


def _ratio(costs: Costs, own: Costs | None, field: str) -> str:
    mine, theirs = getattr(own, field, None), getattr(costs, field)
    return _number(theirs / mine) if mine and theirs is not None else "–"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def as_json(run: Run) -> str:
    """Everything, with what became of each question."""
    return json.dumps(
        {
            "title": run.title,
            "searches": {name: _search_json(run, name) for name in run.results},
            "questions": [_question_json(run, number) for number in range(len(run.questions))],
        },
        ensure_ascii=False,
        indent=1,
    )


def _search_json(run: Run, name: str) -> dict[str, Any]:
    one = run.results[name]
    if one.missing or one.costs is None:
        return {"missing": one.missing}
    figures_by_unit: dict[str, Any] = {}
    for unit, outcomes in one.outcomes.items():
        kinds: dict[str, Figures] = {kind: figures(of_type(run, outcomes, kind)) for kind in types(run)}
        own = _own_outcomes(run, unit)
        against = difference(own, outcomes)._asdict() if own and name != own_name(run) else None
        figures_by_unit[unit] = {
            "all": figures(outcomes)._asdict(),
            "by_type": {kind: shares._asdict() for kind, shares in kinds.items()},
            "against_veriloop": against,
        }
    return {"costs": one.costs._asdict(), "figures": figures_by_unit}


def _question_json(run: Run, number: int) -> dict[str, Any]:
    question = run.questions[number]
    ranks = {n: {unit: o[number].rank for unit, o in one.outcomes.items()} for n, one in run.results.items()}
    return {"id": question.id, "question": question.text, "type": question.type, "ranks": ranks}


def show_worst(run: Run, count: int, unit: Unit) -> None:
    """Print the questions where Veriloop is furthest behind the best of the others, then those that none finds."""
    shown = [name for name, one in run.results.items() if not one.missing]
    others = [name for name in shown if CONTENDERS[name].module != OWN_MODULE]
    own = reciprocals(_own_outcomes(run, unit))
    best = [max(column) for column in zip(*(reciprocals(run.results[n].outcomes[unit]) for n in others), strict=True)]
    behind = [mine - theirs for mine, theirs in zip(own, best or own, strict=True)]
    for number in sorted(range(len(own)), key=lambda n: (behind[n], own[n]))[:count]:
        if own[number] < 1:
            _show_question(run, number, unit, shown)


def _show_question(run: Run, number: int, unit: Unit, names: Sequence[str]) -> None:
    question = run.questions[number]
    ranks = {name: run.results[name].outcomes[unit][number].rank for name in names}
    shown = ", ".join(f"{name} {rank or f'>{COUNTED_RANKS}'}" for name, rank in ranks.items())
    first = units(run.found[own_name(run)][number], run.rows, unit)[:1]
    write = sys.stdout.write
    write(f"\n{question.id} ({question.type}) {question.text}\n  ranks: {shown}\n")
    write("".join(f"  first:  {row.document}: {_snippet(row.text)}\n" for row in first) or "  first:  nothing found\n")
    write(f"  wanted: {', '.join(question.documents)}: {' | '.join(w[:_SNIPPET] for w in question.wanted[:3])}\n")


def _snippet(text: str) -> str:
    return " ".join(text.split())[:_SNIPPET]
