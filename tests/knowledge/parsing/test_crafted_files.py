"""Files made to cost time, memory or the whole run: each gives a document or one error, soon."""

from __future__ import annotations

import io
import shutil
import struct
import zipfile
from pathlib import Path

import pytest
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ParseOptions
from veriloop.knowledge.parsing import containers, parse_file
from veriloop.knowledge.text.sentences import split_sentences

_LZMA_HEAD = 9  # version, length and properties before the data


def _damaged_lzma(path: Path, name: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr(name, "Fifty thousand yuan and more. " * 20)
    content = bytearray(path.read_bytes())
    begin = 30 + len(name) + _LZMA_HEAD
    content[begin : begin + 20] = b"\xaa" * 20
    path.write_bytes(content)
    return path


def test_a_damaged_lzma_stream_where_a_container_says_what_it_is_is_one_error(tmp_path: Path) -> None:
    path = _damaged_lzma(tmp_path / "a.epub", "mimetype")
    assert not containers.is_container(path)
    with pytest.raises(InputFileError, match="is damaged"):
        parse_file(path)


def test_a_damaged_lzma_member_is_refused_by_itself(tmp_path: Path) -> None:
    path = _damaged_lzma(tmp_path / "a.zip", "a.txt")
    (tmp_path / "into").mkdir()
    (found,) = containers.members(path, "a.zip", tmp_path / "into", ParseOptions())
    assert isinstance(found, containers.RefusedMember)
    assert found.reason == "is damaged in the archive: pack it again"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("is_large", [False, True], ids=["plain", "zip64"])
def test_a_container_that_lists_a_million_files_is_refused_before_the_list_is_read(
    is_large: bool, tmp_path: Path
) -> None:
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", 20, 0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    count = 1_000_000
    size = count * len(entry)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF if is_large else size, 4, 0)
    large = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, 4)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, 4 + size, 1)
    path = tmp_path / "a.zip"
    path.write_bytes(b"PK\x03\x04" + entry * count + (large + locator if is_large else b"") + end)
    assert not containers.is_container(path)
    with pytest.raises(InputFileError, match="lists far more files than are read"):
        parse_file(path)


@pytest.mark.timeout(60)
def test_thousands_of_comments_before_a_page_take_no_time(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("<!----> " * 5_000 + "<p>The deadline is 15 days.</p>", encoding="utf-8")
    assert parse_file(path).elements
    path.write_text("<!-- a --> " * 5_000 + "<html><p>The deadline is 15 days.</p></html>", encoding="utf-8")
    assert [element.text for element in parse_file(path).elements] == ["The deadline is 15 days."]


@pytest.mark.timeout(60)
def test_entries_of_a_long_ordered_list_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    entries = "<li>step of a list</li>" * 6_000
    path.write_text(f"<html><body><ol start=3>{entries}</ol></body></html>", encoding="utf-8")
    elements = parse_file(path).elements
    assert [elements[0].text, elements[-1].text] == ["3. step of a list", "6002. step of a list"]


@pytest.mark.timeout(60)
def test_tables_a_hundred_deep_inside_each_other_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    opened = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>" * 100
    path.write_text(f"<html><body>{opened}the innermost", encoding="utf-8")
    assert "the innermost" in parse_file(path).elements[-1].text


def test_what_a_page_hides_inside_an_element_stays_out_of_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    hidden = '<span style="display: none">secret <b>more</b></span>'
    path.write_text(f"<html><body><p>shown {hidden}and <i>this</i></p></body></html>", encoding="utf-8")
    assert [element.text for element in parse_file(path).elements] == ["shown and this"]


def test_digits_that_are_no_numbers_spoil_one_cell_and_not_the_workbook(tmp_path: Path) -> None:
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {
        "[Content_Types].xml": "<Types/>",
        "xl/workbook.xml": f'<workbook xmlns:r="{relation}"><sheets><sheet name="s" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/>'
        "</Relationships>",
        "xl/s.xml": '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        '<cols><col min="²" max="³" hidden="1"/></cols><sheetData><row r="1">'
        '<c r="A1" t="s"><v>²</v></c><c r="B1" s="²"><v>1250</v></c></row></sheetData></worksheet>',
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    path = tmp_path / "a.xlsx"
    path.write_bytes(buffer.getvalue())
    assert "1250" in "".join(element.text for element in parse_file(path).elements)


def test_a_member_for_which_the_disk_has_no_room_is_refused_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("large.txt", "".join(f"line {number}\n" for number in range(800_000)))
        archive.writestr("small.txt", "The deadline is 15 days.")
    (tmp_path / "into").mkdir()
    usage = shutil.disk_usage(tmp_path)._replace(free=50_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    large, small = containers.members(path, "a.zip", tmp_path / "into", ParseOptions())
    assert isinstance(large, containers.RefusedMember)
    assert "make room" in large.reason
    assert isinstance(small, containers.Member)


@pytest.mark.parametrize("text", ["a,b\n" + "x" * 200_000 + ",1250\n", ",".join(map(str, range(40_000))) + "\n1250\n"])
def test_a_long_field_or_row_does_not_spoil_a_table(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    assert "1250" in "".join(element.text for element in parse_file(path).elements)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", ["![](", "A. ", "1. "])
def test_sentences_of_a_line_of_a_hundred_thousand_marks_are_found_in_no_time(unit: str) -> None:
    text = unit * 100_000
    assert split_sentences(text)[-1].end == len(text.rstrip())
