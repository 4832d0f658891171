"""Passwords, bounds, properties and pictures of PDF files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.lib.pdfencrypt import StandardEncryption
from support.pdf_pages import BODY, HEIGHT, WIDTH, canvas_at, read, texts, write
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import Doubt, ParseNoteKind
from veriloop.knowledge.parsing import pdf_reading
from veriloop.knowledge.parsing.pdf_properties import moment_of


def _locked(path: Path, password: str) -> Path:
    canvas = canvas_at(path, encrypt=StandardEncryption(password, ownerPassword="owner", canCopy=0))
    write(canvas, [BODY])
    canvas.save()
    return path


def test_the_passwords_given_are_tried_in_turn(tmp_path: Path) -> None:
    path = _locked(tmp_path / "a.pdf", "secret")
    assert texts(read(path, passwords=["wrong", "secret"])) == [BODY]
    assert texts(read(path, passwords=["owner"])) == [BODY]


def test_a_merely_copy_protected_file_opens_without_a_password(tmp_path: Path) -> None:
    assert texts(read(_locked(tmp_path / "a.pdf", ""))) == [BODY]


def test_a_locked_file_says_what_to_do_and_never_the_password(tmp_path: Path) -> None:
    path = _locked(tmp_path / "a.pdf", "secret")
    with pytest.raises(InputFileError, match="give its password with --password"):
        read(path)
    with pytest.raises(InputFileError, match="does not open it") as caught:
        read(path, passwords=["hunter2"])
    assert "hunter2" not in str(caught.value)


def test_pages_beyond_the_bound_are_named_in_a_note(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for word in ("alpha", "beta", "gamma", "delta"):
        write(canvas, [f"This page tells about {word} in one line."])
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf", most_pages=2)
    assert [element.page for element in parsed.elements] == [1, 2]
    assert parsed.pages == 4
    assert [(note.kind, note.detail[:12]) for note in parsed.notes] == [(ParseNoteKind.CUT_SHORT, "2 of 4 pages")]


def test_the_properties_of_the_file_are_kept(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    canvas.setTitle("差旅管理办法")
    canvas.setAuthor("财务部")
    canvas.setKeywords("travel, 差旅；报销")
    write(canvas, [BODY])
    canvas.save()
    properties = read(tmp_path / "a.pdf").properties
    assert (properties.title, properties.author) == ("差旅管理办法", "财务部")
    assert properties.keywords == ("travel", "差旅", "报销")
    assert properties.created is not None


def test_a_point_in_time_is_read_with_its_zone() -> None:
    moment = moment_of("D:20240131120000+08'00'")
    assert moment is not None
    assert moment.astimezone(UTC) == datetime(2024, 1, 31, 4, tzinfo=UTC)


@given(st.text(max_size=30) | st.from_regex(r"D:\d{4,14}[+\-Z]\d{2}'\d{2}'?", fullmatch=True))
def test_any_text_is_a_point_in_time_or_none(text: str) -> None:
    moment = moment_of(text)
    assert moment is None or 1 <= moment.year <= 9999


@pytest.mark.slow
@pytest.mark.extras
def test_a_page_that_is_a_picture_is_recognised_and_marked(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr", reason="pip install 'veriloop[ocr]'")
    pytest.importorskip("onnxruntime", reason="pip install 'veriloop[ocr]'")
    import pypdfium2  # type: ignore[import-untyped]

    canvas = canvas_at(tmp_path / "text.pdf")
    write(canvas, ["TRAVEL RULES"], top=120, size=28)
    write(canvas, ["Breakfast is included in the limit", "of five hundred per night."], top=180, size=18)
    canvas.save()
    document = pypdfium2.PdfDocument(tmp_path / "text.pdf")
    document[0].render(scale=1.5).to_pil().save(tmp_path / "page.png")
    document.close()
    canvas = canvas_at(tmp_path / "scan.pdf")
    canvas.drawImage(str(tmp_path / "page.png"), 0, 0, WIDTH, HEIGHT)
    canvas.save()
    parsed = read(tmp_path / "scan.pdf", ocr=True)
    assert parsed.unread_pages == ()
    assert {element.doubt for element in parsed.elements} == {Doubt.RECOGNISED}
    assert "five hundred per night" in " ".join(texts(parsed))
    with pytest.raises(InputFileError, match="nothing to index: 1 page"):
        read(tmp_path / "scan.pdf", ocr=False)


def test_pages_behind_the_first_thousands_are_read_plainly_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf_reading, "MOST_LAID_OUT", 2)
    canvas = canvas_at(tmp_path / "a.pdf")
    words = ("alpha", "beta", "gamma", "delta")
    for word in words:
        write(canvas, [f"This page tells about {word} in one line."])
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert all(word in " ".join(texts(parsed)) for word in words)
    assert [note.page for note in parsed.notes if note.kind is ParseNoteKind.SIMPLIFIED] == [3, 4]
