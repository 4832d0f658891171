"""The whole path on real questions: the examples, and public data where it is present."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from support.documents import lexical_settings
from veriloop import Caller, Library, add_files, build_agent

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("VERILOOP_DATA", ROOT.parent / "shared" / "data"))
needs_data = pytest.mark.skipif(
    not (DATA / "clauses").is_dir(), reason="needs the public data sets: set VERILOOP_DATA to their folder"
)


@pytest.fixture(scope="module")
def answers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("answers", ROOT / "benchmarks" / "answers.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["answers"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_examples_are_answered_cited_and_refused_rightly(answers: ModuleType, tmp_path: Path) -> None:
    with Library.open(tmp_path, lexical_settings()) as library:
        report = add_files(library, [ROOT / "examples" / "library"])
        assert not report.failed
        agent = build_agent(library)
        cases = answers.read_cases(ROOT / "examples" / "questions.jsonl", None)
        figures = answers.summary([answers.judge(agent, case) for case in cases])
    assert figures["fact"] >= 0.85
    assert figures["cited"] >= 0.85
    assert figures["refused"] >= 0.85


@pytest.mark.slow
@needs_data
def test_clauses_of_real_regulations_are_found_and_cited(answers: ModuleType, tmp_path: Path) -> None:
    documents = sorted((DATA / "clauses" / "documents").glob("*.docx"))[::5]
    names = {path.name for path in documents}
    lines = (DATA / "clauses" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if set(json.loads(line)["documents"]) <= names]
    (tmp_path / "questions.jsonl").write_text("\n".join(wanted), encoding="utf-8")
    cases = answers.read_cases(tmp_path / "questions.jsonl", 60)
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        assert not add_files(library, documents).failed
        ranks = answers.search_ranks(library, cases)
        agent = build_agent(library, caller=Caller.owner())
        figures = answers.summary([answers.judge(agent, case) for case in cases])
    assert ranks["hit5"] >= 0.85
    assert figures["cited"] >= 0.65


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("name", ["cmrc", "drcd"])
def test_at_most_two_sentences_hold_the_answer(answers: ModuleType, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for line in (DATA / "passages" / f"{name}_documents.jsonl").read_text(encoding="utf-8").splitlines()[:150]:
        document = json.loads(line)
        (folder / f"{document['id']}.txt").write_text(f"{document['title']}\n{document['text']}", encoding="utf-8")
    lines = (DATA / "passages" / f"{name}_questions.jsonl").read_text(encoding="utf-8").splitlines()
    names = {path.stem for path in folder.iterdir()}
    wanted = [line for line in lines if set(json.loads(line)["documents"]) <= names]
    (tmp_path / "questions.jsonl").write_text("\n".join(wanted), encoding="utf-8")
    with Library.open(tmp_path / "library", lexical_settings()) as library:
        assert not add_files(library, [folder]).failed
        agent = build_agent(library)
        outcomes = [answers.judge(agent, case) for case in answers.read_cases(tmp_path / "questions.jsonl", 60)]
    assert answers.summary(outcomes)["fact"] >= 0.7
