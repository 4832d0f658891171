"""Asks a question file over a filled library and counts facts, places cited and refusals.

    python benchmarks/answers.py --library DIR --questions FILE.jsonl [--n 200] [--failures] [--search]

A place counts as cited if the text around a citation (or its quote) holds the first 60 characters of a piece of
quoted evidence, or stands inside it, in a document that the question names. A fact counts if one of the expected
answers' numbers, or one of the answers where they hold none, stands in the answer's text. Nothing is left out:
a question that fails for any reason counts as wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict
from veriloop import Agent, Answer, Caller, Library, build_agent

_NOT_COMPARED = re.compile(r"[\s\u3000,，。.;；:：、()（）\"“”|]")
_EVIDENCE_CHARACTERS = 60
_SHORTEST_EVIDENCE = 8


class Case(BaseModel):
    """One line of a question file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str
    answers: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    type: str = ""
    language: str = "zh"
    answerable: bool = True


class Outcome(NamedTuple):
    """What became of one case; None where a measure does not apply."""

    case: Case
    answer: Answer
    milliseconds: float
    fact: bool | None
    cited: bool | None
    refused: bool


def flat(text: str) -> str:
    """Text without blanks, punctuation and case."""
    return _NOT_COMPARED.sub("", text).lower()


def has_fact(case: Case, answer: Answer) -> bool:
    """Whether an expected number, or an expected answer without numbers, stands in the text."""
    text = flat(answer.text)
    if case.type == "multi_part":
        return all(flat(expected) in text for expected in case.answers)
    return any(flat(expected) in text for expected in case.answers)


def has_place(case: Case, answer: Answer) -> bool:
    """Whether one of the citations is a place where the evidence stands."""
    wanted = [flat(e)[:_EVIDENCE_CHARACTERS] for e in case.evidence if len(flat(e)) > _SHORTEST_EVIDENCE]
    wanted = wanted or [flat(a) for a in case.answers]
    stems = [name.rsplit(".", 1)[0] for name in case.documents]
    for citation in answer.citations:
        texts = (flat(citation.text), flat(citation.quote))
        named = not stems or any(stem in citation.document for stem in stems)
        if named and any(w in text or (text and text in w) for w in wanted for text in texts):
            return True
    return False


def judge(agent: Agent, case: Case) -> Outcome:
    """Ask one question and judge the answer."""
    start = time.perf_counter()
    answer = agent.ask(case.question)
    milliseconds = (time.perf_counter() - start) * 1000
    fact = has_fact(case, answer) if case.answerable else None
    cited = has_place(case, answer) if case.answerable else None
    return Outcome(case, answer, milliseconds, fact, cited, answer.status.value == "insufficient")


def share(values: list[bool]) -> float | None:
    """The part of the values that is true; None if there are none."""
    return round(sum(values) / len(values), 3) if values else None


def summary(outcomes: list[Outcome]) -> dict[str, float | int | None]:
    """All measures of a run."""
    answerable = [o for o in outcomes if o.case.answerable]
    return {
        "n": len(outcomes),
        "fact": share([bool(o.fact) for o in answerable]),
        "cited": share([bool(o.cited) for o in answerable]),
        "answered": share([not o.refused for o in answerable]),
        "refused": share([o.refused for o in outcomes if not o.case.answerable]),
        "characters": round(statistics.mean(len(o.answer.text) for o in outcomes)),
        "median_ms": round(statistics.median(o.milliseconds for o in outcomes)),
    }


def search_ranks(library: Library, cases: list[Case]) -> dict[str, float]:
    """Hit@1, Hit@5 and MRR@10 of the blocks that hold the evidence, in a document that the question names."""
    ranks = []
    for case in cases:
        wanted = [flat(e)[:_EVIDENCE_CHARACTERS] for e in case.evidence] or [flat(a) for a in case.answers]
        stems = [name.rsplit(".", 1)[0] for name in case.documents]
        hits = library.search(case.question, k=10, caller=Caller.owner()).hits
        right = (
            any(w in flat(hit.text) for w in wanted) and (not stems or any(stem in hit.document.name for stem in stems))
            for hit in hits
        )
        ranks.append(next((rank for rank, is_right in enumerate(right, 1) if is_right), None))
    return {
        "n": len(cases),
        "hit1": round(sum(rank == 1 for rank in ranks) / len(cases), 3),
        "hit5": round(sum(rank is not None and rank <= 5 for rank in ranks) / len(cases), 3),
        "mrr": round(sum(1 / rank for rank in ranks if rank) / len(cases), 3),
    }


def read_cases(path: Path, n: int | None) -> list[Case]:
    """Cases in a fixed random order, the first `n` of them."""
    cases = [Case.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    random.Random(11).shuffle(cases)
    return cases[:n]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--questions", required=True, type=Path)
    parser.add_argument("--n", type=int)
    parser.add_argument("--failures", action="store_true", help="show each wrong answer on stderr")
    parser.add_argument("--search", action="store_true", help="measure search alone")
    arguments = parser.parse_args()
    library = Library.open(arguments.library, create=False)
    cases = read_cases(arguments.questions, arguments.n)
    if arguments.search:
        answerable = [case for case in cases if case.answerable]
        sys.stdout.write(json.dumps(search_ranks(library, answerable)) + "\n")
        return
    agent = build_agent(library, caller=Caller.owner())
    outcomes = [judge(agent, case) for case in cases]
    if arguments.failures:
        for outcome in outcomes:
            show_failure(outcome)
    sys.stdout.write(json.dumps(summary(outcomes)) + "\n")


def show_failure(outcome: Outcome) -> None:
    """One wrong answer beside what was expected."""
    case, answer = outcome.case, outcome.answer
    wrong = (not outcome.fact or not outcome.cited) if case.answerable else not outcome.refused
    if wrong:
        expected = " / ".join(case.answers) or "(refusal)"
        places = "; ".join(f"{c.document}: {c.quote[:60]}" for c in answer.citations)
        sys.stderr.write(
            f"\n{case.id} {case.type} fact={outcome.fact} cited={outcome.cited} {answer.status.value} "
            f"{answer.confidence}\n  Q {case.question}\n  expected {expected}\n  got {answer.text!r}\n"
            f"  evidence {[e[:80] for e in case.evidence]}\n  places {places}\n"
        )


if __name__ == "__main__":
    main()
