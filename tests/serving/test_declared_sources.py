"""What the settings declare and cannot be used is told by `tools list` and `doctor`, and stops no command."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from support.documents import filled
from support.shell import run_command


def test_a_broken_declaration_is_reported_and_stops_no_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("VERILOOP_")]:
        monkeypatch.delenv(name)
    filled(tmp_path).close()
    declared = {
        "apis": {"orders": {"file": str(tmp_path / "none.yaml")}},
        "databases": {"sales": {"path": str(tmp_path / "none.db"), "tables": ["orders"]}},
        "calendar": {"file": str(tmp_path / "none-calendar.yaml")},
        "mcp": {"tides": {"command": [str(tmp_path / "no-program")]}},
        "approval": {"policies": [{"permission": "read", "decision": "allow"}]},
    }
    profile = tmp_path / "profile.yaml"
    mistaken = {"approval": {"policies": [{"tool": "call_apy", "decision": "allow"}]}}
    broken = ("call_api orders", "query_sql sales", "calculate", "tides")
    for sections, expected in ((declared, broken), (mistaken, ("policy 1", "policies"))):
        profile.write_text(yaml.safe_dump({"tools": sections, "embeddings": {"provider": "none"}}))
        options = ("--library", str(tmp_path / "library"), "--profile", str(profile))

        looked_at = run_command(capsys, monkeypatch, "doctor", "--json", *options)
        states = {one["subject"]: one["state"] for one in looked_at.json if "subject" in one}
        assert {name: states[name] for name in expected} == {
            name: "note" if name.startswith("polic") else "problem" for name in expected
        }
        assert looked_at.code == (1 if sections is declared else 0)
        if sections is declared:
            question = "How much may employees spend per night on a hotel?"
            asked = run_command(capsys, monkeypatch, "ask", question, *options)
            assert asked.code == 0 and "120" in asked.out
            listed = run_command(capsys, monkeypatch, "tools", "list", "--json", *options)
            assert listed.code == 0 and set(broken) <= {one["name"] for one in listed.json["missing"]}
