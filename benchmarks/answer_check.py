"""Measures the check of answers: what true sentences it refuses and which planted faults it lets pass.

    python benchmarks/answer_check.py --set clauses|companies --n 300

From random sentences of the documents, faults are made one at a time: another number, another unit, a denial dropped
or added, an invented clause, a sentence of another document. True are the sentences themselves and the reference
answers, split into sentences, in the block that holds their quoted evidence. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import corpora
from extraction import Case, load
from rich.console import Console
from rich.table import Table
from veriloop.knowledge.documents import Block
from veriloop.knowledge.evidence.check import check_answer
from veriloop.knowledge.evidence.models import Evidence
from veriloop.knowledge.text.sentences import split_sentences

SHORTEST = 20
SWAPPED_UNITS = (("工作日", "天"), ("个月", "天"), ("万元", "元"), ("亿元", "万元"), ("million", "billion"))
DROPPED_DENIALS = (
    ("不得", "可以"),
    ("未经", "经"),
    ("不予", "予以"),
    ("禁止", "允许"),
    (" must not ", " must "),
    ("没有", "有"),
)
ADDED_DENIALS = (("应当", "不应当"), ("可以", "不可以"), (" is ", " is not "), (" was ", " was not "))
_NUMBER = re.compile(r"(?<=\S)\d+")
_CLAUSE = re.compile(r"^第.{1,5}条")


class Claim(NamedTuple):
    """A sentence with the block that it cites; `kind` says how it was made."""

    kind: str
    block: Block
    text: str


def planted(blocks: Sequence[Block], count: int, chance: random.Random) -> Iterator[Claim]:
    """True sentences of random blocks, and one claim for each fault that fits them."""
    long = [block for block in blocks if any(True for _ in _sentences(block))]
    for block in chance.sample(long, min(count, len(long))):
        sentence = chance.choice(list(_sentences(block)))
        other = chance.choice(long)
        yield Claim("true", block, sentence)
        stranger = chance.choice(list(_sentences(other)))
        if other.doc_id != block.doc_id and stranger not in block.text:
            yield Claim("other_block", block, stranger)
        if numbers := list(_NUMBER.finditer(sentence)):
            found = chance.choice(numbers)
            changed = str(int(found.group()) + chance.choice((1, 2, 7)))
            yield Claim("number", block, sentence[: found.start()] + changed + sentence[found.end() :])
        for kind, pairs in (("unit", SWAPPED_UNITS), ("denial", DROPPED_DENIALS), ("denial", ADDED_DENIALS)):
            yield from (Claim(kind, block, sentence.replace(old, new, 1)) for old, new in pairs if old in sentence)
        if _CLAUSE.match(sentence):
            yield Claim("clause", block, _CLAUSE.sub(f"第{chance.randint(320, 380)}条", sentence))


def _sentences(block: Block) -> Iterator[str]:
    pieces = (block.text[span.start : span.end] for span in split_sentences(block.text))
    return (piece for piece in pieces if len(piece) > SHORTEST and not piece.startswith("|"))


def paraphrased(cases: Sequence[Case], blocks: Sequence[Block], count: int) -> list[Claim]:
    """The sentences of reference answers whose evidence stands in exactly one block."""
    claims: list[Claim] = []
    for case in cases:
        wanted = [corpora.bare(text)[:60] for text in case.evidence]
        own = [block for block in blocks if block.doc_id in case.documents]
        holding = [block for block in own if any(piece in corpora.bare(block.text) for piece in wanted)]
        if len(holding) == 1 and len(case.documents) == 1 and case.answers:
            answer = case.answers[0]
            claims += [Claim("paraphrase", holding[0], answer[s.start : s.end]) for s in split_sentences(answer)]
        if len(claims) >= count:
            break
    return [claim for claim in claims if len(claim.text) > SHORTEST][:count]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", required=True, choices=("clauses", "companies"))
    parser.add_argument("--n", type=int, default=300)
    arguments = parser.parse_args()
    collection, cases = load(arguments.set)
    chance = random.Random(corpora.SAMPLE_SEED)
    chance.shuffle(cases)
    claims = [
        *planted(collection.blocks, arguments.n, chance),
        *paraphrased(cases, collection.blocks, arguments.n),
    ]
    total, supported = Counter(claim.kind for claim in claims), Counter[str]()
    for claim in claims:
        document = collection.documents[claim.block.doc_id]
        source = Evidence(marker=1, block=claim.block, document=document, score=1.0)
        supported[claim.kind] += check_answer([(claim.text, (1,))], [source])[0].supported
    table = Table("sentences", "n", "supported")
    for kind, count in total.items():
        table.add_row(kind, str(count), f"{supported[kind] / count:.3f}")
    console = Console()
    console.print(table)
    shares = {kind: round(supported[kind] / count, 3) for kind, count in total.items()}
    console.print(json.dumps({"set": arguments.set, "n": total, "supported": shares}), soft_wrap=True)


if __name__ == "__main__":
    main()
