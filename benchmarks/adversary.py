"""Runs random mixtures of misbehaving models and prints how the runs ended and what they cost.

    python benchmarks/adversary.py [--runs 2000] [--from 0] [--json]

Each run asks one question of a scripted endpoint on loopback that plays one to five kinds of misbehaviour at once. It
counts: the rule that ended the run, the largest share of each budget that was used, exceptions, and values or denials
in the delivered sentences that their citations do not state. The exit code is 1 if there is any of the last two, or a
run went over its budget.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.adversaries import Mixture, Trait
from support.adversary_runs import Run, hostile_library, run
from support.scripted_endpoint import ScriptedEndpoint


def main() -> int:
    """Run, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first seed")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    began = time.perf_counter()
    done, failed = _runs(range(options.first, options.first + options.runs))
    figures = _figures(done, failed, time.perf_counter() - began)
    if options.json:
        sys.stdout.write(json.dumps(figures, ensure_ascii=False, indent=2) + "\n")
    else:
        _print(figures)
    return int(bool(failed) or bool(figures["unsupported"]) or any(share > 1 for share in _largest(done).values()))


def _runs(seeds: range) -> tuple[list[Run], list[str]]:
    done: list[Run] = []
    failed: list[str] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        hostile_library(Path(folder)) as library,
        ScriptedEndpoint() as endpoint,
    ):
        for seed in track(seeds, description="runs", console=Console(stderr=True)):
            try:
                done.append(run(Mixture.of(seed), library, endpoint))
            except Exception as error:  # noqa: BLE001 - what is counted here
                failed.append(f"seed {seed}: {error!r}")
    return done, failed


def _largest(done: list[Run]) -> dict[str, float]:
    return {
        name: max((round(getattr(one, name), 3) for one in done), default=0.0)
        for name in ("tokens", "steps", "seconds")
    }


def _figures(done: list[Run], failed: list[str], seconds: float) -> dict[str, object]:
    unsupported = [f"seed {one.mixture.seed}: {found}" for one in done for found in one.unsupported]
    traits = Counter(trait for one in done for trait in one.mixture.traits)
    return {
        "runs": len(done) + len(failed),
        "ended_by": dict(Counter(one.answer.stop_rule for one in done).most_common()),
        "status": dict(Counter(one.answer.status.value for one in done).most_common()),
        "route": dict(Counter(one.answer.route.value for one in done).most_common()),
        "rules_fired": dict(Counter(r.rule for one in done for r in one.records if r.rule).most_common()),
        "largest_share": _largest(done),
        "model_calls_mean": round(sum(one.answer.usage.model_calls for one in done) / max(len(done), 1), 2),
        "exceptions": failed,
        "unsupported": unsupported,
        "least_played": min((traits[trait] for trait in Trait), default=0),
        "seconds": round(seconds, 1),
    }


def _print(figures: dict[str, object]) -> None:
    console = Console()
    table = Table("figure", "value", show_lines=True)
    for name, value in figures.items():
        shown = "\n".join(f"{key}: {item}" for key, item in value.items()) if isinstance(value, dict) else str(value)
        table.add_row(name.replace("_", " "), shown)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
