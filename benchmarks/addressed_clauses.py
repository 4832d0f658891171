"""Asks for clauses by their label over a filled library: the whole clause, and a fact that stands in it.

    python benchmarks/addressed_clauses.py --library DIR --questions FILE.jsonl [--n 100] [--failures]

The questions are made of the lines of a question file whose evidence begins with a label (第十二条 …): "<document>
第十二条的内容是什么" and "根据<document>第十二条，<the question of the line>". A whole clause is right if the quoted
evidence stands in the answer without gaps and no other line of the answer begins with another label; of a fact, the
clause has to be cited. A clause that no document has (第九百九十九条) has to be refused.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from answers import flat, read_cases
from veriloop import Answer, Caller, Library, build_agent

_LABEL = re.compile(r"第[一二三四五六七八九十百零]+条(?:之[一二三四五六七八九十])?(?=[\s\u3000])")
_STATE = "中华人民共和国"
_NO_SUCH = "第九百九十九条"


class Case(NamedTuple):
    """A clause with the question for it."""

    kind: str
    question: str
    document: str
    label: str
    text: str


def cases(path: Path, most: int | None) -> Iterator[Case]:
    """The whole clause, a fact in it, and a clause that is not there, for each line whose evidence has a label."""
    for line in read_cases(path, most):
        if not line.evidence or not line.documents or (match := _LABEL.match(line.evidence[0])) is None:
            continue
        name = PurePosixPath(line.documents[0]).stem.removeprefix(_STATE)
        label, text = match.group(), line.evidence[0].replace("\\n", "\n")
        yield Case("whole", f"{name}{label}的内容是什么？", line.documents[0], label, text)
        yield Case("fact", f"根据{name}{label}，{line.question}", line.documents[0], label, text)
        yield Case("absent", f"{name}{_NO_SUCH}的全文", line.documents[0], _NO_SUCH, "")


def is_right(case: Case, answer: Answer) -> bool:
    """Whether an answer gives what its case asks for, and for a whole clause nothing else."""
    if case.kind == "absent":
        return not answer.citations
    if case.kind == "whole":
        labels = {found.group() for line in answer.text.splitlines() if (found := _LABEL.match(line))}
        return flat(case.text) in re.sub(r"\[\d+\]", "", flat(answer.text)) and labels == {case.label}
    quotes = [flat(c.quote) for c in answer.citations if c.document.endswith(case.document)]
    return any(quote and (quote in flat(case.text) or flat(case.text)[:60] in quote) for quote in quotes)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--questions", required=True, type=Path)
    parser.add_argument("--n", type=int, help="only so many lines of the question file")
    parser.add_argument("--failures", action="store_true", help="show each wrong answer on stderr")
    arguments = parser.parse_args()
    agent = build_agent(Library.open(arguments.library, create=False), caller=Caller.owner())
    right: dict[str, list[bool]] = {}
    for case in cases(arguments.questions, arguments.n):
        answer = agent.ask(case.question)
        right.setdefault(case.kind, []).append(is_right(case, answer))
        if arguments.failures and not right[case.kind][-1]:
            sys.stderr.write(f"\n{case.kind} {case.question}\n{answer.text[:300]}\n-- {case.text[:200]}\n")
    figures = {kind: round(sum(found) / len(found), 3) for kind, found in right.items()}
    sys.stdout.write(json.dumps({"n": {kind: len(found) for kind, found in right.items()}, **figures}) + "\n")


if __name__ == "__main__":
    main()
