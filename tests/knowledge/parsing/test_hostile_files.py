"""Awkward files from the wild: each gives a document or one clear error."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
import veriloop
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ParseOptions
from veriloop.knowledge.parsing import parse_file

_ROOT = Path(veriloop.__file__).parent
_DATA = Path(os.environ.get("VERILOOP_DATA", _ROOT.parent / "shared" / "data"))
_FILES = sorted(path for path in (_DATA / "hostile").rglob("*") if path.is_file())


@pytest.mark.slow
@pytest.mark.timeout(900)  # one file has 619 dense pages
@pytest.mark.skipif(not _FILES, reason="the folder 'hostile' of VERILOOP_DATA is not on this machine")
@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_an_awkward_file_gives_a_document_or_one_clear_error(path: Path) -> None:
    try:
        document = parse_file(path, path.name)
    except InputFileError as error:
        assert error.path == path.name
        assert error.reason
    else:
        assert all(element.text for element in document.elements)


def test_without_the_optional_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from veriloop.knowledge.parsing import unstructured_reader

    def missing(name: str) -> object:
        raise ModuleNotFoundError(name, name="unstructured")

    monkeypatch.setattr(unstructured_reader, "import_module", missing)
    path = tmp_path / "a.rtf"
    path.write_bytes(rb"{\rtf1\ansi Hello}")
    with pytest.raises(InputFileError, match=r"veriloop\[unstructured\]"):
        parse_file(path, options=ParseOptions(readers={".rtf": "unstructured"}))


def test_without_its_language_pipeline_the_optional_package_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from veriloop.knowledge.parsing import unstructured_reader

    def partition(**_: object) -> list[object]:
        raise AssertionError("the package must not be asked: it would download")

    monkeypatch.setattr(unstructured_reader, "_partitioner", lambda: partition)
    monkeypatch.setattr(unstructured_reader, "find_spec", lambda name: None)
    path = tmp_path / "a.rtf"
    path.write_bytes(rb"{\rtf1\ansi Hello}")
    with pytest.raises(InputFileError, match="en_core_web_sm"):
        parse_file(path, options=ParseOptions(readers={".rtf": "unstructured"}))


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_null_bytes_in_a_text_are_left_out(encoding: str, tmp_path: Path) -> None:
    content = "采购金额超过五万元的，应当公开招标，并在本单位网站公示。\n".encode(encoding) * 3
    (tmp_path / "a.txt").write_bytes(content[:40] + b"\x00\x00" + content[40:])
    assert "应当公开招标" in "".join(element.text for element in parse_file(tmp_path / "a.txt").elements)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.html", "a.json", "a.eml", "a.rtf"])
def test_a_text_of_300_megabytes_is_refused_without_being_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with path.open("wb") as stream:
        stream.write(b"{\\rtf1 " if name == "a.rtf" else b"some text, and more of it\n" * 3_000)
        stream.truncate(300_000_000)
    with pytest.raises(InputFileError, match="MB of text: split it"):
        parse_file(path)


def _office(path: Path, parts: dict[str, bytes]) -> Path:
    folder = {".docx": "word", ".xlsx": "xl", ".pptx": "ppt"}[path.suffix]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        for name, content in parts.items():
            archive.writestr(f"{folder}/{name}", content)
    return path


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx"])
def test_an_office_file_that_is_a_bomb_is_refused(suffix: str, tmp_path: Path) -> None:
    path = _office(tmp_path / f"a{suffix}", {"document.xml": b" " * 40_000_000})
    with pytest.raises(InputFileError, match="zip bomb"):
        parse_file(path)


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pptx"])
def test_an_office_file_that_declares_entities_is_refused(suffix: str, tmp_path: Path) -> None:
    lol = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
    with pytest.raises(InputFileError, match="declares entities"):
        parse_file(_office(tmp_path / f"a{suffix}", {"document.xml": lol}))


KINDS = {
    "tar": bytes(257) + b"ustar  ",
    "7z": b"7z\xbc\xaf\x27\x1c",
    "rar": b"Rar!\x1a\x07\x01",
    "gz": b"\x1f\x8b\x08",
    "bz2": b"BZh91AY",
    "xz": b"\xfd7zXZ\x00",
}


@pytest.mark.parametrize("kind", KINDS)
def test_other_archives_say_what_to_do(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{kind}"
    path.write_bytes(KINDS[kind] + bytes(300))
    with pytest.raises(InputFileError, match="is an archive"):
        parse_file(path)


@pytest.mark.parametrize("name", ["with blank.txt", "表 格😀.txt", "line\nbreak.txt", "a.docx", "no_suffix"])
def test_neither_name_nor_ending_matters(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("采购金额超过五万元的，应当公开招标。", encoding="utf-8")
    assert [element.text for element in parse_file(path).elements] == ["采购金额超过五万元的，应当公开招标。"]
