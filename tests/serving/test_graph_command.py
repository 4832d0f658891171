"""`veriloop graph`: what is built, shown and counted, for people and for scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.graph_documents import graph_library
from support.shell import Shell
from veriloop.knowledge.graph.by_rules import MADE_BY


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("COLUMNS", "200")
    with graph_library(tmp_path, enabled=False):
        pass
    return Shell(tmp_path / "library", capsys, monkeypatch)


def test_the_graph_is_estimated_built_shown_and_counted(shell: Shell) -> None:
    estimated = shell("graph", "build", "--estimate")
    assert estimated.code == 0
    assert [line.split(":")[0].strip() for line in estimated.out.splitlines()[1:]] == [
        "build", "upkeep, per changed block", "query, per question where searches follow the graph",
    ]  # fmt: skip
    assert shell("graph", "stats", "--json").json["relations"] == 0
    (built,) = shell("graph", "build", "--json").json["builds"]
    assert built["read"] == built["total"] == built["done"] > 0
    assert shell("graph", "build").out.startswith(f"{MADE_BY}: 0 blocks read")
    shown = shell("graph", "show", "晨曦制造有限公司", "--relation", "供应商")
    assert "晨曦制造有限公司 —供应商→ 启明仪器有限公司（purchase.md）" in shown.out
    assert shell("graph", "stats").out.startswith(f"{built['relations']:,} relations")


def test_what_is_shown_as_json_names_the_place_and_its_words(shell: Shell) -> None:
    shell("graph", "build")
    answer = shell("graph", "show", "Inspection Policy", "--relation", "replaces", "--json").json
    ((step,),) = answer["ways"]
    assert (step["subject"], step["predicate"], step["object"]) == (
        "Inspection Policy",
        "replaces",
        "Incoming Goods Policy",
    )
    assert step["quote"] == "This policy replaces the Incoming Goods Policy."
    assert step["document"] == "policy.md"
    conflicts = shell("graph", "show", "启明仪器有限公司", "--json").json["conflicts"]
    assert [{step["document"] for step in conflict} for conflict in conflicts] == [{"dated.md", "secret.md"}]


def test_an_unknown_entity_an_empty_one_and_a_missing_model_have_their_exit_codes(shell: Shell) -> None:
    assert shell("graph", "show", "不存在的公司").code == 3
    assert shell("graph", "show", " ").code == 2
    assert shell("graph", "build", "--with-model").code == 2
    assert shell("graph", "build", "--as", "boss").code == 2


def test_a_wrong_ontology_is_said_with_its_file(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ontology.yaml"
    file.write_text("types: [a]\nrelations: {r: {domain: [b]}}", encoding="utf-8")
    monkeypatch.setenv("VERILOOP_GRAPH__ONTOLOGY", str(file))
    failed = shell("graph", "show", "甲")
    assert failed.code == 2
    assert "ontology.yaml" in failed.err
    assert "names the type 'b'" in failed.err


def test_a_part_of_a_name_is_taken_and_near_names_are_offered(shell: Shell) -> None:
    shell("graph", "build")
    taken = shell("graph", "show", "启明仪器", "--json").json
    assert taken["taken"] == "启明仪器有限公司" and taken["ways"]
    assert shell("graph", "show", "启明仪器").out.startswith("启明仪器 → 启明仪器有限公司")
    missed = shell("graph", "show", "启朋仪器有限公司")
    assert missed.code == 3 and "是否指： 启明仪器有限公司" in missed.out
