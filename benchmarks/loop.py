"""Asks questions of several parts with each setting of routes and compares the settings on the same questions.

    python benchmarks/loop.py --library DIR --questions FILE.jsonl [--n 60] [--each 30] [--types multi_hop …]
        [--seed 11] [--routes linear loop] [--failures] [--json]

`--each` takes so many questions of every type and language. A setting names the routes that the agent may use,
joined by ``+``; ``all`` leaves the choice to it. Works on `examples/multi_part_questions.jsonl` and on question
files with reference answers; what counts as right is said in `multi_part.py`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from multi_part import MultiPartCase, Outcome, judge
from reporting import Figures, Report, add_run_arguments, mean, percentile, publish
from routes import agent_for, ask, usable_settings
from veriloop import Caller, Library


def read_cases(path: Path) -> list[MultiPartCase]:
    """All questions of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [MultiPartCase.model_validate_json(line) for line in lines if line.strip()]


def sample(
    cases: Sequence[MultiPartCase], *, seed: int, n: int | None, each: int | None, types: Iterable[str] | None
) -> list[MultiPartCase]:
    """A fixed random part: `each` of every type and language, then `n` of those."""
    wanted = frozenset(types or (case.type for case in cases))
    shuffled = [case for case in cases if case.type in wanted]
    random.Random(seed).shuffle(shuffled)
    if each is not None:
        groups: dict[tuple[str, str], list[MultiPartCase]] = {}
        for case in shuffled:
            groups.setdefault((case.type, case.language), []).append(case)
        shuffled = [case for group in groups.values() for case in group[:each]]
    return shuffled[:n]


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """All measures of some outcomes; shares from 0 to 1."""
    milliseconds = [outcome.asked.milliseconds for outcome in outcomes]
    return {
        "n": len(outcomes),
        "right": mean(o.right for o in outcomes),
        "facts": mean(o.facts for o in outcomes),
        "all_cited": mean(o.all_cited for o in outcomes),
        "any_cited": mean(o.any_cited for o in outcomes),
        "places": mean(o.places for o in outcomes),
        "conflict": mean(o.conflict for o in outcomes),
        "current": mean(o.current for o in outcomes),
        "concluded": mean(o.concluded for o in outcomes),
        "rightly_refused": mean(o.refused for o in outcomes if not o.case.answerable),
        "wrongly_refused": mean(o.refused for o in outcomes if o.case.answerable),
        "steps": mean(o.asked.answer.usage.steps for o in outcomes),
        "median_ms": round(percentile(milliseconds, 50)),
        "p90_ms": round(percentile(milliseconds, 90)),
    }


def grouped(outcomes: Sequence[Outcome]) -> dict[str, Figures]:
    """The figures of all, by type, by language, and by both."""
    keys: tuple[Callable[[Outcome], str], ...] = (
        lambda _: "all",
        lambda o: o.case.type,
        lambda o: o.case.language,
        lambda o: f"{o.case.type} {o.case.language}",
    )
    report: dict[str, Figures] = {}
    for key in keys:
        names = sorted({key(outcome) for outcome in outcomes})
        report |= {name: figures([o for o in outcomes if key(o) == name]) for name in names}
    return report


def record(outcome: Outcome) -> dict[str, Any]:
    """One outcome as it stands in the JSON report."""
    answer = outcome.asked.answer
    measures = {
        name: value for name, value in outcome._asdict().items() if name not in ("case", "asked") and value is not None
    }
    return {
        "id": outcome.case.id, "type": outcome.case.type, "language": outcome.case.language,
        "status": answer.status.value, "route": answer.route.value, "stop_rule": answer.stop_rule,
        "milliseconds": round(outcome.asked.milliseconds, 1), **measures, "text": answer.text,
    }  # fmt: skip


def show_failures(setting: str, outcomes: Iterable[Outcome]) -> None:
    """Each answer that is not fully right, beside what was expected, on stderr."""
    for outcome in outcomes:
        case, answer = outcome.case, outcome.asked.answer
        if not outcome.right:
            expected = [fact[0] for fact in case.facts] or list(case.answers) or "(refusal)"
            marks = {name: value for name, value in record(outcome).items() if name not in ("text", "milliseconds")}
            sys.stderr.write(
                f"\n{setting} {marks}\n  Q {case.question}\n  expected {expected} not {list(case.not_in_answer)}\n"
                f"  got {answer.text!r}\n  missing {answer.missing} cited {[c.document for c in answer.citations]}\n"
            )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--questions", required=True, type=Path)
    parser.add_argument("--n", type=int)
    parser.add_argument("--each", type=int, help="so many of every type and language")
    parser.add_argument("--types", nargs="+", help="only questions of these types")
    add_run_arguments(parser)
    return parser.parse_args()


def main() -> None:
    """Run from the command line."""
    given = _arguments()
    cases = sample(read_cases(given.questions), seed=given.seed, n=given.n, each=given.each, types=given.types)
    outcomes: dict[str, list[Outcome]] = {}
    with Library.open(given.library, create=False) as library:
        for setting in usable_settings(given.routes):
            agent = agent_for(library, setting, Caller.owner())
            outcomes[setting] = [judge(case, ask(agent, case.question)) for case in cases]
            if given.failures:
                show_failures(setting, outcomes[setting])
    report = Report(
        title=given.questions.name,
        figures={setting: grouped(found) for setting, found in outcomes.items()},
        good={setting: {o.case.id: o.right for o in found} for setting, found in outcomes.items()},
        records={setting: [record(o) for o in found] for setting, found in outcomes.items()},
    )
    publish(report, as_json=given.json)


if __name__ == "__main__":
    main()
