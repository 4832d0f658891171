"""EPUB, OpenDocument and RTF."""

# ruff: noqa: E501  # markup is easier to read in one piece

from __future__ import annotations

import zipfile
from datetime import date
from pathlib import Path

import pytest
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind, ParsedDocument, ParseNoteKind, ParseOptions
from veriloop.knowledge.parsing import parse_file

ZH = "甲方应当自收到验收申请之日起10个工作日内组织验收。"
EN = "Employees may spend at most 120 EUR per night on a hotel."
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = " ".join(
    f'xmlns:{name}="{_OFFICE}{path}:1.0"'
    for name, path in [
        ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing"),
        ("presentation", "presentation"), ("meta", "meta"),
    ]
)  # fmt: skip


def pack(path: Path, kind: str, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", kind)
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def opendocument(path: Path, body: str, styles: str = "", meta: str = "") -> ParsedDocument:
    kind = {".odt": "text", ".ods": "spreadsheet", ".odp": "presentation"}[path.suffix]
    content = (
        f"<office:document-content {_SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    files = {"content.xml": content, "meta.xml": f"<office:document-meta {_SPACES}>{meta}</office:document-meta>"}
    return parse_file(pack(path, f"application/vnd.oasis.opendocument.{kind}", files))


def shown(document: ParsedDocument) -> list[tuple[str, int | None, str]]:
    return [(element.kind.value, element.level, element.text) for element in document.elements]


def test_an_opendocument_text_keeps_headings_numbers_notes_and_tables(tmp_path: Path) -> None:
    style = (
        '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="一, 二, 三, ..." '
        'style:num-prefix="（" style:num-suffix="）"/><text:list-level-style-number text:level="2" style:num-format="a" '
        'style:num-suffix=")"/></text:list-style>'
    )
    body = (
        '<text:h text:outline-level="2">验收</text:h>'
        f"<text:p>{ZH}<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>见附件</text:p>"
        "</text:note-body></text:note></text:p><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        '<text:list text:style-name="L"><text:list-item><text:p>清单</text:p><text:list><text:list-item><text:p>A<text:s text:c="2"/>B'
        "</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>报告</text:p></text:list-item></text:list>"
        '<table:table><table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>等级</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-spanned="2"><text:p>限额</text:p></table:table-cell><table:covered-table-cell/></table:table-row>'
        "<table:table-row><table:covered-table-cell/><table:table-cell><text:p>住宿</text:p></table:table-cell>"
        "<table:table-cell><text:p>餐饮</text:p></table:table-cell></table:table-row>"
        '<table:table-row><table:table-cell><text:p>甲</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2">'
        "<text:p>100</text:p></table:table-cell></table:table-row></table:table>"
    )
    meta = "<office:meta><meta:initial-creator>李伟</meta:initial-creator></office:meta>"
    document = opendocument(tmp_path / "a.odt", body, style, meta)
    assert shown(document)[:5] == [
        ("heading", 2, "验收"),
        ("paragraph", None, f"{ZH} (见附件)"),
        ("list_item", None, "（一） 清单"),
        ("list_item", None, "a) A B"),
        ("list_item", None, "（二） 报告"),
    ]
    assert document.elements[5].text.splitlines()[0::2] == ["| 等级 | 限额 | 限额 |", "| 等级 | 住宿 | 餐饮 |"]
    assert document.elements[5].text.splitlines()[3] == "| 甲 | 100 | 100 |"
    assert document.properties.author == "李伟"


def test_an_opendocument_sheet_names_its_sheets_and_marks_hidden_ones(tmp_path: Path) -> None:
    style = (
        '<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>'
    )
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = "<table:table-row>" + cell * 2 + "</table:table-row>"
    empty = '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
    body = (
        f'<table:table table:name="价格">{row.format("型号", "单价")}{row.format("HN-1", "120")}{empty}</table:table>'
        f'<table:table table:name="旧价" table:style-name="h">{row.format("型号", "单价")}{row.format("HN-1", "90")}</table:table>'
    )
    document = opendocument(tmp_path / "a.ods", body, style)
    assert [(text, element.page) for element in document.elements for text in element.text.splitlines()[:1]] == [
        ("价格", 1), ("| 型号 | 单价 |", 1), ("旧价", 2), ("| 型号 | 单价 |", 2),
    ]  # fmt: skip
    assert [(note.kind, note.detail) for note in document.notes] == [(ParseNoteKind.HIDDEN, "旧价")]


def test_opendocument_slides_have_titles_and_numbers(tmp_path: Path) -> None:
    slide = (
        '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>'
        "<draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame></draw:page>"
    )
    document = opendocument(tmp_path / "a.odp", slide.format("概况", ZH) + slide.format("Costs", EN))
    assert [(element.text, element.page) for element in document.elements] == [
        ("概况", 1), (ZH, 1), ("Costs", 2), (EN, 2),
    ]  # fmt: skip
    assert document.pages == 2


def test_entities_in_an_opendocument_file_are_not_resolved(tmp_path: Path) -> None:
    content = (
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        f"<office:document-content {_SPACES}><office:body><office:text><text:p>plain &b; &f;</text:p></office:text>"
        "</office:body></office:document-content>"
    )
    path = pack(tmp_path / "a.odt", "application/vnd.oasis.opendocument.text", {"content.xml": content})
    text = "".join(element.text for element in parse_file(path).elements)
    assert "plain" in text
    assert "root:" not in text and "aaaa" not in text


def book(path: Path, extra: dict[str, str] | None = None) -> Path:
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
        '<rootfile full-path="OPS/a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>员工手册</dc:title><dc:creator>人力资源部</dc:creator><dc:date>2026-01-15</dc:date></metadata><manifest>"
        '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="b" href="text/b%20c.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/><itemref idref="gone"/></spine></package>'
    )
    page = '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><body><h1>{}</h1><p>{}</p></body></html>'
    files = {
        "META-INF/container.xml": container, "OPS/a.opf": package, "OPS/nav.xhtml": page.format("目录", "x"),
        "OPS/a.xhtml": page.format("Hotels", EN), "OPS/text/b c.xhtml": page.format("验收", ZH),
    }  # fmt: skip
    return pack(path, "application/epub+zip", {**files, **(extra or {})})


def test_a_book_is_read_chapter_by_chapter_in_its_own_order(tmp_path: Path) -> None:
    document = parse_file(book(tmp_path / "a.epub"))
    assert [element.text for element in document.elements] == ["验收", ZH, "Hotels", EN]
    assert (document.title, document.published_at, document.properties.author) == (
        "员工手册", date(2026, 1, 15), "人力资源部",
    )  # fmt: skip


def test_a_book_that_is_protected_against_copying_says_so(tmp_path: Path) -> None:
    locked = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">'
        '<enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></enc:EncryptedData></encryption>'
    )
    with pytest.raises(InputFileError, match="DRM"):
        parse_file(book(tmp_path / "a.epub", {"META-INF/encryption.xml": locked}))


