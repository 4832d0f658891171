"""The commands around a run: traces listed, shown and replayed, the rules of the live graph, and `ask --explain`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.documents import CONTRACT, POLICY, SECRET, write
from support.shell import Result, run_command
from veriloop import Library
from veriloop.graphs import live_rules
from veriloop.graphs.rules import RULES

ZH, EN = "质量保证期是多久？", "How much may a hotel cost per night?"
BOTH = "质量保证期是多久？逾期交货的违约金是多少？"
SUMMARY = {
    "trace_id", "started_at", "question", "status", "route", "stop_rule", "seconds", "tokens", "model_calls",
    "library_version",
}  # fmt: skip
TRACE = SUMMARY | {"readers", "routes", "doc_ids", "context_window", "steps", "answer"}
STEP = {
    "key", "node", "started_at", "thought", "action", "arguments", "observation", "decided_by", "steps", "light", "mid",
    "strong", "elapsed_seconds", "milliseconds", "notes", "exchanges", "rule", "kind", "target",
}  # fmt: skip


Shell = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Commands in this process, as they are typed."""
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: str) -> Result:
        return run_command(capsys, monkeypatch, *arguments)

    return call


@pytest.fixture
def shell(run: Shell, tmp_path: Path) -> Shell:
    """Commands over a library with a contract in Chinese and a policy in English."""

    def call(*arguments: str) -> Result:
        return run(*arguments, "--library", str(tmp_path / "library"))

    call("add", str(write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)))
    return call


def test_a_question_is_listed_shown_and_replayed(shell: Shell) -> None:
    asked = shell("ask", BOTH, "--json").json
    listed = shell("trace", "list")
    assert listed.code == 0
    assert asked["trace_id"][:12] in listed.out and BOTH in listed.out
    shown = shell("trace", "show", asked["trace_id"][:6])
    assert shown.code == 0
    assert "1. understand  by rules" in shown.out and "-> verify_answer" in shown.out
    assert asked["text"].splitlines()[0] in shown.out
    replayed = shell("trace", "replay", asked["trace_id"])
    assert replayed.code == 0
    assert "the same path, the same answer" in replayed.out


def test_the_list_is_json_for_scripts_newest_first_and_limited(shell: Shell) -> None:
    for question in (ZH, EN):
        shell("ask", question)
    listed = shell("trace", "list", "--json").json
    assert [summary["question"] for summary in listed] == [EN, ZH]
    assert all(set(summary) == SUMMARY for summary in listed)
    assert len(shell("trace", "list", "--limit", "1", "--json").json) == 1
    assert shell("trace", "list", "--limit", "0").code == 2


def test_a_shown_trace_is_json_with_every_step_and_the_answer(shell: Shell) -> None:
    asked = shell("ask", EN, "--json").json
    shown = shell("trace", "show", asked["trace_id"], "--json").json
    assert set(shown) == TRACE
    assert all(set(step) == STEP for step in shown["steps"])
    assert shown["answer"] == asked
    assert shown["readers"] is None  # asked by the owner
    assert shown["steps"][-1]["node"] == "deliver"


def test_a_trace_says_on_whose_behalf_it_was_made(shell: Shell) -> None:
    asked = shell("ask", EN, "--as", "sales", "--json").json
    assert shell("trace", "show", asked["trace_id"], "--json").json["readers"] == ["sales"]
    assert "asked by sales" in shell("trace", "show", asked["trace_id"]).out


def test_a_library_without_questions_lists_nothing(shell: Shell) -> None:
    assert shell("trace", "list", "--json").json == []
    assert shell("trace", "list").code == 0


@pytest.mark.parametrize("command", ["show", "replay"])
@pytest.mark.parametrize("name", ["0123456789", "abc", ""])
def test_an_unknown_trace_is_a_usage_error_that_says_how_to_list_them(shell: Shell, command: str, name: str) -> None:
    result = shell("trace", command, name, "--json")
    assert result.code == 2
    assert "veriloop trace list" in result.json["error"]


def test_a_replay_over_a_changed_document_ends_in_code_four_and_says_why(shell: Shell, tmp_path: Path) -> None:
    asked = shell("ask", ZH, "--json").json
    shell("add", str(write(tmp_path / "documents", contract="# 食堂通知\n\n本周供应面条。\n")))
    result = shell("trace", "replay", asked["trace_id"])
    assert result.code == 4
    assert "another path, another answer" in result.out
    assert "the library has changed since" in result.out
    report = shell("trace", "replay", asked["trace_id"], "--json")
    assert report.code == 4
    assert set(report.json) == {"trace_id", "same_path", "same_answer", "library_changed", "differences"}
    assert all(set(entry) == {"step", "what", "recorded", "now"} for entry in report.json["differences"])


def test_a_removed_document_takes_the_traces_of_its_questions_along(shell: Shell) -> None:
    shell("ask", ZH)
    shell("remove", "contract.md")
    assert shell("trace", "list", "--json").json == []


