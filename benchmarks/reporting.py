"""Figures of several settings of routes on the same questions: tables, JSON and the paired comparison."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from corpora import SAMPLE_SEED
from rich.console import Console
from rich.table import Table

TABLE_WIDTH = 180
Figures = dict[str, float | int | None]


class Paired(NamedTuple):
    """What the second of two settings gains and loses against the first, and how likely by chance (two-sided)."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    p: float


class Report(NamedTuple):
    """Everything that a run has found, by setting of routes: figures by group, and what each question came to."""

    title: str
    figures: Mapping[str, Mapping[str, Figures]]
    good: Mapping[str, Mapping[str, bool]]
    records: Mapping[str, Sequence[Mapping[str, Any]]]


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that every comparison of routes has."""
    parser.add_argument("--seed", type=int, default=SAMPLE_SEED)
    parser.add_argument("--routes", nargs="+", default=["linear", "loop"], metavar="SETTING")
    parser.add_argument("--failures", action="store_true", help="show each answer that is not right on stderr")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")


def publish(report: Report, *, as_json: bool) -> None:
    """Print the report: each later setting is compared with the first."""
    first, *others = report.good
    paired = {f"{other} against {first}": compare(report.good[first], report.good[other]) for other in others}
    if as_json:
        whole = {
            "title": report.title, "figures": report.figures, "outcomes": report.records,
            "paired": {name: result._asdict() for name, result in paired.items()},
        }  # fmt: skip
        sys.stdout.write(json.dumps(whole, ensure_ascii=False, indent=1) + "\n")
        return
    show(report.figures, report.title)
    for name, result in paired.items():
        sys.stdout.write(f"{name}: gained {result.gained}, lost {result.lost}, p = {result.p:.3f}\n")


def show(report: Mapping[str, Mapping[str, Figures]], title: str) -> None:
    """The figures as one table for each setting of routes."""
    console = Console(width=TABLE_WIDTH)
    for setting, groups in report.items():
        table = Table(title, *next(iter(groups.values())), title=f"routes: {setting}")
        for name, row in groups.items():
            table.add_row(name, *("–" if value is None else f"{value:g}" for value in row.values()))
        console.print(table)


def compare(first: Mapping[str, bool], second: Mapping[str, bool]) -> Paired:
    """The paired comparison of two settings on the questions that both were asked."""
    both = [name for name in first if name in second]
    gained = tuple(name for name in both if second[name] and not first[name])
    lost = tuple(name for name in both if first[name] and not second[name])
    return Paired(gained, lost, sign_test(len(gained), len(lost)))


def sign_test(gained: int, lost: int) -> float:
    """The probability of a split at least as uneven if gains and losses were equally likely."""
    total = gained + lost
    tail = sum(math.comb(total, k) for k in range(min(gained, lost) + 1))
    return min(1.0, math.ldexp(tail, 1 - total))


def mean(numbers: Iterable[float | None]) -> float | None:
    """The mean of the numbers that apply; None if none does."""
    found = [float(number) for number in numbers if number is not None]
    return round(sum(found) / len(found), 3) if found else None


def percentile(numbers: Sequence[float], percent: int) -> float:
    """A percentile by linear interpolation."""
    if len(numbers) == 1:
        return numbers[0]
    return statistics.quantiles(numbers, n=100, method="inclusive")[percent - 1]
