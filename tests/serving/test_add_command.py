"""`veriloop add` as people and scripts use it: files that cannot be read, passwords, what it says of its work."""

from __future__ import annotations

import json
import os
import re
import sys
import zipfile
from pathlib import Path

import pytest
from support.documents import CONTRACT, POLICY, write
from support.shell import Shell


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("COLUMNS", "200")
    return Shell(tmp_path / "library", capsys, monkeypatch)


def test_a_file_that_takes_too_long_is_one_line_and_the_rest_goes_in(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERILOOP_PARSING__FILE_SECONDS", "3")
    documents = write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)
    # Millions of brackets that may open links keep a Markdown reader busy for much longer.
    (documents / "slow.md").write_text("[" * 6_000_000, encoding="utf-8")
    result = shell("add", str(documents))
    assert result.code == 4
    assert "2 added" in result.out
    lines = [line for line in result.err.splitlines() if "failed" in line]
    assert len(lines) == 1
    assert "slow.md: takes longer than 3 s to read and was given up" in lines[0]


def test_a_line_says_what_was_done_and_how_long_it_took(shell: Shell, tmp_path: Path) -> None:
    documents = write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)
    said = shell("add", str(documents)).out
    assert re.search(r"blocks: [1-9] added, 0 kept, 0 removed; vectors made: 0; [\d.]+ s", said)
    assert all(f"{stage} " in said for stage in ("read", "split", "index", "vectors"))
    assert "blocks:" not in shell("add", str(documents)).out


def test_the_json_has_the_blocks_and_the_seconds_of_each_stage(shell: Shell, tmp_path: Path) -> None:
    report = shell("add", str(write(tmp_path / "documents", contract=CONTRACT)), "--json").json
    assert set(report) == {
        "added", "updated", "unchanged", "failed", "unread", "library_version", "blocks", "vectors_made",
        "vectors_done", "vectors_total", "vectors_problem", "seconds",
    }  # fmt: skip
    assert set(report["blocks"]) == {"added", "kept", "removed"}
    assert set(report["seconds"]) == {"read", "split", "index", "vectors", "total"}


def _locked_archive(path: Path, password: str) -> Path:
    import pyzipper

    with pyzipper.AESZipFile(path, "w", encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(password.encode())
        archive.writestr("contract.md", CONTRACT)
    return path


def test_passwords_are_given_by_option_or_by_file_and_stand_nowhere(shell: Shell, tmp_path: Path) -> None:
    archive = _locked_archive(tmp_path / "a.zip", "goldfinch 7")
    refused = shell("add", str(archive), "--password", "nightingale")
    assert refused.code == 4
    assert "nightingale" not in refused.out + refused.err
    (tmp_path / "passwords").write_text("skylark\ngoldfinch 7\n", encoding="utf-8")
    taken = shell("add", str(archive), "--password", "nightingale", "--password-file", str(tmp_path / "passwords"))
    assert (taken.code, "1 added" in taken.out) == (0, True)
    stored = b"".join(path.read_bytes() for path in shell.library.rglob("*") if path.is_file())
    for password in ("nightingale", "skylark", "goldfinch"):
        assert password not in taken.out + taken.err
        assert password.encode() not in stored


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_password_file_that_cannot_be_read_is_a_usage_error(
    shell: Shell, tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "passwords").write_bytes(content)
    result = shell("add", str(tmp_path), "--password-file", str(tmp_path / "passwords"))
    assert result.code == 2
    assert "--password-file" in result.err


def test_a_name_with_a_line_break_is_reported_in_one_line(shell: Shell, tmp_path: Path) -> None:
    documents = write(tmp_path / "documents", contract=CONTRACT)
    (documents / "two\nlines.docx").write_bytes(b"PK\x03\x04 broken")
    with zipfile.ZipFile(documents / "b.zip", "w") as archive:
        archive.writestr("../out\nside.md", CONTRACT)
    lines = [line for line in shell("add", str(documents)).err.splitlines() if "failed:" in line]
    assert len(lines) == 2
    assert all(": " in line.split("failed: ")[1] for line in lines)


def test_a_folder_with_a_line_break_that_a_reason_names_stays_in_its_line(shell: Shell, tmp_path: Path) -> None:
    documents = tmp_path / "two\nlines"
    write(documents / "inner", contract=CONTRACT)
    (documents / "veriloop.yaml").write_text("domain: [", encoding="utf-8")
    for command in ("add", "sync"):
        lines = [line for line in shell(command, str(documents)).err.splitlines() if "lines" in line]
        assert len(lines) == 1
        assert "mend that file" in lines[0]


def test_json_holds_no_control_code_that_a_terminal_obeys(shell: Shell, tmp_path: Path) -> None:
    documents = tmp_path / "documents"
    documents.mkdir()
    name = "a\x9b31m\u202eb.docx"
    (documents / name).write_bytes(b"PK\x03\x04 broken")
    out = shell("add", str(documents), "--json").out
    assert not set(out) & {"\x9b", "\u202e"}
    assert json.loads(out)["failed"][0]["path"].endswith(name)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names must be valid text")
def test_an_archive_whose_name_is_no_text_is_read(shell: Shell, tmp_path: Path) -> None:
    archive = Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.zip"))
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("contract.md", CONTRACT)
    for command in (["add", str(tmp_path)], ["sync", str(tmp_path)]):
        assert shell(*command).code == 0
    assert "contract.md" in shell("sources").out
