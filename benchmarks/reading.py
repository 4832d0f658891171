"""The questions of questions/reading.json by reading and by searching: the table of S0 §4, by rules.

    python benchmarks/reading.py [--routes linear loop reading all] [--n 30] [--failures] [--json] [--library DIR]

100 questions, 30 about an exact clause, 40 that ask what a document says about something, 30 that need two places,
over the example library and documents of VERILOOP_DATA. An answer is right if enough of the expected facts stand in
its text and a place where they stand is cited (where they stand in two documents, a place in each). It is wrong if
it answers otherwise, and silent if it says that nothing was found. A sentence is invented if a value in it stands in
none of the texts that the answer cites, nor follows from two of them. Tokens are estimated: of the question and of
every block that was found or read, which is what a model would have been shown.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

from corpora import data_folder
from facts import missing_facts, plain
from pydantic import BaseModel, ConfigDict, Field
from reporting import Figures, Report, add_run_arguments, mean, publish
from routes import agent_for
from veriloop import Agent, Answer, Caller, Library, add_files
from veriloop.configs import load_settings
from veriloop.knowledge.text.values import find_values
from veriloop.models.tokens import estimate_tokens

QUESTIONS = Path(__file__).parent / "questions" / "reading.json"
EXAMPLES = Path(__file__).parent.parent / "examples" / "library"
_SENTENCE = re.compile(r"[^。！？\n]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(_Frozen):
    """Where an expected fact stands: a document, and a label (第十二条, 3.2) near it where it has one."""

    document: str
    label: str = ""


class Case(_Frozen):
    """A question with the facts that its answer must state, each by its accepted spellings."""

    id: str
    kind: Literal["clause", "summary", "multi_hop"] = Field(alias="class")
    language: Literal["zh", "en"]
    question: str
    facts: tuple[tuple[str, ...], ...]
    need: int | None = Field(default=None, ge=1, description="how many of the facts are enough; none: all")
    places: tuple[Place, ...]


class Cases(_Frozen):
    """The file of questions."""

    version: Literal[1]
    documents: dict[str, tuple[str, ...]] = Field(description="by their folder in VERILOOP_DATA")
    questions: tuple[Case, ...]


class Outcome(NamedTuple):
    """What became of one question."""

    case: Case
    answer: Answer
    right: bool
    facts: float
    cited: bool
    invented: int
    sentences: int
    steps: int
    tokens: int
    seconds: float


def read_cases() -> Cases:
    """The questions."""
    return Cases.model_validate_json(QUESTIONS.read_text(encoding="utf-8"))


def fill(library: Library, cases: Cases) -> None:
    """Add the example library and the documents that the questions are about."""
    data = data_folder()
    wanted = [data / folder / name for folder, names in cases.documents.items() for name in names]
    with tempfile.TemporaryDirectory() as folder:
        for path in (*sorted(EXAMPLES.iterdir()), *wanted):
            shutil.copy(path, folder)
        report = add_files(library, [Path(folder)])
    if report.failed:
        raise SystemExit(f"could not read: {', '.join(one.path for one in report.failed)}")


def run(agent: Agent, case: Case) -> Outcome:
    """Ask one question and judge the answer."""
    start = time.perf_counter()
    answer, seen, steps = None, {}, 0
    for event in agent.steps(case.question):
        answer = event.update.get("answer", answer)
        seen.update(_blocks(event.update))
        steps += event.node in _COUNTED
    seconds = time.perf_counter() - start
    assert answer is not None  # every run ends in `deliver`
    missing = len(missing_facts(answer.text, case.facts))
    enough = len(case.facts) - missing >= (case.need or len(case.facts))
    cited = is_cited(case, answer)
    invented, sentences = invented_sentences(answer)
    tokens = estimate_tokens(case.question) + sum(estimate_tokens(text) for text in seen.values())
    return Outcome(
        case,
        answer,
        enough and cited,
        1 - missing / len(case.facts),
        cited,
        invented,
        sentences,
        steps,
        tokens,
        seconds,
    )


_COUNTED = ("search", "act", "read", "answer", "extract")


def _blocks(update: dict[str, Any]) -> dict[str, str]:
    """The blocks in what a step brought back, and those that a reader looked into."""
    found = {}
    for result in update.get("results", ()):
        for hit in result.hits:
            found.update({block.block_id: block.text for block in (hit.block, *hit.neighbours)})
    return found


def is_cited(case: Case, answer: Answer) -> bool:
    """Whether each document that is needed is cited at its place; of a summary, one of them."""
    by_document: dict[str, list[bool]] = {}
    for place in case.places:
        by_document.setdefault(place.document, []).append(_stands_cited(place, answer))
    found = [any(shown) for shown in by_document.values()]
    return all(found) if case.kind == "multi_hop" else any(found)


def _stands_cited(place: Place, answer: Answer) -> bool:
    for citation in answer.citations:
        around = plain("\n".join((*citation.section_path, citation.text, citation.quote)))
        if citation.document.endswith(place.document) and (not place.label or plain(place.label) in around):
            return True
    return False


def invented_sentences(answer: Answer) -> tuple[int, int]:
    """How many sentences state a value that no cited text states or yields, and how many sentences there are."""
    if answer.status.value in ("insufficient", "clarify", "direct"):
        return 0, 0
    cited = plain("\n".join(f"{c.document}\n{c.title}\n{c.text}\n{c.quote}" for c in answer.citations))
    known = {value.key for value in find_values(f"{cited}\n{plain(answer.question)}")}
    numbers = [float(number) for number in _NUMBER.findall(cited)]
    derived = {f"{abs(a - b):g}" for a, b in combinations(set(numbers), 2)} | {
        f"{n:g}" for n in (*numbers, sum(numbers))
    }
    sentences = [plain(match.group()) for match in _SENTENCE.finditer(answer.text)]
    wrong = [s for s in sentences if any(_is_new(v, known, derived) for v in find_values(s))]
    return len(wrong), len(sentences)


def _is_new(value: Any, known: set[Any], derived: set[str]) -> bool:
    """Whether a value stands nowhere, also not as a bare number, and is no difference or sum of what does."""
    return value.key not in known and not set(_NUMBER.findall(value.raw)) <= derived


def figures(outcomes: Sequence[Outcome]) -> dict[str, Figures]:
    """The measures by class, and of all."""
    groups = {kind: [o for o in outcomes if o.case.kind == kind] for kind in ("clause", "summary", "multi_hop")}
    groups |= {language: [o for o in outcomes if o.case.language == language] for language in ("zh", "en")}
    return {name: _row(group) for name, group in {**groups, "all": list(outcomes)}.items() if group}


def _row(group: Sequence[Outcome]) -> Figures:
    silent = [o.answer.status.value == "insufficient" for o in group]
    sentences = sum(o.sentences for o in group)
    return {
        "n": len(group),
        "right": mean(o.right for o in group),
        "facts": mean(o.facts for o in group),
        "cited": mean(o.cited for o in group),
        "wrong": mean(not o.right and not quiet for o, quiet in zip(group, silent, strict=True)),
        "silent": mean(silent),
        "invented": round(sum(o.invented for o in group) / sentences, 3) if sentences else None,
        "steps": mean(o.steps for o in group),
        "tokens": round(mean(o.tokens for o in group) or 0),
        "seconds": mean(o.seconds for o in group),
    }


def failures(setting: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Each answer that is not right beside what was expected."""
    for o in outcomes:
        if not o.right:
            places = "; ".join(f"{c.document} {c.quote[:50]}" for c in o.answer.citations)
            yield (
                f"\n{setting} {o.case.id} facts={o.facts:.2f} cited={o.cited} {o.answer.status.value} "
                f"{o.answer.route.value}\n  Q {o.case.question}\n  expected {o.case.facts} at "
                f"{[(p.document, p.label) for p in o.case.places]}\n  got {o.answer.text!r}\n  places {places}\n"
            )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_run_arguments(parser)
    parser.add_argument("--n", type=int, help="only so many questions of each class")
    parser.add_argument("--library", type=Path, help="a library to fill and keep; default: one that is thrown away")
    arguments = parser.parse_args()
    cases = read_cases()
    chosen = [c for kind in ("clause", "summary", "multi_hop") for c in _of(cases, kind)[: arguments.n]]
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.library or Path(scratch)
        with Library.open(folder, load_settings()) as library:
            fill(library, cases)
            runs = {
                name: [run(agent_for(library, name, Caller.owner()), case) for case in chosen]
                for name in arguments.routes
            }
    if arguments.failures:
        for name, outcomes in runs.items():
            for line in failures(name, outcomes):
                sys.stderr.write(line)
    publish(
        Report(
            title="S0 §4, rules only",
            figures={name: figures(outcomes) for name, outcomes in runs.items()},
            good={name: {o.case.id: o.right for o in outcomes} for name, outcomes in runs.items()},
            records={name: [_record(o) for o in outcomes] for name, outcomes in runs.items()},
        ),
        as_json=arguments.json,
    )


def _of(cases: Cases, kind: str) -> list[Case]:
    return [case for case in cases.questions if case.kind == kind]


def _record(outcome: Outcome) -> dict[str, Any]:
    answer = json.loads(outcome.answer.model_dump_json(include={"text", "status", "route", "stop_rule"}))
    return {"id": outcome.case.id, "right": outcome.right, "invented": outcome.invented, **answer}


if __name__ == "__main__":
    main()