def test_nobody_sees_the_trace_of_a_document_that_they_may_not_read(shell: Shell, tmp_path: Path) -> None:
    shell("add", str(write(tmp_path / "secret", salaries=SECRET)), "--readers", "hr")
    asked = shell("ask", "总经理的年薪是多少？", "--as", "hr", "--json").json
    for command in (["list"], ["show", asked["trace_id"]], ["replay", asked["trace_id"]]):
        result = shell("trace", *command, "--as", "sales")
        assert "年薪" not in result.out + result.err and "salaries" not in result.out + result.err
    assert shell("trace", "show", asked["trace_id"], "--as", "hr,sales").code == 0


def test_what_a_trace_holds_does_not_steer_the_terminal(shell: Shell) -> None:
    asked = shell("ask", "质量保证期\x1b[31m是多久 [bold]？", "--json").json
    for result in (shell("trace", "list"), shell("trace", "show", asked["trace_id"])):
        assert "\x1b" not in result.out and "[bold]" in result.out


def test_the_rules_are_printed_for_every_graph_in_the_order_in_which_they_are_asked(run: Shell) -> None:
    rows = run("rules", "--json").json
    assert all(set(row) == {"graph", "after", "name", "kind", "target", "meaning"} for row in rows)
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    assert graphs == ["agent", "linear", "two_step", "loop", "reading"]
    for graph in graphs:
        for after in {row["after"] for row in rows if row["graph"] == graph}:
            printed = [row["name"] for row in rows if (row["graph"], row["after"]) == (graph, after)]
            assert printed == [rule.name for rule in RULES if graph in rule.graphs and rule.after == after]
    assert len(rows) == sum(len(rule.graphs) for rule in RULES)


def test_the_rules_of_one_graph_are_a_table_for_people(run: Shell) -> None:
    result = run("rules", "--graph", "agent")
    assert result.code == 0
    assert "direct_reply" in result.out and "small talk needs no search" in result.out
    assert "evidence_sufficient" not in result.out


def test_an_unknown_graph_is_a_usage_error_that_names_the_graphs(run: Shell) -> None:
    result = run("rules", "--graph", "lop")
    assert result.code == 2
    assert "agent, linear, two_step, loop" in result.err


def test_a_rule_that_leads_nowhere_in_the_live_graph_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = RULES[0]._replace(target="nowhere")
    monkeypatch.setattr(live_rules, "rules_after", lambda *_: (lost,))
    with pytest.raises(RuntimeError, match=f"disagree: {lost.after} -> nowhere"):
        live_rules.live_rules("agent")


def test_an_explanation_goes_to_stderr_and_leaves_the_answer_as_it_is(shell: Shell) -> None:
    plain, explained = shell("ask", BOTH), shell("ask", BOTH, "--explain")
    assert explained.out == plain.out
    assert "gate: complexity" in explained.err and "of 30" in explained.err
    assert "task t1:" in explained.err and "answer_verified (stop) -> deliver" in explained.err
    assert "gate: complexity" not in plain.err


def test_an_explanation_is_json_beside_the_answer(shell: Shell) -> None:
    explained = shell("ask", BOTH, "--explain", "--json").json["explain"]
    assert set(explained) == {"gate", "tasks", "rules"}
    gate = {"complexity", "sources", "stakes", "reasons", "total", "class", "route", "decided_by"}
    assert set(explained["gate"]) == gate
    assert explained["gate"]["reasons"]
    task = {"id", "question", "tool", "depends_on", "sufficiency", "missing"}
    assert [set(entry) for entry in explained["tasks"]] == [task] * len(explained["tasks"])
    assert len(explained["tasks"]) == 2
    assert explained["rules"][-1]["rule"] == "answer_verified"
    assert "explain" not in shell("ask", BOTH, "--json").json


@pytest.mark.parametrize("question", ["你好", "thanks"])
def test_a_question_that_needs_no_search_is_explained_by_its_rules_alone(shell: Shell, question: str) -> None:
    explained = shell("ask", question, "--explain", "--json").json["explain"]
    assert explained["tasks"] == []
    assert [rule["rule"] for rule in explained["rules"]] == ["understood", "direct_reply"]


def test_progress_shows_each_step_once_though_a_route_is_a_graph_inside_the_graph(shell: Shell) -> None:
    asked = shell("ask", BOTH)
    lines = [line for line in asked.err.splitlines() if ":" in line]
    assert sum(line.startswith("act: ") for line in lines) == 2
    for step in ("plan: ", "verify_evidence: ", "verify_answer: "):
        assert sum(line.startswith(step) for line in lines) == 1


def test_a_library_that_is_being_written_answers_and_says_that_the_trace_is_lost(shell: Shell, tmp_path: Path) -> None:
    import sqlite3

    other = sqlite3.connect(tmp_path / "library" / "library.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    result = shell("ask", ZH)
    other.execute("ROLLBACK")
    other.close()
    assert result.code == 0 and "24个月" in result.out
    assert "trace_not_stored" in result.err
    with Library.open(tmp_path / "library", create=False) as library:
        assert library.traces() == []
