"""Encrypted Office files, and old ones by way of LibreOffice."""

from __future__ import annotations

import io
import os
import signal
import stat
import sys
import time
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from msoffcrypto.format.ooxml import OOXMLFile
from pydantic import SecretStr
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind, ParsedDocument, ParseOptions
from veriloop.knowledge.parsing import libreoffice, parse_file

needs_libreoffice = pytest.mark.skipif(
    libreoffice.program() is None, reason="needs the program LibreOffice: apt-get install libreoffice"
)
ZH = "甲方应当自收到验收申请之日起10个工作日内组织验收。"


def texts(document: ParsedDocument) -> list[str]:
    return [element.text for element in document.elements]


def word(path: Path) -> Path:
    made = docx.Document()
    made.add_heading("验收", 1)
    made.add_paragraph(ZH)
    made.save(str(path))
    return path


def sheet(path: Path) -> Path:
    book = openpyxl.Workbook()
    for row in (["型号", "单价"], ["HN-1", 120], ["HN-2", 90]):
        book.active.append(row)
    book.save(path)
    return path


def slides(path: Path) -> Path:
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = "验收", ZH
    made.save(str(path))
    return path


MADE = {"docx": word, "xlsx": sheet, "pptx": slides}


def encrypted(path: Path, password: str) -> Path:
    plain = io.BytesIO(MADE[path.suffix[1:]](path.with_name(f"plain{path.suffix}")).read_bytes())
    with path.open("wb") as target:
        OOXMLFile(plain).encrypt(password, target)
    return path


def with_passwords(*words: str) -> ParseOptions:
    return ParseOptions(passwords=tuple(SecretStr(word) for word in words))


@pytest.mark.parametrize("kind", MADE)
def test_an_encrypted_office_file_opens_with_its_password(kind: str, tmp_path: Path) -> None:
    document = parse_file(encrypted(tmp_path / f"a.{kind}", "口令7"), options=with_passwords("wrong", "口令7"))
    assert document == parse_file(tmp_path / f"plain.{kind}")


def test_without_its_password_a_file_says_what_to_give_and_no_message_holds_one(tmp_path: Path) -> None:
    path = encrypted(tmp_path / "a.docx", "right")
    with pytest.raises(InputFileError) as without:
        parse_file(path)
    assert without.value.reason == "is encrypted: give its password with --password"
    with pytest.raises(InputFileError) as wrong:
        parse_file(path, options=with_passwords("hunter2", "swordfish"))
    assert wrong.value.reason == "is encrypted: none of the 2 passwords given opens it"


@needs_libreoffice
@pytest.mark.slow
@pytest.mark.parametrize(("new", "old"), [("docx", "doc"), ("xlsx", "xls"), ("pptx", "ppt")])
def test_an_old_office_file_is_read_as_the_new_one_is(new: str, old: str, tmp_path: Path) -> None:
    with libreoffice.converted(MADE[new](tmp_path / f"a.{new}"), new, old) as made:
        path = tmp_path / "misnamed.dat"
        path.write_bytes(made.read_bytes())
    document = parse_file(path)
    assert document.reader == f"{new} (LibreOffice)"
    kinds = {element.kind for element in document.elements}
    if old == "xls":
        assert ElementKind.TABLE in kinds and "| HN-2 | 90 |" in "\n".join(texts(document))
    else:
        assert texts(document)[-2:] == ["验收", ZH]
        assert document.elements[-2].kind is ElementKind.HEADING


OLD = {"WordDocument": "docx", "Workbook": "xlsx", "PowerPoint Document": "pptx"}


@pytest.mark.parametrize("stream", OLD)
def test_without_libreoffice_it_is_named_with_the_other_way(
    stream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(libreoffice, "_PLACES", ())
    path = tmp_path / "a.old"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + stream.encode("utf-16-le") + bytes(512))
    with pytest.raises(
        InputFileError, match=rf"needs LibreOffice, not installed here: install it, or .*\.{OLD[stream]}$"
    ):
        parse_file(path)


@pytest.mark.skipif(sys.platform == "win32", reason="shell scripts stand in for the program")
def test_a_conversion_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = tmp_path / "child.pid"
    script = tmp_path / "soffice"
    script.write_text(f"#!/bin/sh\nsleep 300 &\necho $! > {child}\nwait\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with (
        pytest.raises(InputFileError, match=r"took LibreOffice more than 1 s: save it as \.docx"),
        libreoffice.converted(word(tmp_path / "a.docx"), "doc", "docx", seconds=1),
    ):
        pass
    _expect_ended(int(child.read_text()))


def _expect_ended(pid: int) -> None:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if "Z" in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[-1][:3]:
            return
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the program that the conversion had started was still running")


@pytest.mark.parametrize(("suffix", "kind"), [(".docm", "docx"), (".xlsm", "xlsx"), (".pptm", "pptx")])
def test_files_with_macros_are_read_without_them(suffix: str, kind: str, tmp_path: Path) -> None:
    import zipfile

    plain = MADE[kind](tmp_path / f"a.{kind}")
    path = tmp_path / f"a{suffix}"
    path.write_bytes(plain.read_bytes())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(
            f"{ {'docx': 'word', 'xlsx': 'xl', 'pptx': 'ppt'}[kind] }/vbaProject.bin", b"\xd0\xcf\x11\xe0AutoOpen"
        )
    assert texts(parse_file(path)) == texts(parse_file(plain))
