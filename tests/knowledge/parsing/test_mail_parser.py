"""Mails, Outlook's too, with what is attached to them."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from email.message import EmailMessage
from pathlib import Path

import docx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind, ParsedDocument, ParseNoteKind, ParseOptions
from veriloop.knowledge.parsing import parse_file

ZH = "甲方应当自收到验收申请之日起10个工作日内组织验收。"
EN = "Employees may spend at most 120 EUR per night on a hotel."


def letter(charset: str = "utf-8") -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "验收安排 Acceptance"
    message["From"] = "李伟 <li@example.com>"
    message["To"] = "team@example.com"
    message["Date"] = "Mon, 01 Sep 2025 09:00:00 +0800"
    message.set_content(f"各位同事：\n\n{ZH}\n\n{EN}\n\n> 此前的来信：请尽快验收。\n", charset=charset)
    return message


def read(folder: Path, message: EmailMessage | bytes, options: ParseOptions | None = None) -> ParsedDocument:
    path = folder / "a.eml"
    path.write_bytes(message if isinstance(message, bytes) else message.as_bytes())
    return parse_file(path, options=options)


def texts(document: ParsedDocument) -> list[str]:
    return [element.text for element in document.elements]


def word(text: str) -> bytes:
    made = docx.Document()
    made.add_heading("附件标题", 1)
    made.add_paragraph(text)
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("charset", ["utf-8", "gb18030", "gb2312", "big5"])
def test_a_mail_gives_its_subject_people_date_text_and_quoted_history(charset: str, tmp_path: Path) -> None:
    message = letter("utf-8" if charset == "big5" else charset)
    if charset == "big5":
        message.set_content("各位同事：\n\n員工請假應於三日前以書面提出申請。\n", charset=charset)
    document = read(tmp_path, message)
    assert (document.media_type, document.reader, document.title) == ("message/rfc822", "mail", "验收安排 Acceptance")
    assert texts(document)[1:4] == ["From: 李伟 <li@example.com>", "To: team@example.com", "Date: 2025-09-01 09:00"]
    assert document.published_at == date(2025, 9, 1)
    if charset == "big5":
        assert "員工請假應於三日前以書面提出申請。" in texts(document)
    else:
        assert {ZH, EN, "> 此前的来信：请尽快验收。"} <= set(texts(document))


def test_headers_without_an_encoding_are_read_by_their_look(tmp_path: Path) -> None:
    raw = b"Subject: " + "关于采购管理办法的通知".encode("gbk") + b"\nFrom: a@example.com\nTo: b@example.com\n\ntext\n"
    assert read(tmp_path, raw).title == "关于采购管理办法的通知"


def test_the_html_text_is_preferred_for_its_headings_and_tables(tmp_path: Path) -> None:
    message = letter()
    message.add_alternative(
        f"<html><body><h2>一、验收</h2><p>{ZH}</p><p>{EN}</p>"
        "<table><tr><th>型号</th><th>功率</th></tr><tr><td>HN-3200</td><td>8 kW</td></tr></table></body></html>",
        subtype="html",
    )
    kinds = {element.text.split("\n")[0]: element.kind for element in read(tmp_path, message).elements}
    assert kinds["一、验收"] is ElementKind.HEADING
    assert kinds["| 型号 | 功率 |"] is ElementKind.TABLE
    assert kinds[ZH] is ElementKind.PARAGRAPH


def test_a_html_text_that_says_nothing_gives_way_to_the_plain_one(tmp_path: Path) -> None:
    message = letter()
    message.add_alternative("<html><body><p>see text</p></body></html>", subtype="html")
    assert ZH in texts(read(tmp_path, message))


def test_attachments_are_read_under_their_names(tmp_path: Path) -> None:
    message = letter()
    message.add_attachment(
        word("附件正文：单价120元。"), maintype="application", subtype="octet-stream", filename="报价 单.docx"
    )
    message.add_attachment(b"a,b\n1,2\n3,4\n", maintype="text", subtype="csv", filename="t.csv")
    document = read(tmp_path, message)
    shown = [(element.text, element.level) for element in document.elements if element.kind is ElementKind.HEADING]
    assert shown == [("验收安排 Acceptance", 1), ("附件：报价 单.docx", 2), ("附件标题", 3), ("附件：t.csv", 2)]
    assert texts(document)[-1].startswith("| a | b |")
    assert not document.notes


def test_english_mails_label_their_attachments_in_english(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Offer", "a@example.com", "b@example.com"
    message.set_content(EN)
    message.add_attachment(b"Price list 2026", maintype="text", subtype="plain", filename="prices.txt")
    assert "Attachment: prices.txt" in texts(read(tmp_path, message))


def test_attachments_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    message = letter()
    message.add_attachment(b"ID3" + bytes(500), maintype="audio", subtype="mpeg", filename="a.mp3")
    document = read(tmp_path, message)
    assert [(note.kind, note.detail.split(":")[0]) for note in document.notes] == [(ParseNoteKind.UNREAD, "a.mp3")]


def test_an_attached_archive_is_unpacked(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("inner/说明.txt", ZH)
        archive.writestr("../evil.txt", "outside")
    message = letter()
    message.add_attachment(buffer.getvalue(), maintype="application", subtype="zip", filename="all.zip")
    document = read(tmp_path, message)
    assert texts(document).count(ZH) == 2
    assert "附件：all.zip/inner/说明.txt" in texts(document)
    assert ["points outside" in note.detail for note in document.notes] == [True]


def test_mails_in_mails_are_read_up_to_a_depth(tmp_path: Path) -> None:
    message = letter()
    for level in range(8):
        outer = EmailMessage()
        outer["Subject"], outer["From"], outer["To"] = f"outer {level}", "a@example.com", "b@example.com"
        outer.set_content(f"forwarded at level {level}")
        outer.add_attachment(message)
        message = outer
    document = read(tmp_path, message)
    assert {"forwarded at level 7", "forwarded at level 5"} <= set(texts(document))
    assert ZH not in texts(document)
    assert any("deeper inside mails" in note.detail for note in document.notes)


def test_more_attachments_than_the_bound_are_counted_but_not_read(tmp_path: Path) -> None:
    message = letter()
    for number in range(103):
        message.add_attachment(f"file {number}".encode(), maintype="text", subtype="plain", filename=f"{number}.txt")
    document = read(tmp_path, message)
    assert len(document.notes) == 3
    assert "file 99" in texts(document) and "file 100" not in texts(document)


@given(at=st.integers(0, 2_000), bad=st.binary(min_size=1, max_size=8), cut=st.integers(0, 900))
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_damaged_mail_gives_a_document_or_one_clear_error(tmp_path: Path, at: int, bad: bytes, cut: int) -> None:
    message = letter()
    message.add_alternative(f"<p>{ZH}</p>", subtype="html")
    message.add_attachment(b"text", maintype="text", subtype="plain", filename="a.txt")
    content = bytearray(message.as_bytes())
    at %= len(content)
    content[at : at + len(bad)] = bad
    try:
        assert all(texts(read(tmp_path, bytes(content[: len(content) - cut]))))
    except InputFileError as error:
        assert "\n" not in error.reason
