"""Asks questions through a chat model and by quoting alone, and compares the two.

    OPENAI_BASE_URL=http://127.0.0.1:8091/v1 OPENAI_MODEL=local \\
    python benchmarks/with_model.py --library DIR --questions FILE.jsonl [FILE.jsonl …] [--each 15] [--seed 11]
        [--profile openai] [--log FILE.jsonl] [--json]

Any OpenAI-compatible endpoint will do. For each setting it counts: the rule that ended the run, facts found, places
cited, refusals, values in delivered sentences that their citations do not state, replies that had to be asked for
again, calls, tokens and seconds. `--each` takes so many questions of each file. `--log` keeps a line for each run as it
ends.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from answers import Case, has_fact, has_place
from rich.console import Console
from rich.table import Table
from veriloop import Answer, Caller, Library, build_agent
from veriloop.configs import load_settings
from veriloop.context import make_models
from veriloop.knowledge.text.values import find_values
from veriloop.ledger import StepRecord
from veriloop.models.completing import ModelSource

_NUMBER, _ANYTHING = re.compile(r"\d+(?:\.\d+)?"), re.compile(r".+", re.DOTALL)
_COMPUTED = re.compile(
    r"合计|平均|比.+[多少大小长短高低贵早晚]|\b(?:total|average|more|less|larger|smaller|longer|shorter) than\b", re.I
)
_KEPT = {"text", "status", "unsupported", "missing", "notes"}
_MARKER = re.compile(r"\[\d+\]")


class Run(NamedTuple):
    """One question asked one way."""

    setting: str
    case: Case
    answer: Answer
    records: tuple[StepRecord, ...]
    seconds: float


def unsupported_values(answer: Answer) -> list[str]:
    """Values of delivered sentences that stand neither in what they cite nor in the question.

    A cell's unit may stand in the head of its column: a value also counts as stated where its digits are. Lines that
    are computed are left out: their results stand nowhere, and the product computes them a second time itself.
    """
    parts = (f"{c.text}\n{c.quote}\n{c.title}\n{c.document}\n{' '.join(c.section_path)}" for c in answer.citations)
    sources = "\n".join([*parts, answer.question])
    known = {value.key for value in find_values(sources)}
    lines = [_MARKER.sub("", line) for line in answer.text.splitlines() if _MARKER.search(line)]
    stated = [line for line in lines if not _COMPUTED.search(line)]
    found = [value for line in stated for value in find_values(line) if value.key not in known]
    return [value.raw for value in found if _digits(value.raw) not in sources.replace(",", "")]


def _digits(raw: str) -> str:
    return (_NUMBER.search(raw.replace(",", "")) or _ANYTHING.match(raw) or [raw])[0]


def ask(setting: str, case: Case, library: Library, models: ModelSource | None) -> Run:
    """One run with its records."""
    began = time.perf_counter()
    answer = None
    records: dict[str, StepRecord] = {}
    for event in build_agent(library, caller=Caller.owner(), models=models).steps(case.question):
        answer = event.update.get("answer", answer)
        records.update((record.key, record) for record in event.update.get("steps", ()))
    assert answer is not None
    return Run(setting, case, answer, tuple(records.values()), time.perf_counter() - began)


def repaired(runs: Iterable[Run]) -> int:
    """Replies that were no valid decision and were asked for once more, or fell to the rules."""
    records = [record for run in runs for record in run.records if record.exchanges]
    return sum(len(record.exchanges) - 1 for record in records if record.node not in ("answer", "rewrite"))


def figures(runs: Sequence[Run]) -> dict[str, Any]:
    """What is counted over the runs of one setting."""
    answerable = [run for run in runs if run.case.answerable]
    others = [run for run in runs if not run.case.answerable]
    answers = [run.answer for run in runs]
    return {
        "n": len(runs),
        "fact": _share([has_fact(run.case, run.answer) for run in answerable]),
        "cited": _share([has_place(run.case, run.answer) for run in answerable]),
        "refused_rightly": _share([run.answer.status.value == "insufficient" for run in others]),
        "refused_wrongly": _share([run.answer.status.value == "insufficient" for run in answerable]),
        "unsupported_delivered": [f"{r.case.id}: {found}" for r in runs if (found := unsupported_values(r.answer))],
        "removed_sentences": sum(len(answer.unsupported) for answer in answers),
        "replies_repaired": repaired(runs),
        "model_failures": sum(e.failure != "" for run in runs for r in run.records for e in r.exchanges),
        "ended_by": dict(Counter(answer.stop_rule for answer in answers).most_common()),
        "routes": dict(Counter(answer.route.value for answer in answers).most_common()),
        "written_by": dict(Counter(answer.decided_by.value for answer in answers).most_common()),
        "calls": _mean([answer.usage.model_calls for answer in answers]),
        "tokens": _mean([answer.usage.tokens for answer in answers]),
        "seconds": _mean([run.seconds for run in runs]),
    }


def _share(found: Sequence[bool]) -> float | None:
    return round(sum(found) / len(found), 3) if found else None


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / max(len(values), 1), 2)


def read_cases(paths: Sequence[Path], each: int | None, seed: int) -> list[Case]:
    """So many questions of each file, by chance."""
    chosen: list[Case] = []
    for path in paths:
        cases = [Case.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        random.Random(seed).shuffle(cases)
        chosen += cases[:each]
    return chosen


def main() -> int:
    """Ask everything twice and print the figures side by side."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--each", type=int)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--profile", default="openai")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    settings = load_settings(options.profile)
    models = make_models(settings)
    runs: list[Run] = []
    with Library.open(options.library, settings) as library, Library.open(options.library) as offline:
        for case in read_cases(options.questions, options.each, options.seed):
            runs += [ask("model", case, library, models), ask("quoted", case, offline, None)]
            _keep(options.log, runs[-2:])
    by_setting = {name: figures([run for run in runs if run.setting == name]) for name in ("model", "quoted")}
    if options.json:
        sys.stdout.write(json.dumps(by_setting, ensure_ascii=False, indent=2) + "\n")
    else:
        _print(by_setting)
    return int(any(found["unsupported_delivered"] for found in by_setting.values()))


def _keep(path: Path | None, runs: Sequence[Run]) -> None:
    """Append what became of these runs: a long measurement that is cut short has then not been in vain."""
    if path is None:
        return
    with path.open("a", encoding="utf-8") as log:
        for run in runs:
            line = {
                "setting": run.setting,
                "id": run.case.id,
                "seconds": round(run.seconds, 1),
                "figures": figures([run]),
                "answer": run.answer.model_dump(mode="json", include=_KEPT),
                "steps": [f"{r.key} {r.decided_by.value} {len(r.exchanges)} -> {r.rule}" for r in run.records],
            }
            log.write(json.dumps(line, ensure_ascii=False) + "\n")


def _print(by_setting: dict[str, dict[str, Any]]) -> None:
    table = Table("figure", *by_setting, show_lines=True)
    for name in next(iter(by_setting.values())):
        table.add_row(name.replace("_", " "), *(str(found[name]) for found in by_setting.values()))
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