def rtf(body: str, head: str = r"\ansi\ansicpg936\deff0{\fonttbl{\f0\fcharset134 SimSun;}}") -> bytes:
    return rf"{{\rtf1{head} {body}}}".encode("ascii")


def coded(text: str, encoding: str) -> str:
    """As Word writes it: bytes above 127 as codes, a second byte that is a letter as that letter."""
    return "".join(
        f"\\'{byte:02x}" if byte > 127 or chr(byte) in "\\{}" else chr(byte) for byte in text.encode(encoding)
    )


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("gbk", "采购管理办法第一条丂"), ("big5", "員工請假辦法，功能許可"), ("cp932", "能力表示ソース")],
)
def test_rtf_is_read_in_its_code_page(encoding: str, text: str, tmp_path: Path) -> None:
    page, charset = {"gbk": (936, 134), "big5": (950, 136), "cp932": (932, 128)}[encoding]
    head = rf"\ansi\ansicpg{page}\deff0{{\fonttbl{{\f0\fcharset{charset} X;}}}}"
    path = tmp_path / "a.rtf"
    path.write_bytes(rtf(rf"\f0 {coded(text, encoding)}\par {EN}\par", head))
    assert [element.text for element in parse_file(path).elements] == [text, EN]


def test_rtf_tables_keep_their_cells_and_joined_ones_are_repeated(tmp_path: Path) -> None:
    rows = (
        r"\trowd\cellx1000\clmgf\cellx2000\clmrg\cellx3000 Grade\cell Limit\cell \cell\row"
        r"\trowd\clvmgf\cellx1000\cellx2000\cellx3000 A\cell Hotel\par or flat\cell 500\cell\row"
        r"\trowd\clvmrg\cellx1000\cellx2000\cellx3000 \cell Meals\cell 100\cell\row"
    )
    path = tmp_path / "a.rtf"
    path.write_bytes(rtf(rf"before\par {rows}\pard after\par"))
    document = parse_file(path)
    assert [element.kind for element in document.elements] == [
        ElementKind.PARAGRAPH, ElementKind.TABLE, ElementKind.PARAGRAPH,
    ]  # fmt: skip
    assert document.elements[1].text.splitlines() == [
        "| Grade | Limit | Limit |", "| --- | --- | --- |", "| A | Hotel<br>or flat | 500 |", "| A | Meals | 100 |",
    ]  # fmt: skip


@pytest.mark.parametrize("cut", range(0, 200, 7))
def test_an_rtf_that_is_cut_short_gives_a_document_or_one_clear_error(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    content = rtf(rf"\f0 {coded('采购管理办法第一条', 'gbk')}\par \trowd\cellx1 a\cell\row {EN}\par")
    path.write_bytes(content[: max(len(content) - cut, 12)])
    try:
        assert all(element.text for element in parse_file(path, options=ParseOptions()).elements)
    except InputFileError as error:
        assert "\n" not in error.reason
