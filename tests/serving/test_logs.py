"""Logs are silent in a library and structured where they are wanted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.documents import CONTRACT, write

CODE = """
import sys
from veriloop import Library, add_files, build_agent
from veriloop.configs import load_settings
with Library.open(sys.argv[1], load_settings()) as library:
    add_files(library, [sys.argv[2]])
    build_agent(library).ask("质量保证期是多久？")
"""


def test_used_as_a_library_nothing_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    folder = write(tmp_path / "documents", contract=CONTRACT)
    command = [sys.executable, "-c", CODE, str(tmp_path / "library"), str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert (result.stdout, result.stderr) == ("", "")


def test_the_command_line_logs_each_rule_as_json_without_document_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"EMBEDDINGS__PROVIDER": "none", "LOGGING__LEVEL": "INFO", "LOGGING__FORMAT": "json"}.items():
        monkeypatch.setenv(f"VERILOOP_{name}", value)
    folder = write(tmp_path / "documents", contract=CONTRACT)
    base = [sys.executable, "-c", "from veriloop.serving.cli.main import main; main()"]
    library = ["--library", str(tmp_path / "library")]
    subprocess.run([*base, "add", str(folder), *library], capture_output=True, check=True, timeout=60)
    result = subprocess.run(
        [*base, "ask", "质量保证期是多久？", "--json", *library], capture_output=True, text=True, check=True, timeout=60
    )
    answer = json.loads(result.stdout)
    events = [json.loads(line) for line in result.stderr.splitlines()]
    assert [e["rule"] for e in events if e["event"] == "rule_fired"][-1] == answer["stop_rule"]
    assert {e["trace_id"] for e in events} == {answer["trace_id"]}
    assert "24个月" not in result.stderr
