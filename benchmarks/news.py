"""Asks over a handful of passages for each question: noise, passages that do not answer, passages that disagree.

    python benchmarks/news.py [--sets zh_int zh_fact …] [--modes noise negatives disagree] [--noise 0.4]
        [--passages 5] [--n 50] [--seed 11] [--routes linear loop] [--failures] [--json]

The sets are the files of `news/` in the data folder and `ramdocs` of `conflicts/`. Each question gets a temporary
library without vectors that holds its passages as files with neutral names. `noise` mixes passages that answer with a
share `--noise` of passages that do not, `negatives` has only the latter, `disagree` has true and false ones in equal
numbers (of `ramdocs`: all of them). `wrong` counts answers that give a false passage's value, not the right one, and
do not mark it as a conflict; `conflict` those that are marked as one or name both values.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from facts import missing_facts, states
from news_sets import MODES, Trial, pools, set_names, trial
from reporting import Figures, Report, add_run_arguments, mean, percentile, publish
from routes import Asked, agent_for, ask, usable_settings
from veriloop import Library, add_files
from veriloop.configs import Settings, load_settings


class Outcome(NamedTuple):
    """What became of one trial; None where a measure does not apply."""

    trial: Trial
    asked: Asked
    right: bool | None
    wrong: bool | None
    conflict: bool | None
    refused: bool


def trials(names: Sequence[str], given: argparse.Namespace) -> Iterator[Trial]:
    """The trials of each set and mode; the questions are drawn in the same order for every mode."""
    for name in names:
        drawn = pools(name)
        random.Random(given.seed).shuffle(drawn)
        for mode in given.modes:
            chance = random.Random(given.seed)
            made = (trial(pool, mode, given.passages, given.noise, chance) for pool in drawn)
            yield from [one for one in made if one is not None][: given.n]


def lexical_settings() -> Settings:
    """Settings without vectors: small libraries are built in a moment."""
    settings = load_settings()
    return settings.model_copy(update={"embeddings": settings.embeddings.model_copy(update={"provider": "none"})})


def answers(given: Trial, routes: Sequence[str], settings: Settings) -> dict[str, Outcome]:
    """The outcome of one trial under each setting of routes, over the same library."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        documents = Path(folder) / "documents"
        documents.mkdir()
        for number, text in enumerate(given.passages, 1):
            (documents / f"passage_{number:02}.md").write_text(text, encoding="utf-8")
        with Library.open(Path(folder) / "library", settings) as library:
            add_files(library, [documents])
            return {name: judge(given, ask(agent_for(library, name), given.pool.question)) for name in routes}


def judge(given: Trial, asked: Asked) -> Outcome:
    """Judge the answer to one trial."""
    text, status, pool = asked.answer.text, asked.answer.status.value, given.pool
    is_refused = status == "insufficient"
    if given.mode == "negatives":
        return Outcome(given, asked, None, None, None, is_refused)
    right = not missing_facts(text, pool.facts)
    if given.mode == "noise":
        return Outcome(given, asked, right, None, None, is_refused)
    has_wrong, is_marked = any(states(text, (wrong,)) for wrong in pool.wrong), status == "conflict"
    has_right = any(states(text, fact) for fact in pool.facts)
    is_shown = is_marked or (has_wrong and has_right)
    return Outcome(given, asked, right, has_wrong and not is_shown, is_shown, is_refused)


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """All measures of some outcomes; shares from 0 to 1."""
    milliseconds = [outcome.asked.milliseconds for outcome in outcomes]
    return {
        "n": len(outcomes),
        "answered": mean(not o.refused for o in outcomes),
        "right": mean(o.right for o in outcomes),
        "wrong": mean(o.wrong for o in outcomes),
        "conflict": mean(o.conflict for o in outcomes),
        "rightly_refused": mean(o.refused for o in outcomes if o.trial.mode == "negatives"),
        "wrongly_refused": mean(o.refused for o in outcomes if o.trial.mode != "negatives"),
        "steps": mean(o.asked.answer.usage.steps for o in outcomes),
        "median_ms": round(percentile(milliseconds, 50)),
        "p90_ms": round(percentile(milliseconds, 90)),
    }


def _grouped(outcomes: Sequence[Outcome]) -> dict[str, Figures]:
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(f"{outcome.trial.pool.set_name} {outcome.trial.mode}", []).append(outcome)
    return {name: figures(found) for name, found in groups.items()}


def _name(outcome: Outcome) -> str:
    return f"{outcome.trial.pool.set_name} {outcome.trial.pool.number} {outcome.trial.mode}"


def _is_good(outcome: Outcome) -> bool:
    """Refused where nothing answers, shown as a conflict where passages disagree, else right."""
    return bool({"negatives": outcome.refused, "disagree": outcome.conflict}.get(outcome.trial.mode, outcome.right))


def _record(outcome: Outcome) -> dict[str, Any]:
    answer = outcome.asked.answer
    return {
        "id": _name(outcome), "status": answer.status.value,
        "stop_rule": answer.stop_rule, "right": outcome.right, "wrong": outcome.wrong, "conflict": outcome.conflict,
        "good": _is_good(outcome), "milliseconds": round(outcome.asked.milliseconds, 1), "text": answer.text,
    }  # fmt: skip


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", metavar="SET", help="default: every set that is present")
    parser.add_argument("--modes", nargs="+", default=MODES, choices=MODES)
    parser.add_argument("--noise", type=float, default=0.4, help="share of passages that do not answer, 0 to 1")
    parser.add_argument("--passages", type=int, default=5, help="passages in a library")
    parser.add_argument("--n", type=int, default=50, help="questions of each set and mode")
    add_run_arguments(parser)
    return parser.parse_args()


def main() -> None:
    """Run from the command line."""
    given = _arguments()
    if unknown := set(given.sets or ()) - set(set_names()):
        sys.exit(f"no such set: {', '.join(sorted(unknown))}; there are {', '.join(set_names())}")
    settings = lexical_settings()
    outcomes: dict[str, list[Outcome]] = {name: [] for name in usable_settings(given.routes)}
    for one in trials(given.sets or set_names(), given):
        for name, outcome in answers(one, list(outcomes), settings).items():
            outcomes[name].append(outcome)
            if given.failures and not _is_good(outcome):
                expected = f"{one.pool.facts} not {one.pool.wrong}"
                sys.stderr.write(f"\n{name} {_record(outcome)}\n  Q {one.pool.question}\n  expected {expected}\n")
    report = Report(
        title="set and mode",
        figures={setting: _grouped(found) for setting, found in outcomes.items()},
        good={setting: {_name(o): _is_good(o) for o in found} for setting, found in outcomes.items()},
        records={setting: [_record(o) for o in found] for setting, found in outcomes.items()},
    )
    publish(report, as_json=given.json)


if __name__ == "__main__":
    main()
