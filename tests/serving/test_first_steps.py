"""What somebody meets who uses the command line for the first time: trials, wrong names, wrong options, odd files."""

from __future__ import annotations

import zipfile
from pathlib import Path
from threading import Event, Thread

import pytest
import pyzipper
from openpyxl import Workbook
from support.documents import CONTRACT, POLICY, write
from support.shell import Shell
from veriloop import Library
from veriloop.serving.cli.output import stdout


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("VERILOOP_PARSING__PROCESSES", "0")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("VERILOOP_AS", raising=False)
    return Shell(tmp_path / "library", capsys, monkeypatch)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write(tmp_path / "documents", contract=CONTRACT, policy=POLICY)


def _locked_zip(path: Path) -> Path:
    with pyzipper.AESZipFile(path, "w", encryption=pyzipper.WZ_AES) as archive:
        archive.setpassword(b"open sesame")
        archive.writestr("inner.md", POLICY)
    return path


def test_a_dry_run_before_there_is_a_library_says_what_would_be_read_and_makes_none(
    shell: Shell, documents: Path
) -> None:
    result = shell("sync", str(documents), "--dry-run")
    assert result.code == 0 and "2 would be read, 0 would be read again" in result.out
    assert "would be read: contract.md" in result.out
    assert not shell.library.exists()
    assert shell("sync", str(documents), "--dry-run", "--json").json["added"] == ["contract.md", "policy.md"]


def test_sync_says_what_it_took_as_add_does(shell: Shell, documents: Path) -> None:
    assert "blocks: " in shell("sync", str(documents)).out
    assert "blocks: " not in shell("sync", str(documents)).out


def test_an_archive_is_told_from_a_document_as_add_takes_it(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "texts.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inner.md", POLICY)
    result = shell("show", str(path), "--parsed")
    assert result.code == 2 and "add it whole" in result.err
    assert shell("add", str(path)).code == 0


def test_a_file_of_passwords_opens_files_for_sync_too(shell: Shell, documents: Path, tmp_path: Path) -> None:
    _locked_zip(documents / "locked.zip")
    (tmp_path / "passwords").write_text("wrong\nopen sesame\n", encoding="utf-8")
    assert "give its password with --password" in shell("sync", str(documents)).err
    result = shell("sync", str(documents), "--password-file", str(tmp_path / "passwords"))
    assert result.code == 0 and "1 added" in result.out
    missing = shell("show", "contract.md", "--password-file", str(tmp_path / "none"), "--parsed")
    assert missing.code == 0, "a document of the library needs no password"


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "."),
        ("sync", "."),
        ("index",),
        ("reindex", "--terms"),
        ("backup", "b.zip"),
        ("restore", "b.zip"),
        ("remove", "contract.md"),
    ],
)
def test_what_is_the_owners_alone_says_so_to_others(
    shell: Shell, documents: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(documents)
    result = shell(*arguments, "--as", "hr")
    assert result.code == 2
    assert f"{arguments[0]} is for the library's owner: leave away --as" in result.err
    assert not (shell.library / "veriloop.sqlite").exists()


def test_a_wrong_name_is_answered_with_like_ones_that_the_caller_may_read(shell: Shell, tmp_path: Path) -> None:
    shell("add", str(write(tmp_path / "open", 差旅费管理办法=POLICY)))
    shell("add", str(write(tmp_path / "closed", 差旅费内部标准=CONTRACT)), "--readers", "hr")
    for command in ("show", "history"):
        mine, others = shell(command, "差旅费").err, shell(command, "差旅费", "--as", "it").err
        assert "差旅费管理办法.md" in mine and "差旅费内部标准.md" in mine
        assert "差旅费管理办法.md" in others and "差旅费内部标准" not in others
    assert "like it" not in shell("show", "quantum").err


def test_removing_a_document_whose_file_stays_says_that_it_may_come_back(shell: Shell, documents: Path) -> None:
    shell("sync", str(documents))
    kept = shell("remove", "contract.md")
    assert str(documents / "contract.md") in kept.err and "brings the document back" in kept.err
    (documents / "policy.md").unlink()
    assert "brings" not in shell("remove", "policy.md").err


def test_a_failed_file_has_one_name_everywhere(shell: Shell, tmp_path: Path) -> None:
    inner = write(tmp_path / "documents" / "inner", contract=CONTRACT, policy=POLICY)
    (inner / "broken.docx").write_bytes(b"PK\x03\x04 nothing")
    (inner / "policy.md.meta.yaml").write_text("domain: [", encoding="utf-8")
    for command in ("add", "sync"):
        failed = shell(command, str(tmp_path / "documents"), "--json").json["failed"]
        assert sorted(one["path"] for one in failed) == ["inner/broken.docx", "inner/policy.md"]
        assert all(str(tmp_path) not in one["reason"] for one in failed)


def test_sheets_are_called_sheets_and_one_is_not_several(shell: Shell, tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.append(["型号", "额定功率"])
    sheet.append(["HN-3200B", "45 kW"])
    (tmp_path / "documents").mkdir()
    book.save(tmp_path / "documents" / "pumps.xlsx")
    shell("add", str(tmp_path / "documents"))
    answer = shell("ask", "HN-3200B的额定功率是多少？").out
    assert "第 1 个工作表 / sheet 1" in answer and "p. 1" not in answer
    assert "(sheet 1)" in shell("search", "额定功率").out
    assert "1 sheet\n" in shell("show", "pumps.xlsx", "--parsed").out
    assert "1 document, 1 block," in shell("doctor").out


def test_doctor_tells_blocks_of_earlier_versions_apart(shell: Shell, documents: Path) -> None:
    shell("sync", str(documents))
    before = shell("doctor").out
    write(documents, policy=POLICY.replace("120", "130"))
    shell("sync", str(documents))
    assert "earlier version" not in before
    assert "; 1 earlier version, 1 block" in shell("doctor").out


def test_a_list_of_documents_fits_a_terminal_and_has_every_column_elsewhere(
    shell: Shell, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell("add", str(documents))
    piped = shell("sources").out.splitlines()[0].split()
    monkeypatch.setattr(stdout, "_force_terminal", True)
    narrow, wide = (shell("sources", *more).out.splitlines()[0].split() for more in ((), ("--wide",)))
    assert narrow == ["document", "title", "status", "blocks", "dates", "domain", "readers"]
    assert wide == piped and len(wide) == 12


@pytest.mark.parametrize("arguments", [("reindex", "--terms"), ("reindex", "--abandon"), ("remove", "contract.md")])
def test_a_command_that_waits_for_another_writer_says_for_whom(
    shell: Shell, documents: Path, arguments: tuple[str, ...]
) -> None:
    shell("add", str(documents))
    held, enough = Event(), Event()

    def hold() -> None:
        with Library.open(shell.library, create=False) as other, other.writing("add"):
            held.set()
            enough.wait(1)

    writer = Thread(target=hold)
    writer.start()
    held.wait()
    result = shell(*arguments)
    writer.join()
    assert result.code == 0 and "waiting for " in result.err
