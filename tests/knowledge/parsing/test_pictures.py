"""Text in pictures, alone and inside other files."""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

import docx
import pptx
import pytest
import veriloop
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from support.pdf_pages import canvas_at, write
from veriloop.errors import InputFileError, MissingExtraError
from veriloop.knowledge.elements import Doubt, ElementKind, ParseNoteKind, ParseOptions
from veriloop.knowledge.parsing import ocr, parse_file, recognised
from veriloop.knowledge.parsing.ocr import RecognisedLine

DATA = Path(os.environ.get("VERILOOP_DATA", Path(veriloop.__file__).parent.parent / "shared" / "data"))
SCANNED = DATA / "hostile" / "scanned"
needs_ocr = pytest.mark.skipif(not ocr.available(), reason="needs the extra `ocr`: pip install -e '.[ocr]'")
TEXT = ["Every supplier shall deliver the goods", "within 30 working days of the order.", "Penalty: 5 percent."]


def drawn(lines: Sequence[str] = TEXT, size: tuple[int, int] = (660, 240)) -> Image.Image:
    picture = Image.new("RGB", size, "white")
    font = ImageFont.load_default(32)
    for number, line in enumerate(lines):
        ImageDraw.Draw(picture).text((30, 30 + 60 * number), line, fill="black", font=font)
    return picture


def as_png(picture: Image.Image) -> io.BytesIO:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    buffer.seek(0)
    return buffer


@needs_ocr
@pytest.mark.extras
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_page_is_read_whichever_way_it_lies(degrees: int) -> None:
    lines = ocr.read_picture(drawn().rotate(degrees, expand=True))
    assert [line.text.replace(" ", "") for line in lines] == [line.replace(" ", "") for line in TEXT]
    assert all(line.score > 0.8 and line.left < line.right and line.top < line.bottom for line in lines)


