"""Looking at what was understood: `show --parsed`, and the scores that `doctor` gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document as WordDocument
from openpyxl import Workbook
from support.documents import CONTRACT, POLICY, write
from support.shell import Shell

GARBLED = "# 说明\n\n" + "锟斤拷锟斤拷锟斤拷锟斤拷" * 30
CANARY = "金丝雀"


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("VERILOOP_EMBEDDINGS__PROVIDER", "none")
    monkeypatch.setenv("VERILOOP_PARSING__PROCESSES", "0")
    monkeypatch.setenv("COLUMNS", "200")
    return Shell(tmp_path / "library", capsys, monkeypatch)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = write(tmp_path / "documents", contract=CONTRACT, policy=POLICY, garbled=GARBLED)
    book = Workbook()
    assert book.active is not None
    for row in (("型号", "功率"), ("HN-1", 8), ("HN-2", 9)):
        book.active.append(row)
    hidden = book.create_sheet("价格")
    hidden.append(("型号", "单价"))
    hidden.append(("HN-1", 4711))
    hidden.sheet_state = "hidden"
    book.save(folder / "pumps.xlsx")
    return folder


def test_show_parsed_prints_headings_with_level_and_the_reader_and_score(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    result = shell("show", "contract.md", "--parsed")
    assert result.code == 0
    assert "[heading 1]\n设备采购合同" in result.out
    assert "[heading 2]\n第二章 违约责任" in result.out
    assert "read by markdown" in result.out and "score 1.00" in result.out


def test_show_parsed_prints_tables_by_page_and_what_is_to_be_known_of_them(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    whole = shell("show", "pumps.xlsx", "--parsed").out
    assert "[table, 2 rows of 2 columns]\n| 型号 | 功率 |" in whole
    assert "note: hidden 价格" in whole
    second = shell("show", "pumps.xlsx", "--parsed", "--page", "2").out
    assert "4711" in second and "功率" not in second


def test_show_parsed_gives_everything_as_json(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    shown = shell("show", "pumps.xlsx", "--parsed", "--json").json
    assert {"name", "title", "media_type", "pages", "unread_pages", "record", "parts"} == set(shown)
    assert shown["record"]["quality"]["score"] <= 1
    assert {"kind", "text", "level", "page", "last_page", "doubt"} == set(shown["parts"][0])


def test_a_file_can_be_looked_at_without_adding_it(shell: Shell, documents: Path, tmp_path: Path) -> None:
    word = WordDocument()
    word.add_heading("Scope", 1)
    word.add_paragraph("This policy holds for all sites.")
    word.save(str(tmp_path / "new.docx"))
    before = shell("show", str(tmp_path / "new.docx"), "--parsed")
    assert before.code == 0 and "[heading 1]\nScope" in before.out
    assert not shell.library.exists()
    shell("add", str(documents))
    assert "This policy holds" in shell("show", str(tmp_path / "new.docx"), "--parsed").out
    assert len(shell("sources", "--json").json) == 4


def test_a_file_that_cannot_be_read_and_a_page_that_is_not_there_are_told_in_one_line(
    shell: Shell, documents: Path, tmp_path: Path
) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    broken = shell("show", str(tmp_path / "broken.pdf"), "--parsed")
    assert broken.code == 2 and "broken.pdf" in broken.err and broken.err.count("\n") == 1
    shell("add", str(documents))
    assert "has 2 sheets" in shell("show", "pumps.xlsx", "--parsed", "--page", "7").err
    assert shell("show", "pumps.xlsx", "--page", "1").code == 2


def test_doctor_lists_the_worst_documents_with_their_faults_and_how_to_look_at_them(
    shell: Shell, documents: Path
) -> None:
    shell("add", str(documents))
    out = shell("doctor").out
    assert "3 read well, 0 with faults, 1 badly" in out
    (line,) = [line for line in out.splitlines() if line.startswith("note    parse ")]
    assert "garbled.md" in line and "cannot be read" in line
    command = line.split("look: veriloop ")[1].split()
    assert "锟斤拷" in shell(*command[:3]).out
    assert "garbled.md" not in shell("doctor", "--worst", "0").out


def test_doctor_gives_all_scores_as_json(shell: Shell, documents: Path) -> None:
    shell("add", str(documents))
    scores = {one["message"]: one for one in shell("doctor", "--json").json if one["subject"] == "parse"}
    assert set(scores) == {"contract.md", "garbled.md", "policy.md", "pumps.xlsx"}
    assert (scores["contract.md"]["score"], scores["contract.md"]["findings"]) == (1.0, [])
    assert scores["garbled.md"]["score"] < 0.7
    assert [finding["fault"] for finding in scores["garbled.md"]["findings"]] == ["garbled"]


def test_doctor_names_the_extra_for_pictures_and_the_program_for_old_files(shell: Shell) -> None:
    out = shell("doctor").out
    assert "extra ocr" in out and "LibreOffice" in out


def test_a_document_that_may_not_be_read_is_in_no_score_and_no_view(shell: Shell, documents: Path) -> None:
    shell("add", str(documents / "contract.md"))
    secret = write(documents / "secret", **{CANARY: f"# {CANARY}\n\n" + "锟斤拷" * 90})
    shell("add", str(secret), "--readers", "hr")
    for command in (("doctor",), ("doctor", "--json"), ("show", f"{CANARY}.md", "--parsed")):
        result = shell(*command, "--as", "sales")
        told = (result.out + result.err).replace(f"'{CANARY}.md'", "")
        assert CANARY not in told and "锟" not in told and "badly; mean 0." not in told
    assert "1 read well, 0 with faults, 0 badly" in shell("doctor", "--as", "sales").out
    assert CANARY in shell("doctor", "--as", "hr").out
