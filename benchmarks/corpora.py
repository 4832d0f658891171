"""The sets that retrieval is measured on, cut into blocks and passages the way that the library cuts them."""

from __future__ import annotations

import json
import os
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import docx

SAMPLE_SEED = 11
BLOCK_CHARACTERS = 1200
BLOCK_MINIMUM = 500
PASSAGE_CHARACTERS = 512
PASSAGE_OVERLAP = 64

_HEADING = re.compile(r"^\s*(?:第[一二三四五六七八九十百零\d]+[编章节][\s　]|#{1,6}\s|附\s*[则件录])")
_SENTENCE_END = re.compile(r"(?<=[。！？；\n])|(?<=[.!?])(?=\s)")
_IGNORED = re.compile(r"[\s　,，。.;；:：、()（）\"“”]")


class Source(NamedTuple):
    """One document: the name that questions use, its title and its paragraphs."""

    name: str
    title: str
    paragraphs: tuple[str, ...]


class Unit(NamedTuple):
    """One passage with the block around it."""

    document: str
    title: str
    section: str
    block: str
    text: str


class Question(NamedTuple):
    """A question with the quoted texts that have to be found."""

    text: str
    documents: tuple[str, ...]
    wanted: tuple[str, ...]


def bare(text: str) -> str:
    """The text as hits are judged: without blanks and punctuation, in lower case."""
    return _IGNORED.sub("", text).lower()


def data_folder() -> Path:
    """The folder of the public sets; ends the run with the reason where it is absent."""
    folder = os.environ.get("VERILOOP_DATA")
    if not folder:
        sys.exit("VERILOOP_DATA is not set: name the folder of the public data sets")
    return Path(folder)


def _lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def _docx_source(path: Path) -> Source:
    document = docx.Document(str(path))
    paragraphs = [p.text.strip() for p in document.paragraphs if p.text.strip()]
    for table in document.tables:
        paragraphs.extend(" | ".join(cell.text.strip() for cell in row.cells) for row in table.rows)
    return Source(path.name, path.stem, tuple(paragraphs))


def _markdown_source(path: Path) -> Source:
    lines = path.read_text(encoding="utf-8").splitlines()
    return Source(path.name, path.stem[4:].strip() or path.stem, tuple(line for line in lines if line.strip()))


def _record_source(record: dict[str, object]) -> Source:
    return Source(str(record["id"]), str(record["title"]), tuple(str(record["text"]).splitlines()))


def _question(record: dict[str, object]) -> Question:
    documents = tuple(str(name) for name in _list(record["documents"]))
    evidence = [bare(str(e))[:60] for e in _list(record.get("evidence")) if len(bare(str(e))) > 8]
    answers = [bare(str(answer)) for answer in _list(record["answers"])]
    return Question(str(record["question"]), documents, tuple(evidence or answers))


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def load(name: str, documents: int) -> tuple[list[Source], list[Question]]:
    """A deterministic sample of a set: so many documents (0: all), and the answerable questions about them."""
    folder = data_folder()
    if name in ("clauses", "companies"):
        paths = sorted((folder / name / "documents").iterdir())
        chosen = random.Random(SAMPLE_SEED).sample(paths, documents) if documents else paths
        read = _docx_source if name == "clauses" else _markdown_source
        sources = [read(path) for path in sorted(chosen)]
        questions = folder / name / "questions.jsonl"
    else:
        records = list(_lines(folder / "passages" / f"{name}_documents.jsonl"))
        chosen_records = random.Random(SAMPLE_SEED).sample(records, documents) if documents else records
        sources = [_record_source(record) for record in chosen_records]
        questions = folder / "passages" / f"{name}_questions.jsonl"
    known = {source.name for source in sources}
    asked = [_question(record) for record in _lines(questions) if record["answerable"]]
    return sources, [q for q in asked if q.documents and known.issuperset(q.documents) and q.wanted]


def cut(source: Source) -> Iterator[Unit]:
    """The passages of a document, each with its block and section."""
    for section, block in _blocks(source):
        for text in windows(block, PASSAGE_CHARACTERS, PASSAGE_OVERLAP):
            yield Unit(source.name, source.title, section, block, text)


def _blocks(source: Source) -> Iterator[tuple[str, str]]:
    section, first_section, held = "", "", ""
    for paragraph in source.paragraphs:
        heading = _HEADING.match(paragraph) is not None and len(paragraph) < 60
        full = len(held) + len(paragraph) > BLOCK_CHARACTERS or (heading and len(held) >= BLOCK_MINIMUM)
        if held and full:
            yield first_section, held
            held = ""
        section = re.sub(r"\s+", " ", paragraph.lstrip("# ")) if heading else section
        first_section = first_section if held else section
        held += ("\n" if held else "") + paragraph
    if held:
        yield first_section, held


def windows(text: str, size: int, overlap: int) -> Iterator[str]:
    """Windows of about `size` characters, cut at sentence ends, sharing about `overlap` with the one before."""
    ends = sorted({match.start() for match in _SENTENCE_END.finditer(text)} | {len(text)})
    start = 0
    while start < len(text):
        end = max((e for e in ends if start < e <= start + size), default=min(start + size, len(text)))
        yield text[start:end].strip()
        if end >= len(text):
            return
        start = max((e for e in ends if end - overlap * 2 <= e < end and e > start), default=end)


def searchable(unit: Unit) -> str:
    """What is indexed of a passage: its title and section before its text."""
    return "\n".join(part for part in (unit.title, unit.section, unit.text) if part)
