"""A whole comparison of searches on two documents, each search in its own process."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.benchmarks import benchmark
from support.documents import CONTRACT, POLICY

retrieval = benchmark("retrieval")
QUESTION = {"type": "span", "answerable": True, "evidence": []}
QUESTIONS = [
    {"id": "zh", "question": "组织验收的时限？", "answers": ["10个工作日"], "documents": ["contract"], **QUESTION},
    {"id": "en", "question": "How much may a hotel cost?", "answers": ["120 EUR"], "documents": ["policy"], **QUESTION},
]


def _write(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {"contract": CONTRACT, "policy": POLICY}
    documents = [{"id": name, "title": name, "text": text} for name, text in texts.items()]
    _write(tmp_path / "passages" / "drcd_documents.jsonl", documents)
    _write(tmp_path / "passages" / "drcd_questions.jsonl", QUESTIONS)
    monkeypatch.setenv("VERILOOP_DATA", str(tmp_path))
    return tmp_path


def _run(monkeypatch: pytest.MonkeyPatch, *options: str) -> None:
    monkeypatch.setattr(sys, "argv", ["retrieval.py", "--set", "drcd", "--half", "all", *options])
    retrieval.main()


@pytest.mark.usefixtures("data")
def test_each_search_has_figures_or_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(monkeypatch, "--searches", "veriloop-words", "bm25", "langchain-jieba", "--json")
    report = json.loads(capsys.readouterr().out)
    own = report["searches"]["veriloop-words"]
    assert own["figures"]["block"]["all"]["hit1"] == own["figures"]["passage"]["all"]["hit1"] == 1.0
    assert own["costs"]["index_s"] > 0
    assert {question["id"] for question in report["questions"]} == {"zh", "en"}
    bm25 = report["searches"]["bm25"]
    if find_spec("jieba") and find_spec("rank_bm25"):
        assert bm25["figures"]["block"]["all"]["hit10"] == 1.0
    else:
        assert bm25["missing"].startswith("not installed: pip install 'veriloop[bench]'")
    assert report["searches"]["langchain-jieba"] == {"missing": "needs --vectors"}


@pytest.mark.usefixtures("data")
def test_the_tables_name_both_ways_of_judging(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _run(monkeypatch, "--searches", "veriloop-words", "bm25")
    shown = capsys.readouterr().out
    assert "judged by passage" in shown and "judged by block" in shown and "Veriloop without vectors" in shown
    installed = find_spec("jieba") and find_spec("rank_bm25")
    assert installed or "veriloop[bench]" in "".join(shown.split())
