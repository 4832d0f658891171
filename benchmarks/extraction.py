"""Measures the extractive answer: whether it holds what was asked for, how long it is, what it refuses.

    python benchmarks/extraction.py --set cmrc|drcd|clauses|companies --n 250 [--half tune|held] [--sentences 2]

The evidence of a question are the best five blocks by BM25. Half of the questions (`--half tune`) may be used to
choose weights; figures are reported on the other half (`--half held`, the default). The shipped weights were fitted on
the tune half of cmrc and drcd, but on differently drawn halves of the other two sets: about half of their held
questions were seen by the fit. `held` counts extracts with
the reference answer in them, `cited` those with a quote that holds the first 60 characters of the quoted evidence
(a quote of up to 60 characters may also stand inside it); `cited_given` leaves out questions whose evidence never
reached the extraction. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import corpora
from pydantic import BaseModel, ConfigDict
from rich.console import Console
from rich.table import Table
from veriloop.configs.settings import SplittingSettings
from veriloop.knowledge.documents import Block, Document
from veriloop.knowledge.elements import Element, ElementKind, ParsedDocument
from veriloop.knowledge.evidence.extract import extract_answer
from veriloop.knowledge.evidence.models import Evidence, Extract
from veriloop.knowledge.evidence.question import analyse_question
from veriloop.knowledge.lexical import Bm25Index
from veriloop.knowledge.splitting import split_document
from veriloop.knowledge.text.tokens import tokenise

EVIDENCE_BLOCKS = 5
CLAUSE_DOCUMENTS = 40
PREFIX = 60
SUFFIX = 80
SHORTEST_EVIDENCE = 8
COUNTED_TYPES = {"companies": frozenset({"factual", "unanswerable"})}
_HEADING = re.compile(r"\s*(?:第[一二三四五六七八九十百零\d]+[编章节][\s　]|#{1,6}\s)")
_HEADING_LENGTH = 60


class Case(BaseModel):
    """One line of a question file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    answers: tuple[str, ...]
    documents: tuple[str, ...]
    evidence: tuple[str, ...] = ()
    type: str
    language: str
    answerable: bool


class Judged(NamedTuple):
    """What became of one question."""

    case: Case
    given: bool
    holds: bool
    cited: bool
    refused: bool
    characters: int
    seconds: float


class Collection:
    """Blocks with a BM25 index over them."""

    def __init__(self, blocks: Sequence[Block], documents: dict[str, Document]) -> None:
        self.blocks, self.documents = blocks, documents
        tokens = [tokenise(f"{documents[b.doc_id].title}\n{' '.join(b.section_path)}\n{b.text}") for b in blocks]
        self._index = Bm25Index.build(tokens)

    def idf(self, token: str) -> float:
        """Rarity of a token, 0 for an unknown one."""
        return self._index.idf(token)

    def search(self, question: str) -> list[Evidence]:
        """The best blocks, numbered."""
        found = self._index.search(tokenise(question, for_query=True), EVIDENCE_BLOCKS)
        return [
            Evidence(marker=marker, block=block, document=self.documents[block.doc_id], score=score)
            for marker, (row, score) in enumerate(found, start=1)
            for block in (self.blocks[row],)
        ]


def load(name: str) -> tuple[Collection, list[Case]]:
    """A set's documents (a fixed sample of the clauses) and the questions about them."""
    sources, _ = corpora.load(name, CLAUSE_DOCUMENTS if name == "clauses" else 0)
    documents = {source.name: _document(source) for source in sources}
    blocks = [block for source in sources for block in _blocks(source)]
    folder = corpora.data_folder()
    path = folder / "passages" / f"{name}_questions.jsonl"
    lines = _lines(path if path.exists() else folder / name / "questions.jsonl")
    cases = [Case.model_validate_json(line) for line in lines]
    types = COUNTED_TYPES.get(name)
    kept = [c for c in cases if documents.keys() >= set(c.documents) and (types is None or c.type in types)]
    return Collection(blocks, documents), [c for c in kept if c.documents or not c.answerable]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _document(source: corpora.Source) -> Document:
    return Document(
        doc_id=source.name, version="1", title=source.title, source_uri=source.name, name=source.name,
        media_type="text/plain", updated_at=datetime.now(UTC),
    )  # fmt: skip