@needs_ocr
@pytest.mark.extras
@pytest.mark.parametrize("ending", ["jpg", "gif", "bmp", "webp"])
def test_pictures_of_every_kind_are_read_and_marked_as_recognised(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{ending}"
    drawn(TEXT[2:], (420, 100)).save(path)
    document = parse_file(path)
    assert document.reader == "ocr"
    assert [(element.doubt, element.page) for element in document.elements] == [(Doubt.RECOGNISED, 1)]
    assert "Penalty" in document.elements[0].text


@needs_ocr
@pytest.mark.extras
def test_every_page_of_a_tiff_is_read_and_empty_ones_are_named(tmp_path: Path) -> None:
    pages = [drawn([text], (420, 100)) for text in ("", "Second page")]
    pages[0].save(tmp_path / "a.tiff", save_all=True, append_images=pages[1:])
    document = parse_file(tmp_path / "a.tiff")
    assert [(element.text, element.page) for element in document.elements] == [("Second page", 2)]
    assert (document.pages, document.unread_pages) == (2, (1,))


@needs_ocr
@pytest.mark.extras
def test_a_picture_without_text_has_nothing_to_index(tmp_path: Path) -> None:
    Image.new("RGB", (200, 200), "white").save(tmp_path / "a.png")
    with pytest.raises(InputFileError, match="nothing to index"):
        parse_file(tmp_path / "a.png")


def word(path: Path, *, text: str = "") -> Path:
    made = docx.Document()
    if text:
        made.add_paragraph(text)
    made.add_picture(as_png(drawn()))
    made.save(str(path))
    return path


def slides(path: Path) -> Path:
    made = pptx.Presentation()
    for text in ("Delivery", ""):
        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text = text
        if not text:
            slide.shapes.add_picture(as_png(drawn()), 0, 0)
    made.slides.add_slide(made.slide_layouts[5]).shapes.title.text = "End"
    made.save(str(path))
    return path


def pdf(path: Path, pictures: int) -> Path:
    """A page of text, then pages that are pictures."""
    canvas = canvas_at(path)
    write(canvas, ["The report on deliveries has a page of text."])
    canvas.showPage()
    for _ in range(pictures):
        canvas.drawImage(ImageReader(drawn()), 72, 500, 330, 120)
        canvas.showPage()
    canvas.save()
    return path


@needs_ocr
@pytest.mark.extras
def test_when_time_for_recognition_runs_out_what_was_read_is_kept_and_the_rest_named(tmp_path: Path) -> None:
    document = parse_file(pdf(tmp_path / "a.pdf", 2), options=ParseOptions(ocr_seconds=1e-9))
    assert [element.page for element in document.elements] == [1]
    assert document.unread_pages == (2, 3)
    assert [note.kind for note in document.notes] == [ParseNoteKind.CUT_SHORT]
    assert "parsing.ocr_seconds" in document.notes[0].detail


@needs_ocr
@pytest.mark.extras
def test_pictures_of_a_word_file_that_no_time_is_left_for_are_named(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", text="See the scan below.")
    document = parse_file(path, options=ParseOptions(ocr_seconds=1e-9))
    assert [element.text for element in document.elements] == ["See the scan below."]
    assert "parsing.ocr_seconds" in document.notes[0].detail


@needs_ocr
@pytest.mark.extras
def test_large_writing_low_on_a_recognised_page_is_no_title(tmp_path: Path) -> None:
    picture = drawn(["Notes on the delivery of goods", "in the month of May, page one", "and on what was missing."])
    ImageDraw.Draw(picture).text((60, 190), "J. Smith", fill="black", font=ImageFont.load_default(46))
    canvas = canvas_at(tmp_path / "a.pdf")
    canvas.drawImage(ImageReader(picture), 72, 500, 440, 160)
    canvas.save()
    document = parse_file(tmp_path / "a.pdf")
    assert document.elements and document.title != "J. Smith"


def manual(path: Path, chapters: Sequence[str], pages: int = 2) -> Path:
    """A title page that is a picture, with large writing and a labelled line, and pages with a chapter each."""
    picture = drawn(["Remote control of the arm", "1.1 Wiring diagram", "set up and run"], (660, 300))
    ImageDraw.Draw(picture).text((40, 210), "ROTATION MODE", fill="black", font=ImageFont.load_default(52))
    canvas = canvas_at(path)
    canvas.drawImage(ImageReader(picture), 72, 500, 440, 200)
    canvas.showPage()
    for chapter, text in list(zip(chapters[::2], chapters[1::2], strict=True))[:pages]:
        write(canvas, [chapter], size=18, bold=True)
        write(canvas, [text] * 6, top=140)
        canvas.showPage()
    canvas.save()
    return path


@needs_ocr
@pytest.mark.extras
@pytest.mark.parametrize(
    "chapters",
    [
        (
            "端口说明",
            "机器人通过端口接收指令，并在执行后返回结果。",
            "消息格式",
            "每条指令由名称和参数组成，以换行结束。",
        ),
        ("Ports", "The arm takes commands at a port and answers.", "Messages", "Each command has a name and values."),
    ],
)
def test_large_writing_in_a_picture_is_no_heading_where_other_pages_have_text(
    chapters: Sequence[str], tmp_path: Path
) -> None:
    document = parse_file(manual(tmp_path / "a.pdf", chapters))
    seen = [element for element in document.elements if element.page == 1]
    assert any("ROTATION" in element.text for element in seen)
    assert {element.doubt for element in seen} == {Doubt.RECOGNISED}
    assert all(e.text.startswith("1.1 Wiring") for e in seen if e.kind is ElementKind.HEADING)
    assert {e.text for e in document.elements if e.kind is ElementKind.HEADING} >= set(chapters[::2])
    assert document.title is None


@needs_ocr
@pytest.mark.extras
def test_a_document_that_is_pictures_throughout_keeps_its_headings(tmp_path: Path) -> None:
    document = parse_file(manual(tmp_path / "a.pdf", (), pages=0))
    assert any(e.kind is ElementKind.HEADING and "ROTATION" in e.text for e in document.elements)


@needs_ocr
@pytest.mark.extras
@pytest.mark.parametrize("text", ["", "See the scan below."])
def test_the_pictures_of_a_word_file_are_read_too(text: str, tmp_path: Path) -> None:
    document = parse_file(word(tmp_path / "a.docx", text=text))
    assert "within 30 working days" in " ".join(element.text for element in document.elements)
    assert document.elements[-1].doubt is Doubt.RECOGNISED
    assert (document.elements[0].text == text) is bool(text)


@needs_ocr
@pytest.mark.extras
def test_the_pictures_of_slides_stand_on_their_slides(tmp_path: Path) -> None:
    document = parse_file(slides(tmp_path / "a.pptx"))
    pages = [element.page for element in document.elements]
    assert pages == sorted(page or 0 for page in pages)
    assert {element.page for element in document.elements if element.doubt is Doubt.RECOGNISED} == {2}
    assert document.unread_pages == ()


def test_without_recognition_the_pictures_are_named_as_unread(tmp_path: Path) -> None:
    off = ParseOptions(ocr=False)
    document = parse_file(word(tmp_path / "a.docx", text="See the scan below."), options=off)
    assert [note.kind for note in document.notes] == [ParseNoteKind.UNREAD]
    with pytest.raises(InputFileError, match="nothing to index: it holds only pictures"):
        parse_file(word(tmp_path / "b.docx"), options=off)


def test_without_the_extra_a_picture_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "find_spec", lambda name: None)
    drawn().save(tmp_path / "a.png")
    with pytest.raises(InputFileError, match=r"pip install 'veriloop\[ocr\]'") as refused:
        parse_file(tmp_path / "a.png")
    assert isinstance(refused.value.__cause__, MissingExtraError)


def _huge_png() -> bytes:
    """A few bytes that claim to be 100,000 by 100,000 pixels."""
    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 0, 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("content", [_huge_png(), as_png(drawn()).getvalue()[:900], b"\x89PNG\r\n\x1a\n" + bytes(64)])
def test_a_picture_that_is_huge_or_damaged_gives_one_clear_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(content)
    with pytest.raises(InputFileError) as refused:
        parse_file(path)
    assert "pixels" in refused.value.reason or "damaged" in refused.value.reason


def line(text: str, left: float, top: float, width: float | None = None) -> RecognisedLine:
    return RecognisedLine(text, left, top, left + (width or 10 * len(text)), top + 20, 0.99)


def test_columns_are_read_one_after_the_other_between_lines_across_them() -> None:
    left = [line(f"left column number {n} of the page", 0, 60 + 30 * n, 380) for n in range(4)]
    right = [line(f"right column number {n} of the page", 420, 71 + 30 * n, 380) for n in range(4)]
    title, foot = line("A title across both columns of it", 200, 10, 400), line("7 of 12", 380, 300, 60)
    order = [part.text for part in recognised.parts_of([*right, foot, *left, title])]
    text = " ".join(order)
    places = [
        text.index(words)
        for words in ("A title", "left column number 0", "left column number 3", "right column number 0", "7 of 12")
    ]
    assert places == sorted(places)


def test_aligned_short_cells_are_a_table_and_not_columns() -> None:
    rows = [("Grade", "Hotel", "Meals"), ("A", "500", "100"), ("B", "400", "80")]
    cells = [line(text, 200 * place, 40 * row) for row, texts in enumerate(rows) for place, text in enumerate(texts)]
    (part,) = recognised.parts_of(cells)
    assert part.kind is ElementKind.TABLE
    assert part.text.splitlines() == [
        "| Grade | Hotel | Meals |",
        "| --- | --- | --- |",
        "| A | 500 | 100 |",
        "| B | 400 | 80 |",
    ]


def test_full_lines_are_joined_and_labels_begin_anew() -> None:
    lines = [
        line("第一条 供应商应当在签订合同后的三十日之", 0, 0, 400), line("内交货。", 0, 30, 80),
        line("第二条 逾期交货的，应当支付违约金。", 0, 60, 360),
    ]  # fmt: skip
    assert [part.text for part in recognised.parts_of(lines)] == [
        "第一条 供应商应当在签订合同后的三十日之内交货。", "第二条 逾期交货的，应当支付违约金。",
    ]  # fmt: skip


@needs_ocr
@pytest.mark.extras
@pytest.mark.skipif(not SCANNED.is_dir(), reason="the folder 'hostile' of VERILOOP_DATA is not on this machine")
@pytest.mark.parametrize("name", ["zh_ocr_test.jpg", "zh_ocr_test.docx", "zh_ocr_test.pptx"])
def test_chinese_in_pictures_is_recognised_across_and_downwards(name: str) -> None:
    texts = {element.text for element in parse_file(SCANNED / name).elements}
    assert {"横向文本框", "竖向文本框", "English text"} <= texts
