"""`veriloop digest` and `veriloop directory` as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from support.documents import filled
from support.scripted_endpoint import ScriptedEndpoint
from support.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("COLUMNS", "200")
    filled(tmp_path).close()
    return Shell(tmp_path / "library", capsys, monkeypatch)


def test_without_a_model_nothing_needs_to_be_prepared(shell: Shell) -> None:
    for arguments in ((), ("--estimate",)):
        result = shell("digest", *arguments)
        assert result.code == 0 and "rules need no preparation" in result.out
    assert shell("digest", "--json").json["made_by"] == "rules"


def test_the_digests_of_a_document_can_be_seen(shell: Shell) -> None:
    assert (
        "第三条 乙方逾期交货的，每逾期一日按合同总价的0.5%支付违约金。" in shell("digest", "--show", "contract.md").out
    )
    shown = shell("digest", "--show", "policy.md", "--json").json
    assert {digest["made_by"] for digest in shown["digests"]} == {"rules"}
    assert shell("digest", "--show", "nothing.md").code == 2


def test_what_digests_keep_is_measured(shell: Shell) -> None:
    quality = shell("digest", "--check", "--json").json
    assert quality["recall"] == 1 and quality["with_empty_phrases"] == 0 and quality["blocks"] > 1
    assert "details kept (1.000)" in shell("digest", "--check").out


def test_only_one_thing_is_done_at_a_time_and_only_by_the_owner(shell: Shell) -> None:
    assert shell("digest", "--check", "--estimate").code == 2
    assert shell("digest", "--as", "alice").code == 2


def test_costs_are_estimated_and_digests_made(
    shell: Shell, tmp_path: Path, scripted_endpoint: ScriptedEndpoint
) -> None:
    profile = tmp_path / "model.yaml"
    light = {"base_url": scripted_endpoint.base_url, "model": "m"}
    profile.write_text(yaml.safe_dump({"profile": "model", "models": {"light": light}}), encoding="utf-8")
    estimate = shell("digest", "--estimate", "--price-in", "1", "--price-out", "2", "--json", "-p", str(profile)).json
    assert estimate["cost"] == pytest.approx((estimate["tokens_in"] + 2 * estimate["tokens_out"]) / 1e6)
    assert estimate["calls"] == estimate["blocks"] and not scripted_endpoint.requests
    scripted_endpoint.responder = lambda _: json.dumps({"summary": "合同。", "keywords": [], "entities": []})
    made = shell("digest", "--json", "-p", str(profile))
    assert made.code == 0 and made.json["made"] == estimate["blocks"]
    assert shell("digest", "--check", "--json").json["by_model"] == estimate["blocks"]


def test_the_directory_is_printed_and_narrowed(shell: Shell) -> None:
    assert "设备采购合同" in shell("directory").out
    narrowed = shell("directory", "-q", "质量保证期是多久", "--tokens", "300", "--json").json
    assert narrowed["tokens"] <= 300 and narrowed["entries"][0]["document"] == "contract.md"
    opened = shell("directory", "--open", "contract.md").out
    assert "24个月" in opened and "Travel" not in opened
