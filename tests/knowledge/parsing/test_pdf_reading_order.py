"""Columns, turned pages, vertical text, footnotes and broken words of PDF files."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.pdf_pages import BODY, CHINESE, HEIGHT, canvas_at, read, texts, write
from veriloop.knowledge.elements import Doubt

_WORDS = "words of running text that fill the column"


def _rewritten(path: Path, rotation: int) -> None:
    import pypdfium2  # type: ignore[import-untyped]

    document = pypdfium2.PdfDocument(path)
    document[0].set_rotation(rotation)
    document.save(path.with_name("turned.pdf"))
    document.close()


def test_three_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for column, left in enumerate((40, 215, 390)):
        write(canvas, [f"c{column}r{row:02d} {_WORDS}" for row in range(16)], top=120, left=left, size=7)
    canvas.save()
    text = " ".join(texts(read(tmp_path / "a.pdf")))
    assert text.index("c0r15") < text.index("c1r00") < text.index("c1r15") < text.index("c2r00")


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_is_read_the_way_its_text_runs_whatever_its_rotation_says(tmp_path: Path, rotation: int) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, ["Rules on Travel"], top=90, size=18)
    write(canvas, [BODY, "It keeps records of each delivery."], top=150)
    canvas.save()
    _rewritten(tmp_path / "a.pdf", rotation)
    parsed = read(tmp_path / "turned.pdf")
    assert texts(parsed) == texts(read(tmp_path / "a.pdf"))
    assert {element.doubt for element in parsed.elements} == {Doubt.ORDER}


def test_text_drawn_sideways_is_read_and_marked(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, [BODY] * 4)
    canvas.rotate(90)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(300, -200, "Accepted by the committee")
    canvas.save()
    last = read(tmp_path / "a.pdf").elements[-1]
    assert (last.text, last.doubt) == ("Accepted by the committee", Doubt.ORDER)


def test_vertical_chinese_is_read_from_right_to_left(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    canvas.setFont(CHINESE, 12)
    columns = ["采购人应当在收到货物之日起", "十日内完成验收，并书面通知", "供应商验收的结果。"]
    for column, text in enumerate(columns):
        for row, character in enumerate(text):
            canvas.drawString(400 - column * 20, HEIGHT - 100 - row * 14, character)
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert "".join(texts(parsed)) == "".join(columns)
    assert parsed.elements[0].doubt is Doubt.ORDER


def test_words_broken_at_a_line_or_page_end_are_mended_but_compounds_keep_their_hyphen(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, ["A long-term contract about goods is signed by both of the sides before the work."], top=100)
    write(
        canvas,
        [f"{BODY[:-1]} and the sup-", "plier must name the persons who are in charge of every one of the long-"],
        top=700,
    )
    canvas.showPage()
    write(
        canvas,
        ["term deliveries that are part of this contract until the day of its termi-", "nation by notice."],
        top=90,
    )
    canvas.save()
    text = " ".join(texts(read(tmp_path / "a.pdf")))
    assert "and the supplier must name" in text
    assert "every one of the long-term deliveries" in text
    assert "its termination by notice." in text


def test_chinese_lines_are_joined_over_a_page_break(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, ["供应商应当在收到订单之日起十日内将货物送达采购方指定的地点，并承担运输和保管途"], top=760)
    canvas.showPage()
    write(canvas, ["中的一切风险。"], top=90)
    canvas.save()
    element = read(tmp_path / "a.pdf").elements[0]
    assert "保管途中的一切风险。" in element.text
    assert (element.page, element.last_page) == (1, 2)


def test_a_footnote_stands_behind_the_sentence_that_runs_over_its_page(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, [BODY] * 6, top=100)
    write(canvas, ["The supplier informs the buyer without delay about every event that may put off"], top=700)
    write(canvas, ["1 An event is whatever the parties could not foresee."], top=780, size=8)
    canvas.showPage()
    write(canvas, ["the delivery and about its likely end."], top=100)
    write(canvas, [BODY] * 6, top=140)
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    found = texts(parsed)
    sentence = next(index for index, text in enumerate(found) if "put off the delivery" in text)
    assert found[sentence + 1] == "1 An event is whatever the parties could not foresee."
    assert parsed.elements[sentence + 1].page == 1
