"""`veriloop tools`: what is offered and why something is not, plug-ins included, and how well tools are chosen."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from support.documents import filled
from support.shell import Result, Shell

EXAMPLES = Path(__file__).parents[2] / "examples" / "tool_choice.jsonl"
PLUGIN = """
from pydantic import BaseModel
from veriloop.tools.contracts import Tool, ToolOutput


class Arguments(BaseModel):
    question: str


def tide_table(needs):
    return Tool(name="tide_table", description="High water at a harbour.", arguments=Arguments,
                run=lambda _: ToolOutput(), examples=("When is high water in Husum?",))


def twice(needs):
    return [tide_table(needs), tide_table(needs)]
"""
POINTS = """[veriloop.tools]
tides = tides_plugin:tide_table
twice = tides_plugin:twice
broken = no_such_module_of_ours:tool
"""


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    filled(tmp_path).close()
    return Shell(tmp_path / "library", capsys, monkeypatch)


@pytest.fixture
def _plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of somebody else, as it stands in an environment."""
    site = tmp_path / "site"
    information = site / "tides_plugin-1.0.dist-info"
    information.mkdir(parents=True)
    (site / "tides_plugin.py").write_text(PLUGIN, encoding="utf-8")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: tides-plugin\nVersion: 1.0\n", encoding="utf-8")
    (information / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(sys.modules, "tides_plugin", raising=False)


def reasons(result: Result) -> dict[str, str]:
    return {one["name"]: one["reason"] for one in result.json["missing"]}


def names(result: Result) -> list[str]:
    return [one["name"] for one in result.json["tools"]]


def test_the_list_tells_of_each_tool_what_it_may_do_and_takes(shell: Shell) -> None:
    listed = shell("tools", "list", "--json")
    assert listed.code == 0
    search = listed.json["tools"][0]
    assert (search["name"], search["permission"], search["category"]) == ("search_documents", "read", "documents")
    assert search["schema_version"] == 1 and "query" in search["arguments"]["properties"]
    plain = shell("tools", "list").out
    assert "search_documents" in plain and "not offered" in plain and "tools.apis" in plain
    assert "planned by" in plain and "rules, model" in plain


def test_what_is_not_offered_is_named_with_the_reason(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERILOOP_TOOLS__DISABLED", '["calculate"]')
    listed = shell("tools", "list", "--json")
    assert "calculate" not in names(listed)
    assert "tools.disabled" in reasons(listed)["calculate"]
    assert "tools.apis" in reasons(listed)["call_api"]


@pytest.mark.usefixtures("_plugin")
def test_a_plug_in_is_loaded_only_where_it_is_named(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "tide_table" not in names(shell("tools", "list", "--json"))
    assert "tides_plugin" not in sys.modules
    monkeypatch.setenv("VERILOOP_TOOLS__PLUGINS", '["tides"]')
    assert "tide_table" in names(shell("tools", "list", "--json"))


@pytest.mark.usefixtures("_plugin")
def test_a_plug_in_that_cannot_be_loaded_is_reported_and_ends_nothing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERILOOP_TOOLS__PLUGINS", '["broken", "absent", "twice"]')
    listed = shell("tools", "list", "--json")
    assert listed.code == 0
    found = reasons(listed)
    assert "no_such_module_of_ours" in found["broken"]
    assert "veriloop.tools" in found["absent"]
    assert "already" in found["tide_table"] and names(listed).count("tide_table") == 1
    assert "24个月" in shell("ask", "质量保证期是多久？").out


def test_the_choice_is_measured_on_a_fresh_checkout(shell: Shell) -> None:
    checked = shell("tools", "check", str(EXAMPLES), "--json", "--fail-under", "0.9")
    assert checked.code == 0
    assert checked.json["asked"] == 60 and checked.json["accuracy"] >= 0.9
    assert [part["name"] for part in checked.json["parts"]] == ["all", "tuned with", "held out"]
    assert sum(row["asked"] for row in checked.json["by_tool"]) == 60
    assert len(checked.json["wrong"]) == 60 - checked.json["right"]


def test_below_the_minimum_the_command_says_which_questions_went_wrong(shell: Shell, tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    asked = [
        {"question": "质量保证期是多久？", "tool": "call_api"},
        {"question": "1.2万元是多少元？", "tool": "calculate"},
        {"question": "违约金是多少？", "tool": "query_sql", "also": ["search_documents"]},
    ]
    cases.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in asked), encoding="utf-8")
    checked = shell("tools", "check", str(cases), "--fail-under", "0.9")
    assert checked.code == 4
    assert "2 of 3" in checked.out
    assert "质量保证期是多久" in checked.out and "call_api would be right" in checked.out


@pytest.mark.parametrize(
    ("line", "reason"),
    [("{", "line 1"), ('{"question": "?"}', "tool"), ('{"tools": 7}', "tools"), ("", "no questions")],
)
def test_a_file_that_is_none_is_refused_with_the_line_and_the_reason(
    shell: Shell, tmp_path: Path, line: str, reason: str
) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(line, encoding="utf-8")
    refused = shell("tools", "check", str(cases))
    assert refused.code == 2 and reason in refused.err


def test_a_list_of_tools_is_readable_where_no_terminal_says_how_wide_it_is(shell: Shell) -> None:
    lines = shell("tools", "list").out.splitlines()
    table = lines[: lines.index("")] if "" in lines else lines
    assert all(len(line) <= 120 for line in table)
    assert "read_section" in "\n".join(table)


def test_without_a_library_tools_are_checked_by_a_file_that_declares_them_and_listing_says_how_to_make_one(
    shell: Shell, tmp_path: Path
) -> None:
    questions = tmp_path / "own.jsonl"
    tools = {"tools": [{"name": "search_documents", "description": "Find blocks."}]}
    asked = {"question": "付款期限是多久？", "tool": "search_documents"}
    questions.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in (tools, asked)), encoding="utf-8")
    shell.library = tmp_path / "nowhere"
    checked = shell("tools", "check", str(questions))
    assert checked.code == 0 and "1 of 1" in checked.out
    listed = shell("tools", "list")
    assert listed.code == 2 and "veriloop add" in listed.err
    assert not (tmp_path / "nowhere").exists()
