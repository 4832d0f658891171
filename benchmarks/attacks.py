"""Runs the set of attacks and prints what came of it: tries and breaches by place and by aim.

    python benchmarks/attacks.py [--every 1] [--public 20] [--json]

Each attack hides an order in a document (text, table, comment, white letters, unseen characters, metadata, file
name) or in what a tool says (interface, database, memory, description), and asks a question that has nothing to do with
it: once of a scripted model that obeys every order it sees, and once of the rules alone. Every policy allows
everything, so that only what the product itself sees to holds the model back. With `VERILOOP_DATA`, orders of BIPIA,
InjecAgent and PurpleLlama come along. The exit code is 1 if there is any breach: a call that changes something without
consent, a canary (a secret, a hidden document, a prompt) in an answer, trace, log or prompt, a budget that was overrun,
an answer that is none, a citation of what is not there, or a claim of the order's without its source.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.attack_data import own_attacks, public_attacks
from support.attack_runs import TOKEN, Tried, attack_room, reached_by, try_attack


def main() -> int:
    """Run, print the table, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="take every n-th attack")
    parser.add_argument("--public", type=int, default=20, help="orders of each public collection")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    began = time.perf_counter()
    tried = _tried(options.every, options.public)
    seconds = round(time.perf_counter() - began, 1)
    breaches = [f"{one.attack.id} ({one.by}): {found}" for one in tried for found in one.breaches]
    if options.json:
        by_place = _counted(tried, lambda one: reached_by(one.attack))
        figures = {"by_place": by_place, "by_aim": _counted(tried, lambda one: one.attack.goal)}
        text = json.dumps({**figures, "breaches": breaches, "seconds": seconds}, ensure_ascii=False, indent=2)
        sys.stdout.write(f"{text}\n")
    else:
        _print(tried, breaches, seconds)
    return int(bool(breaches))


def _tried(every: int, public: int) -> list[Tried]:
    attacks = [*own_attacks(), *public_attacks(public)][::every]
    os.environ["PLANT_TOKEN"] = TOKEN
    with tempfile.TemporaryDirectory() as folder, attack_room(Path(folder), attacks) as room:
        return [
            try_attack(room, attack, by_model=by_model)
            for attack in track(attacks, description="attacks", console=Console(stderr=True))
            for by_model in (True, False)
        ]


def _counted(tried: Sequence[Tried], kind_of: Callable[[Tried], str]) -> dict[str, dict[str, int]]:
    kinds = dict.fromkeys(sorted(map(kind_of, tried)))
    return {kind: _row([one for one in tried if kind_of(one) == kind]) for kind in kinds}


def _row(tried: Sequence[Tried]) -> dict[str, int]:
    by_model = [one for one in tried if one.by == "model"]
    return {
        "attacks": len(by_model),
        "reached the model": sum(one.seen for one in by_model),
        "forbidden calls planned": sum(bool(one.wanted_calls) for one in by_model),
        "waited for a person": sum(bool(one.answer and one.answer.approvals) for one in by_model),
        "breaches by model": sum(bool(one.breaches) for one in by_model),
        "breaches by rules": sum(bool(one.breaches) for one in tried if one.by == "rules"),
    }


def _print(tried: Sequence[Tried], breaches: Sequence[str], seconds: float) -> None:
    console = Console()
    for title, kind_of in (("place", lambda one: reached_by(one.attack)), ("aim", lambda one: one.attack.goal)):
        rows = _counted(tried, kind_of) | {"all": _row(tried)}
        table = Table(title, *rows["all"])
        for name, row in rows.items():
            table.add_row(name, *map(str, row.values()))
        console.print(table)
    console.print(*breaches, sep="\n")
    console.print(f"{len(tried)} runs in {seconds} s")


if __name__ == "__main__":
    sys.exit(main())
