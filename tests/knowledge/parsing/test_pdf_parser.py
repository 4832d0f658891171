"""PDF files: running heads, paragraphs, headings, tables over pages, columns, encryption, pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.lib.colors import black
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind, ParsedDocument, ParseOptions
from veriloop.knowledge.parsing import parse_file

_CHINESE = "STSong-Light"
pdfmetrics.registerFont(UnicodeCIDFont(_CHINESE))
_SENTENCE = "The supplier shall deliver the goods within ten days after the order and shall bear"
_WIDTH, _HEIGHT = A4


def _canvas(path: Path, **options: object) -> Canvas:
    return Canvas(str(path), pagesize=A4, **options)


def _write(canvas: Canvas, lines: list[str], top: float = 100, left: float = 72, size: float = 11) -> None:
    for index, text in enumerate(lines):
        font = _CHINESE if any(ord(character) > 0x2E80 for character in text) else "Helvetica"
        canvas.setFont(font, size)
        canvas.drawString(left, _HEIGHT - top - index * size * 1.5, text)


def _draw_table(canvas: Canvas, rows: list[list[str]], top: float) -> None:
    style = [("GRID", (0, 0), (-1, -1), 0.5, black), ("FONT", (0, 0), (-1, -1), _CHINESE, 10)]
    table = Table(rows, colWidths=[110] * len(rows[0]), rowHeights=[20] * len(rows), style=style)
    table.wrapOn(canvas, _WIDTH, _HEIGHT)
    table.drawOn(canvas, 72, _HEIGHT - top - 20 * len(rows))


def _texts(document: ParsedDocument, kind: ElementKind | None = None) -> list[str]:
    return [element.text for element in document.elements if kind is None or element.kind is kind]


def test_running_heads_and_page_numbers_are_dropped(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path / "a.pdf")
    for page, words in enumerate(["alpha", "beta", "gamma", "delta"], 1):
        _write(canvas, ["某某公司员工手册"], top=30, size=9)
        _write(canvas, [f"The chapter about {words} has its own words here."], top=200)
        _write(canvas, [f"- {page} -"], top=810, size=9)
        canvas.showPage()
    canvas.save()
    parsed = parse_file(tmp_path / "a.pdf")
    assert parsed.pages == 4
    assert [element.page for element in parsed.elements] == [1, 2, 3, 4]
    assert not any("手册" in text or "- 1 -" in text for text in _texts(parsed))


def test_lines_are_joined_to_paragraphs_in_both_languages(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path / "a.pdf")
    chinese = ["第一条 供应商应当在收到订单之日起十日内将货物送达采购方指定的地点，并承担运输", "途中的一切风险。"]
    _write(canvas, chinese, top=100)
    _write(canvas, [_SENTENCE, "the risk of trans-", "portation until the goods have arrived."], top=200)
    canvas.save()
    joined = "\n".join(_texts(parse_file(tmp_path / "a.pdf")))
    assert "并承担运输途中的一切风险。" in joined
    assert "and shall bear the risk of" in joined


def test_larger_type_makes_headings_and_labels_order_them(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path / "a.pdf")
    _write(canvas, ["采购管理办法"], top=80, size=20)
    _write(canvas, ["第一章 总则"], top=130, size=15)
    _write(canvas, ["第一节 目的"], top=170, size=15)
    body = [f"第{number}条 本办法所称采购，是指以合同方式有偿取得货物、工程和服务的行为。" for number in "一二三四"]
    _write(canvas, body, top=220)
    canvas.save()
    parsed = parse_file(tmp_path / "a.pdf")
    headings = [(element.text, element.level) for element in parsed.elements if element.level]
    assert parsed.title == "采购管理办法"
    assert headings == [("采购管理办法", 1), ("第一章 总则", 2), ("第一节 目的", 3)]
    assert len(_texts(parsed, ElementKind.PARAGRAPH)) == 4


def test_a_table_stands_whole_between_the_text_around_it(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path / "a.pdf")
    _write(canvas, ["The limits per night are as follows in this table."], top=100)
    _draw_table(canvas, [["城市", "限额"], ["北京", "500"], ["上海", "450"]], top=130)
    _write(canvas, ["Breakfast is included in every one of these limits."], top=240)
    canvas.save()
    parsed = parse_file(tmp_path / "a.pdf")
    assert [element.kind for element in parsed.elements] == [
        ElementKind.PARAGRAPH, ElementKind.TABLE, ElementKind.PARAGRAPH,
    ]  # fmt: skip
    assert parsed.elements[1].text == "| 城市 | 限额 |\n| --- | --- |\n| 北京 | 500 |\n| 上海 | 450 |"


@pytest.mark.parametrize("repeated", [True, False])
def test_a_table_over_a_page_break_is_joined(tmp_path: Path, repeated: bool) -> None:
    header = ["编号", "名称", "Price"]
    canvas = _canvas(tmp_path / "a.pdf")
    _draw_table(canvas, [header, *([str(row), f"物料{row}", f"{row}0"] for row in range(1, 4))], top=700)
    canvas.showPage()
    _draw_table(canvas, [*([header] if repeated else []), ["4", "物料4", "40"], ["5", "物料5", "50"]], top=60)
    canvas.save()
    elements = parse_file(tmp_path / "a.pdf").elements
    assert len(elements) == 1
    assert (elements[0].page, elements[0].last_page) == (1, 2)
    assert len(elements[0].text.splitlines()) == 7


def test_cells_aligned_without_rules_are_a_table(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path / "a.pdf")
    rows = [("Product", "Stock", "Status"), ("SKU-1", "450", "OK"), ("SKU-2", "289", "LOW"), ("SKU-3", "780", "OK")]
    for index, row in enumerate(rows):
        for column, text in enumerate(row):
            _write(canvas, [text], top=100 + index * 16, left=72 + column * 130)
    canvas.save()
    assert parse_file(tmp_path / "a.pdf").elements[0].text.splitlines()[2] == "| SKU-1 | 450 | OK |"


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path / "a.pdf")
    words = "words of running text that fill the whole column"
    _write(canvas, [f"left{row:02d} {words}" for row in range(14)], top=120, left=50, size=9)
    _write(canvas, [f"right{row:02d} {words}" for row in range(14)], top=120, left=310, size=9)
    canvas.save()
    text = " ".join(_texts(parse_file(tmp_path / "a.pdf")))
    assert text.index("left13") < text.index("right00")


def test_an_encrypted_file_is_named_as_such_and_an_empty_password_opens(tmp_path: Path) -> None:
    for name, password in (("locked.pdf", "secret"), ("open.pdf", "")):
        canvas = _canvas(tmp_path / name, encrypt=StandardEncryption(password, ownerPassword="owner"))
        _write(canvas, ["The text of a protected file is here."])
        canvas.save()
    with pytest.raises(InputFileError, match="is encrypted: give its password with --password"):
        parse_file(tmp_path / "locked.pdf")
    assert _texts(parse_file(tmp_path / "open.pdf")) == ["The text of a protected file is here."]


def test_pages_with_pictures_only_are_reported_as_unread(tmp_path: Path) -> None:
    from PIL import Image

    picture = tmp_path / "scan.png"
    Image.new("RGB", (60, 80), "white").save(picture)
    canvas = _canvas(tmp_path / "a.pdf")
    _write(canvas, ["Only the first page of this file has text."])
    canvas.showPage()
    canvas.drawImage(str(picture), 0, 0, _WIDTH, _HEIGHT)
    canvas.save()
    assert parse_file(tmp_path / "a.pdf", options=ParseOptions(ocr=False)).unread_pages == (2,)


def test_a_file_of_pictures_only_says_so(tmp_path: Path) -> None:
    from PIL import Image

    picture = tmp_path / "scan.png"
    Image.new("RGB", (60, 80), "white").save(picture)
    canvas = _canvas(tmp_path / "a.pdf")
    canvas.drawImage(str(picture), 0, 0, _WIDTH, _HEIGHT)
    canvas.save()
    with pytest.raises(InputFileError, match="nothing to index: 1 page"):
        parse_file(tmp_path / "a.pdf", options=ParseOptions(ocr=False))


def test_a_damaged_file_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nthis is no document at all")
    with pytest.raises(InputFileError, match="is damaged"):
        parse_file(tmp_path / "a.pdf")
