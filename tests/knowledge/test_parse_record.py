"""What is kept of how a document was read: as the library gives it back, to whom, and checked by a second reading."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document as WordDocument
from openpyxl import Workbook
from reportlab.pdfgen.canvas import Canvas
from support.documents import SECRET, filled, lexical_settings, write
from veriloop import Caller, Library, add_files
from veriloop.configs import Settings, load_settings
from veriloop.knowledge.elements import (
    Element,
    ElementKind,
    Furniture,
    FurnitureKind,
    ParsedDocument,
    ParseOptions,
)
from veriloop.knowledge.parse_record import ParseRecord, record_of
from veriloop.knowledge.reading import DirectReader
from veriloop.knowledge.second_reading import number_losses

OWNER = Caller.owner()


def here() -> Settings:
    """Settings that read files in this process."""
    return lexical_settings(parsing=load_settings().parsing.model_copy(update={"processes": 0}))


def test_a_library_keeps_how_each_document_was_read(tmp_path: Path) -> None:
    with filled(tmp_path, settings=here()) as library:
        contract = library.find_documents("contract.md", OWNER)[0]
        record = library.parse_record(contract.doc_id, OWNER)
    assert record is not None
    assert record.reader == "markdown"
    assert [(mark.level, mark.text) for mark in record.headings][:2] == [(1, "设备采购合同"), (2, "第一章 验收")]
    assert record.quality.score == 1.0


def test_how_a_hidden_document_was_read_is_told_to_nobody_who_may_not_read_it(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", here()) as library:
        add_files(library, [write(tmp_path / "documents", pay=SECRET)], readers=frozenset({"hr"}))
        doc_id = library.documents(OWNER)[0].document.doc_id
        assert library.parse_record(doc_id) is None
        assert library.parse_record(doc_id, Caller(readers=frozenset({"sales"}))) is None
        assert library.parse_record(doc_id, Caller(readers=frozenset({"hr"}))) is not None


def test_a_record_comes_back_from_json_as_it_was_and_one_of_another_form_as_unknown() -> None:
    parsed = ParsedDocument(
        media_type="application/pdf",
        elements=(Element(kind=ElementKind.HEADING, text="第一章 \ud800", level=1, page=2),),
        reader="pdf",
        furniture=(Furniture(kind=FurnitureKind.HEADER, text="员工手册", pages=(1, 2)),),
    )
    record = ParseRecord.from_json(record_of(parsed, 0.25).to_json())
    assert record is not None
    assert (record.reader, record.seconds, record.furniture) == ("pdf", 0.25, parsed.furniture)
    assert record.headings[0].text.startswith("第一章")
    assert ParseRecord.from_json('{"reader": "pdf", "of_tomorrow": 1}') is None


def test_page_numbers_are_kept_as_one_entry() -> None:
    numbers = tuple(
        Furniture(kind=FurnitureKind.PAGE_NUMBER, text=f"{page} / 500", pages=(page,)) for page in range(1, 501)
    )
    parsed = ParsedDocument(media_type="application/pdf", elements=(), furniture=numbers)
    kept = record_of(parsed, 0).furniture
    assert [(one.kind, one.text) for one in kept] == [(FurnitureKind.PAGE_NUMBER, "1 / 500 … 500 / 500")]


def pdf(path: Path, *pages: str) -> Path:
    canvas = Canvas(str(path))
    for page in pages:
        for row, line in enumerate(page.split("\n")):
            canvas.drawString(72, 760 - 20 * row, line)
        canvas.showPage()
    canvas.save()
    return path


FIGURES = "Revenue of the year 2023 was 4755 and 81494 in all.\nCosts were 3992 and 27955 at 119 places."


def read(path: Path, options: ParseOptions | None = None) -> ParsedDocument:
    return DirectReader().parse(path, path.name, options or ParseOptions())


def test_a_pdf_whose_text_is_all_there_has_lost_no_number(tmp_path: Path) -> None:
    parsed = read(pdf(tmp_path / "figures.pdf", FIGURES, FIGURES))
    assert [(loss.page, loss.counted, loss.lost) for loss in parsed.number_losses] == [(1, 6, 0), (2, 6, 0)]


def test_numbers_that_a_parse_lacks_are_counted_on_their_page(tmp_path: Path) -> None:
    path = pdf(tmp_path / "figures.pdf", FIGURES, FIGURES)
    parsed = read(path)
    cut = tuple(element for element in parsed.elements if element.page == 1)
    first, second = number_losses(path, parsed.model_copy(update={"elements": cut}), ParseOptions())
    assert (first.lost, second.lost) == (0, 6)
    assert {"2023", "3992"} <= set(second.examples)


def test_running_lines_that_are_left_out_on_purpose_are_not_lost(tmp_path: Path) -> None:
    bodies = ["Revenue was 4755.", "We sold 812 pumps in 14 towns.", "Costs fell by 37 percent.", "Staff: 2100 people."]
    pages = (f"Annual report 2023 of unit 4711\n\n{body}\n\n\n{page} / 40" for page, body in enumerate(bodies, 10))
    parsed = read(pdf(tmp_path / "report.pdf", *pages))
    assert "4711" in {number for one in parsed.furniture for number in one.text.split()}
    assert sum(loss.lost for loss in parsed.number_losses) == 0


@pytest.mark.parametrize("kind", ["docx", "xlsx"])
def test_office_files_are_compared_with_their_own_text(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"figures.{kind}"
    if kind == "docx":
        word = WordDocument()
        word.add_paragraph("Order 4711 of 1250 pieces at 99 EUR, 1,234,567 in all")
        word.save(str(path))
    else:
        book = Workbook()
        assert book.active is not None
        for row in (("name", "pieces"), ("screw", 4711), ("nut", 1250), ("bolt", 123456), ("ring", 999)):
            book.active.append(row)
        book.save(path)
    parsed = read(path)
    (whole,) = parsed.number_losses
    assert (whole.page, whole.lost) == (None, 0) and whole.counted == 4
    (emptied,) = number_losses(path, parsed.model_copy(update={"elements": ()}), ParseOptions())
    assert emptied.lost == 4


def test_a_file_that_does_not_open_a_second_time_gives_nothing(tmp_path: Path) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-1.4 broken")
    parsed = ParsedDocument(media_type="application/pdf", elements=())
    assert number_losses(path, parsed, ParseOptions()) == ()
