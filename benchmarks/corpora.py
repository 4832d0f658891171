"""The sets that retrieval is measured on: documents, and questions with what has to be found."""

from __future__ import annotations

import ast
import json
import os
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import docx

SAMPLE_SEED = 11
FOLDER_SETS = ("clauses", "companies")
PASSAGE_SETS = ("cmrc", "drcd")
HOP_SETS = ("hotpotqa", "musique")
SETS = (*FOLDER_SETS, *PASSAGE_SETS, *HOP_SETS)

_PREFIX = 60
_SHORTEST_EVIDENCE = 8
_IGNORED = re.compile(r"[\s　,，。.;；:：、()（）\"“”]")


class Source(NamedTuple):
    """One document: the name that questions use, its title and its paragraphs."""

    name: str
    title: str
    paragraphs: tuple[str, ...]


class Question(NamedTuple):
    """A question with the documents that it needs and the quoted texts that have to be found.

    Where nothing is quoted (`wanted` is empty), whatever stands in the documents is right.
    """

    id: str
    text: str
    documents: tuple[str, ...]
    wanted: tuple[str, ...]
    type: str


class File(NamedTuple):
    """A document by the name that questions use: where its file is, or the Markdown text to write into one."""

    name: str
    path: Path | None
    text: str


def bare(text: str) -> str:
    """The text as hits are judged: without blanks and punctuation, in lower case."""
    return _IGNORED.sub("", text).lower()


def data_folder() -> Path:
    """The folder of the public sets; ends the run with the reason where it is absent."""
    folder = os.environ.get("VERILOOP_DATA")
    if not folder:
        sys.exit("VERILOOP_DATA is not set: name the folder of the public data sets")
    return Path(folder)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
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


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) else []


def load(name: str, documents: int) -> tuple[list[Source], list[Question]]:
    """A deterministic sample of a set: so many documents (0: all), and the answerable questions about them."""
    sources = [_source(name, file) for file in files(name, documents)]
    known = {source.name for source in sources}
    return sources, [question for question in questions(name) if known.issuperset(question.documents)]


def _source(name: str, file: File) -> Source:
    if file.path is None:
        head, _, body = file.text.partition("\n")
        return Source(file.name, head.removeprefix("# "), tuple(body.strip().splitlines()))
    return _docx_source(file.path) if name == "clauses" else _markdown_source(file.path)


def files(name: str, documents: int) -> list[File]:
    """A deterministic sample of a set's documents, by name; 0: all of them."""
    found = sorted(_files(name), key=lambda file: file.name)
    return found if not documents else sorted(random.Random(SAMPLE_SEED).sample(found, documents))


def _files(name: str) -> Iterator[File]:
    folder = data_folder()
    if name in FOLDER_SETS:
        yield from (File(path.name, path, "") for path in (folder / name / "documents").iterdir())
    elif name in PASSAGE_SETS:
        for record in _lines(folder / "passages" / f"{name}_documents.jsonl"):
            yield File(str(record["id"]), None, _markdown(str(record["title"]), str(record["text"])))
    else:
        for number, (title, text) in enumerate(_paragraphs(name)):
            yield File(_hop_name(name, number), None, _markdown(title, text))


def _markdown(title: str, text: str) -> str:
    return f"# {title}\n\n{text}\n"


def _hop_name(name: str, number: int) -> str:
    return f"{name}-{number:04}"


def _paragraphs(name: str) -> list[tuple[str, str]]:
    """Title and text of the paragraphs of a multi-hop set."""
    records = _lines(data_folder() / "hops" / f"{name}_corpus.jsonl")
    return [(str(record.get("title") or record["id"]), _hop_text(str(record["text"]))) for record in records]


def _hop_text(stored: str) -> str:
    # HotpotQA's paragraphs are kept as Python lists of sentences.
    return "".join(ast.literal_eval(stored)) if stored.startswith("[") else stored


def questions(name: str) -> list[Question]:
    """All answerable questions of a set whose documents are known, in the order of its file."""
    if name in HOP_SETS:
        return list(_hop_questions(name))
    folder = data_folder()
    path = folder / "passages" / f"{name}_questions.jsonl"
    records = _lines(folder / name / "questions.jsonl" if name in FOLDER_SETS else path)
    found = [_question(record) for record in records if record["answerable"]]
    return [question for question in found if question.documents and question.wanted]


def _question(record: dict[str, Any]) -> Question:
    documents = tuple(str(name) for name in _list(record["documents"]))
    evidence = [bare(e)[:_PREFIX] for e in _list(record.get("evidence")) if len(bare(e)) > _SHORTEST_EVIDENCE]
    answers = [bare(answer) for answer in _list(record["answers"])]
    return Question(
        str(record["id"]), str(record["question"]), documents, tuple(evidence or answers), str(record["type"])
    )


def _hop_questions(name: str) -> Iterator[Question]:
    """Questions with the supporting paragraphs as their documents; musique's titles are not unique, its texts are."""
    numbered = list(enumerate(_paragraphs(name)))
    by_title = {title: number for number, (title, _) in numbered}
    by_text = {bare(text): number for number, (_, text) in numbered}
    for record in _lines(data_folder() / "hops" / f"{name}_questions.jsonl"):
        if name == "hotpotqa":
            numbers = {by_title[title] for title, _ in record["supporting_facts"] if title in by_title}
            complete = {title for title, _ in record["supporting_facts"]} <= by_title.keys()
            kind = str(record["type"])
        else:
            texts = [bare(p["paragraph_text"]) for p in record["paragraphs"] if p["is_supporting"]]
            numbers = {by_text[text] for text in texts if text in by_text}
            complete, kind = by_text.keys() >= set(texts), str(record["id"]).split("__")[0]
        if complete:
            documents = tuple(_hop_name(name, number) for number in sorted(numbers))
            yield Question(str(record.get("_id") or record["id"]), str(record["question"]), documents, (), kind)


def expected_answers(name: str) -> dict[str, tuple[str, ...]]:
    """The expected answers of a set's questions, by the question's id."""
    folder = data_folder()
    if name in HOP_SETS:
        records = _lines(folder / "hops" / f"{name}_questions.jsonl")
        return {
            str(one.get("_id") or one["id"]): (str(one["answer"]), *map(str, one.get("answer_aliases") or ()))
            for one in records
        }
    path = folder / name / "questions.jsonl" if name in FOLDER_SETS else folder / "passages" / f"{name}_questions.jsonl"
    return {str(one["id"]): tuple(str(answer) for answer in _list(one["answers"])) for one in _lines(path)}
