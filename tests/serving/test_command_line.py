"""The command line as scripts and people use it: output, JSON shapes, exit codes, interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.documents import CONTRACT, POLICY, SECRET, write
from support.shell import Shell
from veriloop import Library

ZH = "质量保证期是多久？"
PLACE_FIELDS = ("document", "title", "section_path", "page", "block_id", "text")
HIT_FIELDS = (*PLACE_FIELDS, "rank", "score", "lexical_rank", "vector_rank")
CITATION_FIELDS = (*PLACE_FIELDS, "marker", "version", "start", "end", "quote")
_RESULT_FIELDS = ("text", "status", "citations", "confidence", "unsupported", "missing", "conflicts")
ANSWER_FIELDS = (*_RESULT_FIELDS, "route", "stop_rule", "usage", "trace_id")


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("COLUMNS", "200")
    return Shell(tmp_path / "library", capsys, monkeypatch)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)


def test_add_prints_the_documented_json_shape(shell: Shell, documents: Path) -> None:
    (documents / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    result = shell("add", str(documents), "--json")
    assert result.code == 4
    report = result.json
    assert report["added"] == ["contract.md", "policy.md"]
    assert (report["updated"], report["unchanged"]) == ([], [])
    assert [set(failed) for failed in report["failed"]] == [{"path", "reason"}]
    assert report["library_version"] == 2


def test_adding_twice_is_done_and_says_unchanged(shell: Shell, documents: Path) -> None:
    assert shell("add", str(documents)).code == 0
    result = shell("add", str(documents))
    assert result.code == 0
    assert "0 added, 0 updated, 2 unchanged, 0 failed" in result.out


def test_ask_prints_the_answer_to_stdout_and_progress_to_stderr(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    result = shell("ask", ZH)
    assert result.code == 0
    assert "24个月" in result.out and "[1] contract.md" in result.out
    assert "search:" in result.err and "search:" not in result.out


def test_ask_prints_one_json_object_with_the_documented_fields(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    answer = shell("ask", ZH, "--json").json
    assert set(ANSWER_FIELDS) <= set(answer)
    assert set(CITATION_FIELDS) <= set(answer["citations"][0])
    assert set(answer["usage"]) == {"steps", "model_calls", "tokens", "seconds", "by_tier"}


def test_search_prints_the_documented_json_shape(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    result = shell("search", "HN-3200", "--k", "2", "--json").json
    assert {"query", "library_version", "hits"} <= set(result)
    assert set(HIT_FIELDS) <= set(result["hits"][0])
    assert result["hits"][0]["document"] == "contract.md"


def test_search_explains_ranks_and_tokens(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    assert "tokens:" in shell("search", "质量保证期", "--explain").out


def test_nothing_found_is_exit_code_three(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    assert shell("ask", "食堂的开放时间是几点？").code == 3
    assert shell("search", "zzzxqj").code == 3


@pytest.mark.parametrize("question", ["", "  ", "？", "长" * 10_000])
def test_an_unusable_question_is_a_usage_error(shell: Shell, documents: Path, question: str) -> None:
    shell("add", str(documents))
    result = shell("ask", question, "--json")
    assert result.code == 2
    assert "error" in result.json


def test_asking_without_a_library_says_how_to_make_one(shell: Shell) -> None:
    result = shell("ask", ZH)
    assert result.code == 2
    assert "veriloop add" in result.err


def test_a_missing_path_and_an_empty_folder_are_told_apart(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert shell("add", str(tmp_path / "empty")).code == 0
    result = shell("add", str(tmp_path / "nowhere"))
    assert result.code == 4
    assert "does not exist" in result.err


def test_show_prints_a_document_and_a_block(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    whole = shell("show", "contract.md", "--json").json
    block = shell("show", whole["blocks"][0]["block_id"], "--json").json
    assert block["blocks"] == whole["blocks"][:1]
    assert "质量保证期" in shell("show", "设备采购合同").out
    assert shell("show", "nowhere.pdf").code == 2


def test_sources_lists_version_status_blocks_and_pages(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    source = shell("sources", "--json").json[0]
    assert {"document", "version", "status", "blocks", "pages"} <= set(source)
    assert "contract.md" in shell("sources").out


def test_remove_takes_a_document_out_and_refuses_an_unknown_name(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    assert shell("remove", "contract.md", "nowhere.md").code == 2
    assert shell("remove", "contract.md", "--json").json["removed"] == ["contract.md"]
    assert [source["document"] for source in shell("sources", "--json").json] == ["policy.md"]


def test_doctor_looks_at_installation_vectors_and_library(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    findings = {finding["subject"]: finding for finding in shell("doctor", "--json").json}
    assert findings["library"]["state"] == "ok"
    assert "switched off" in findings["vectors"]["message"]


def test_doctor_reports_a_damaged_library_as_a_problem(shell: Shell) -> None:
    shell.library.mkdir()
    (shell.library / "library.sqlite").write_bytes(b"no database" * 500)
    result = shell("doctor")
    assert result.code == 1
    assert "problem" in result.out


def test_a_restricted_document_shows_in_no_command_of_another_reader(
    shell: Shell, documents: Path, tmp_path: Path
) -> None:
    shell("add", str(documents))
    shell("add", str(write(tmp_path / "secret", salaries=SECRET)), "--readers", "hr")
    commands = (
        ["search", "金丝雀"], ["ask", "总经理的年薪是多少？"], ["sources"], ["show", "salaries.md"],
        ["doctor"], ["remove", "salaries.md"],
    )  # fmt: skip
    for command in commands:
        result = shell(*command, "--as", "sales")
        shown = (result.out + result.err).replace("'salaries.md'", "")
        assert "salaries" not in shown and "300万元" not in shown
    assert "2 documents" in shell("doctor", "--as", "").out
    assert "300万元" in shell("ask", "总经理的年薪是多少？", "--as", "hr").out


def test_an_unknown_setting_is_a_usage_error(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERILOOP_SERCH__KEEP", "3")
    result = shell("sources")
    assert result.code == 2
    assert "VERILOOP_SEARCH__KEEP" in result.err


def test_a_crash_is_one_line_without_a_traceback(tmp_path: Path) -> None:
    code = "import veriloop.serving.cli.main as m, veriloop.knowledge.library as l\n"
    code += "def boom(*a, **k): raise ZeroDivisionError('boom')\nl.Library.open = boom\nm.main()"
    command = [sys.executable, "-c", code, "sources", "--library", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "internal error (ZeroDivisionError: boom)" in result.stderr


_MANY = 400


def _many(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:04}.md").write_text(CONTRACT.replace("HN-3200", f"HN-{number}"), encoding="utf-8")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_addition_leaves_whole_documents_and_goes_on(tmp_path: Path, stop: signal.Signals) -> None:
    folder, library = _many(tmp_path / "documents", _MANY), tmp_path / "library"
    command = [sys.executable, "-c", "from veriloop.serving.cli.main import main; main()", "add"]
    command += [str(folder), "--library", str(library)]
    environment = {**os.environ, "VERILOOP_EMBEDDINGS__PROVIDER": "none"}
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A run in the background of a shell hands down that interrupts are ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not _stored(library):
        time.sleep(0.05)
    process.send_signal(stop)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    kept = _stored(library)
    assert 0 < kept < _MANY
    if stop is signal.SIGINT:
        assert process.returncode == 130
    finished = subprocess.run([*command, "--json"], env=environment, capture_output=True, text=True, timeout=300)
    report = json.loads(finished.stdout)
    assert len(report["unchanged"]) >= kept
    assert len(report["added"]) + len(report["unchanged"]) == _MANY


def _stored(folder: Path) -> int:
    if not (folder / "library.sqlite").is_file():
        return 0
    from veriloop import Caller
    from veriloop.errors import VeriloopError

    try:
        with Library.open(folder, create=False) as library:
            return len(library.documents(Caller.owner()))
    except VeriloopError:
        return 0


@pytest.mark.parametrize("arguments", [["ask"], ["search", "x", "--k", "0"], ["ask", "x", "--nonsense"], ["nonsense"]])
def test_a_wrong_call_is_json_for_scripts_too(shell: Shell, arguments: list[str]) -> None:
    result = shell(*arguments, "--json")
    assert result.code == 2
    assert result.json["error"]


def test_an_empty_variable_makes_nobody_the_owner(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell("add", str(write(tmp_path / "secret", salaries=SECRET)), "--readers", "hr")
    monkeypatch.setenv("VERILOOP_AS", "")
    assert shell("sources", "--json").json == []
    monkeypatch.setenv("VERILOOP_AS", "hr")
    assert len(shell("sources", "--json").json) == 1


def test_readers_without_a_name_are_refused(shell: Shell, documents: Path) -> None:
    assert shell("add", str(documents), "--readers", " , ").code == 2


COMMAND = 'PYTHONUTF8=0 LC_ALL=C "$0" -c "from veriloop.serving.cli.main import main; main()" '


@pytest.mark.parametrize(
    ("tail", "code"),
    [
        ('sources --library "$1" | head -1 >&2; exit ${PIPESTATUS[0]}', 0),
        ('sources --library "$1" --json >&-', 0),
        ('sources --library "$1" --json 2>&-', 0),
        ('sources --library "$1" --json >/dev/full', 1),
        ('ask 质量保证期是多久？ --library "$1"', 0),
    ],
)
def test_streams_that_are_closed_full_or_narrow_never_end_in_a_traceback(
    shell: Shell, documents: Path, tail: str, code: int
) -> None:
    shell("add", str(documents))
    result = subprocess.run(
        ["bash", "-c", COMMAND + tail, sys.executable, str(shell.library)], capture_output=True, timeout=60
    )
    assert b"Traceback" not in result.stderr
    assert result.returncode == code


def test_what_a_document_holds_does_not_steer_the_terminal(shell: Shell, tmp_path: Path) -> None:
    text = "# 维护\n\n维护周期为\x1b[31m6个月\x1b[0m，见[7] [bold]重要[/bold] :smile:。"
    shell("add", str(write(tmp_path / "odd", odd=text)))
    out = shell("ask", "维护周期是多久？").out
    assert "\x1b" not in out and "[bold]" in out and ":smile:" in out
    assert "［7］" in out


def test_the_rules_that_are_explained_are_numbered_one_by_one(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    told = shell("ask", "质量保证期是多久？验收时限是几个工作日？", "--explain").err
    numbers = [int(line.split(":")[0].removeprefix("rule ")) for line in told.splitlines() if line.startswith("rule ")]
    assert "act:" in told
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 4
