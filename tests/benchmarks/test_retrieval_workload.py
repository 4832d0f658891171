"""Which questions and documents a comparison of searches is about, and what every search is given."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.benchmarks import benchmark
from support.documents import CONTRACT, POLICY, lexical_settings

corpora = benchmark("corpora")
workload = benchmark("retrieval_workload")
contract = benchmark("peers.contract")
own = benchmark("peers.own")
vector_cache = benchmark("vector_cache")
scale_library = benchmark("scale_library")

TEXTS = {"contract": CONTRACT, "policy": POLICY}
DOCUMENTS = [{"id": name, "title": name, "text": text} for name, text in TEXTS.items()]
ASKED = [
    {"id": "q1", "question": "组织验收的时限？", "answers": ["10个工作日"], "documents": ["contract"]},
    {"id": "q2", "question": "How much may a hotel cost?", "answers": ["120 EUR"], "documents": ["policy"]},
]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of two documents in the form of the public ones, and settings without a model."""
    folder = tmp_path / "data" / "passages"
    folder.mkdir(parents=True)
    more = {"type": "span", "answerable": True, "evidence": []}
    for name, records in (("documents", DOCUMENTS), ("questions", [{**record, **more} for record in ASKED])):
        lines = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
        (folder / f"cmrc_{name}.jsonl").write_text(lines, encoding="utf-8")
    monkeypatch.setenv("VERILOOP_DATA", str(folder.parent))
    monkeypatch.setattr(workload, "load_settings", lexical_settings)
    monkeypatch.setattr(own, "load_settings", lexical_settings)
    return tmp_path


@pytest.fixture
def embedder(data: Path) -> Iterator[Any]:
    """Keeps generated vectors in a file."""
    with vector_cache.CachedEmbedder(scale_library.HashEmbedder(), data / "vectors.sqlite") as cached:
        yield cached


def _questions(count: int) -> list[Any]:
    return [corpora.Question(str(n), f"question {n}", (f"d{n % 7}",), (), "span") for n in range(count)]


@given(st.integers(0, 60))
def test_the_halves_share_no_question_and_hold_all(count: int) -> None:
    questions = _questions(count)
    tune, held = (workload.half(questions, name) for name in ("tune", "held"))
    assert not set(tune) & set(held)
    assert set(tune) | set(held) == set(questions) == set(workload.half(questions, "all"))


def test_a_question_stays_in_its_half_whichever_documents_are_there(data: Path) -> None:
    cuts = workload.cut_documents("cmrc", 0, data)
    for kept in (cuts, cuts[:1], cuts[1:]):
        tune, held = (workload.about(workload.half(corpora.questions("cmrc"), half), kept) for half in ("tune", "held"))
        assert len(tune) + len(held) == len(kept)
        whole = workload.half(corpora.questions("cmrc"), "tune")
        assert all(question in whole for question in tune)


def test_documents_and_questions_without_a_kept_vector_are_left_out(data: Path, embedder: Any) -> None:
    cuts = workload.cut_documents("cmrc", 0, data)
    chinese = next(cut for cut in cuts if cut.rows[0].document == "contract")
    embedder.embed_passages(chinese.texts)
    questions = corpora.questions("cmrc")
    assert workload.cached_only(cuts, questions, embedder) == ([chinese], [])
    embedder.embed_query(ASKED[0]["question"])
    assert workload.cached_only(cuts, questions, embedder) == ([chinese], questions[:1])


def test_the_library_finds_the_rows_that_the_peers_are_given(data: Path, embedder: Any) -> None:
    cuts = workload.cut_documents("cmrc", 0, data)
    questions = corpora.questions("cmrc")
    written = workload.workload(cuts, questions, embedder, data)
    loaded = contract.Workload.load(data)
    assert loaded.texts == written.texts
    np.testing.assert_array_equal(loaded.vectors, written.vectors)
    rows = [row for cut in cuts for row in cut.rows]
    for search in (own.hybrid, own.words):
        measured = contract.measure(search, loaded)
        best = [rows[found[0]] for found in measured.rows]
        assert [row.document for row in best] == ["contract", "policy"]
        assert "10个工作日" in best[0].text and "120 EUR" in best[1].text
        assert len(measured.laps) == len(questions) and measured.index_seconds > 0
