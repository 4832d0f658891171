"""The whole path on real questions: the examples, and public data where it is present."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.documents import lexical_settings
from support.responders import passages_in
from support.scripted_endpoint import Responder, ScriptedEndpoint, Turn
from veriloop import Caller, Library, add_files, build_agent
from veriloop.configs.model_settings import ChatModelSettings, TierSettings
from veriloop.knowledge.text.sentences import split_sentences
from veriloop.models.chat import ModelTiers

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


def _best_sentence(messages: list[dict[str, Any]]) -> str:
    """An honest model: the sentence that shares most characters with the question, and its marker."""
    question = re.findall(r"(?:问题：|Question: )(.*)", str(messages[-1]["content"]))[-1]
    sentences = [
        (text[span.start : span.end], number)
        for number, passage in passages_in(messages)
        for text in passage.splitlines()[1:]
        for span in split_sentences(text)
    ]
    text, number = max(sentences, key=lambda pair: len(set(pair[0]) & set(question)) / (8 + len(pair[0])) ** 0.5)
    return f"{text}[{number}]"


def _lie(messages: list[dict[str, Any]]) -> str:
    """The same with every digit of the text raised by one."""
    raised = re.sub(r"\d(?!\d*\])", lambda digit: str((int(digit.group()) + 1) % 10), _best_sentence(messages))
    return f"{raised}\n罚款为987654元[1]。"


@pytest.mark.slow
@pytest.mark.parametrize("character", ["honest", "liar", "hangs"])
def test_the_examples_through_a_model_end_in_supported_answers_within_the_budget(
    answers: ModuleType, tmp_path: Path, scripted_endpoint: ScriptedEndpoint, character: str
) -> None:
    responders: dict[str, Responder] = {
        "honest": _best_sentence,
        "liar": _lie,
        "hangs": lambda _: Turn(fault="hang"),
    }
    scripted_endpoint.responder = responders[character]
    settings = ChatModelSettings(base_url=scripted_endpoint.base_url, model="m", retries=0, request_seconds=1)
    with Library.open(tmp_path, lexical_settings()) as library:
        add_files(library, [ROOT / "examples" / "library"])
        agent = build_agent(library, models=ModelTiers(TierSettings(strong=settings)))
        cases = answers.read_cases(ROOT / "examples" / "questions.jsonl", None)
        outcomes = [answers.judge(agent, case) for case in cases]
        for outcome in outcomes:
            answer = outcome.answer
            assert answer.usage.seconds < 20 and answer.usage.tokens <= 8_000
            assert "987654" not in answer.text
            for citation in answer.citations:
                found = library.block(citation.block_id, Caller.owner())
                assert found is not None and found[0].text[citation.start : citation.end] == citation.quote
    figures = answers.summary(outcomes)
    if character == "hangs":  # then the rules take over, and are as good as without a model
        assert figures["fact"] >= 0.85
        answered = [outcome.answer for outcome in outcomes if outcome.answer.citations]
        assert all(answer.usage.by_tier or answer.notes for answer in answered)
    if character == "liar":
        assert any(outcome.answer.unsupported or outcome.answer.notes for outcome in outcomes)


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