def _blocks(source: corpora.Source) -> Iterable[Block]:
    parsed = ParsedDocument(media_type="text/plain", elements=tuple(map(_element, source.paragraphs)))
    return split_document(parsed, source.name, SplittingSettings()).blocks


def _element(paragraph: str) -> Element:
    if _HEADING.match(paragraph) and len(paragraph) < _HEADING_LENGTH:
        return Element(kind=ElementKind.HEADING, text=paragraph.lstrip("# "), level=2)
    return Element(kind=ElementKind.PARAGRAPH, text=paragraph)


def judge(case: Case, collection: Collection, sentences: int) -> Judged:
    """Answer one question and compare."""
    evidence = collection.search(case.question)
    began = time.perf_counter()
    extract = extract_answer(analyse_question(case.question), evidence, max_sentences=sentences, idf=collection.idf)
    seconds = time.perf_counter() - began
    wanted = _wanted(case)
    named = {source.marker for source in evidence if source.block.doc_id in case.documents}
    shown = corpora.bare("".join(sentence.text for sentence in extract.sentences))
    return Judged(
        case=case,
        given=any(e.marker in named and _is_cited(e.block.text, wanted) for e in evidence),
        holds=any(corpora.bare(answer) in shown for answer in case.answers),
        cited=any(_is_cited(text, wanted) for text in _quotes(extract, named)),
        refused=not extract.sentences,
        characters=sum(len(sentence.text) for sentence in extract.sentences),
        seconds=seconds,
    )


def _wanted(case: Case) -> list[str]:
    evidence = [bare[:PREFIX] for text in case.evidence if len(bare := corpora.bare(text)) > SHORTEST_EVIDENCE]
    return evidence or [corpora.bare(answer) for answer in case.answers]


def _quotes(extract: Extract, markers: set[int]) -> list[str]:
    return [quote.text for s in extract.sentences for quote in s.quotes if quote.marker in markers]


def _is_cited(text: str, wanted: Sequence[str]) -> bool:
    bare = corpora.bare(text)
    return any(piece in bare or bare[-SUFFIX:] in piece for piece in wanted)


def figures(judged: Sequence[Judged]) -> dict[str, float]:
    """Shares of the questions, mean characters of what was answered, milliseconds a question."""
    asked = [one for one in judged if one.case.answerable]
    empty = [one for one in judged if not one.case.answerable]
    given = [one for one in asked if one.given]
    answered = [one for one in asked if not one.refused]
    shares = {
        "n": len(judged),
        "held": _mean(one.holds for one in asked),
        "cited": _mean(one.cited for one in asked),
        "cited_given": _mean(one.cited for one in given),
        "wrongly_refused": _mean(one.refused for one in asked),
        "rightly_refused": _mean(one.refused for one in empty),
        "characters": _mean(one.characters for one in answered),
        "milliseconds": 1000 * _mean(one.seconds for one in judged),
    }
    return {name: round(value, 3) for name, value in shares.items()}


def _mean(numbers: Iterable[float]) -> float:
    found = [float(number) for number in numbers]
    return sum(found) / len(found) if found else math.nan


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", required=True, choices=("cmrc", "drcd", "clauses", "companies"))
    parser.add_argument("--n", type=int, default=250)
    parser.add_argument("--half", choices=("tune", "held"), default="held")
    parser.add_argument("--sentences", type=int, default=2)
    arguments = parser.parse_args()
    collection, cases = load(arguments.set)
    # Every second question in the file's order, before anything is shuffled: the halves stay apart whatever the sample.
    half = cases[arguments.half == "held" :: 2]
    random.Random(corpora.SAMPLE_SEED).shuffle(half)
    chosen = half[: arguments.n]
    judged = [judge(case, collection, arguments.sentences) for case in chosen]
    groups = {"all": judged}
    for language in sorted({case.language for case in chosen}):
        groups[language] = [one for one in judged if one.case.language == language]
    report = {name: figures(group) for name, group in groups.items()}
    table = Table("", *report["all"])
    for name, row in report.items():
        table.add_row(name, *(str(value) for value in row.values()))
    console = Console()
    console.print(table)
    console.print(json.dumps({"set": arguments.set, "half": arguments.half, **report}), soft_wrap=True)


if __name__ == "__main__":
    main()
