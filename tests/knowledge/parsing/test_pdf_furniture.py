"""What is printed on PDF pages but is no part of the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.lib.colors import Color
from support.pdf_pages import BODY, HEIGHT, WIDTH, canvas_at, read, texts, write
from veriloop.knowledge.elements import Furniture, FurnitureKind
from veriloop.knowledge.parsing.pdf_furniture import is_page_number

_WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]


def _of(furniture: tuple[Furniture, ...], kind: FurnitureKind) -> list[tuple[str, tuple[int, ...]]]:
    return [(item.text, item.pages) for item in furniture if item.kind is kind]


def _body(word: str) -> list[str]:
    return [f"The chapter about {word} has its own words here.", f"It says of {word} what no other chapter says of it."]


def test_heads_that_alternate_between_left_and_right_pages_are_kept_as_furniture(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for page, word in enumerate(_WORDS, 1):
        write(
            canvas,
            ["Staff Handbook" if page % 2 else "某某公司人力资源部"],
            top=30,
            left=72 if page % 2 else 300,
            size=9,
        )
        write(canvas, _body(word), top=200)
        write(canvas, [f"第 {page} 页 共 8 页"], top=810, size=9, left=250)
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert _of(parsed.furniture, FurnitureKind.HEADER) == [
        ("Staff Handbook", (1, 3, 5, 7)), ("某某公司人力资源部", (2, 4, 6, 8)),
    ]  # fmt: skip
    assert _of(parsed.furniture, FurnitureKind.PAGE_NUMBER) == [("第 1 页 共 8 页", tuple(range(1, 9)))]
    assert not any("Handbook" in text or "页" in text for text in texts(parsed))


def test_heads_that_change_with_the_section_are_told_by_their_place(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for page, word in enumerate(_WORDS):
        write(canvas, [f"Section on {_WORDS[page // 2]}"], top=30, size=9)
        write(canvas, _body(word), top=120)
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert len(_of(parsed.furniture, FurnitureKind.HEADER)) == 4
    assert not any("Section on" in text for text in texts(parsed))
    assert sum("has its own words" in text for text in texts(parsed)) == 8


def test_the_first_lines_of_pages_without_heads_stay(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for word in _WORDS:
        write(canvas, _body(word), top=60)
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert sum("has its own words" in text for text in texts(parsed)) == 8
    assert parsed.furniture == ()


def test_a_heading_that_begins_some_pages_by_chance_stays(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for page, word in enumerate(_WORDS * 2):
        write(canvas, ["Return value" if page in {0, 5, 11} else f"Notes on {word} {'m' * page}"], top=60, bold=True)
        write(canvas, _body(f"{word} {'n' * page}"), top=100)
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert texts(parsed).count("Return value") == 3
    assert not parsed.furniture


def test_a_form_that_every_page_repeats_is_text(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for word in _WORDS[:4]:
        write(canvas, ["Application for leave of absence", "Department of human resources"], top=40)
        write(canvas, [f"Name: {word}"], top=300)
        canvas.showPage()
    canvas.save()
    assert sum("Application for leave" in text for text in texts(read(tmp_path / "a.pdf"))) == 4


def test_pages_that_are_the_same_throughout_lose_nothing(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for _ in range(2):
        write(canvas, ["To whom it may concern:", BODY, "With kind regards"], top=60)
        canvas.showPage()
    canvas.save()
    assert sum("To whom" in text for text in texts(read(tmp_path / "a.pdf"))) == 2


@pytest.mark.parametrize(
    "title,leader", [("目录", "……………………"), ("Table of Contents", " . . . . . . . . "), ("Contents", "   ")]
)
def test_a_table_of_contents_is_kept_as_furniture(tmp_path: Path, title: str, leader: str) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, [title], top=80, size=16)
    entries = [f"{number}.1 Part {word}{leader}{number * 2}" for number, word in enumerate(_WORDS[:5], 1)]
    for index, entry in enumerate(entries):
        write(canvas, [entry], top=120 + index * 20)
    canvas.showPage()
    write(canvas, ["Introduction"], top=80, size=16)
    write(canvas, [BODY, BODY], top=120)
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    contents = _of(parsed.furniture, FurnitureKind.CONTENTS)
    assert len(contents) == 1
    assert contents[0][0].startswith(title) and "theta" not in contents[0][0] and "epsilon" in contents[0][0]
    assert not any("Part" in text or title in text for text in texts(parsed))
    assert "Introduction" in texts(parsed)


def test_prices_behind_dots_are_no_table_of_contents(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for index, (dish, price) in enumerate([("Soup", 9), ("Fish", 24), ("Salad", 7), ("Cake", 12), ("Tea", 3)]):
        write(canvas, [f"{dish} .............. {price}"], top=120 + index * 20)
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert parsed.furniture == ()
    assert "Fish … 24" in " ".join(texts(parsed))


def test_diagonal_and_pale_repeated_texts_are_watermarks(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for word in _WORDS[:3]:
        canvas.saveState()
        canvas.setFillColor(Color(0.8, 0.8, 0.8))
        canvas.setFont("Helvetica", 60)
        canvas.drawString(120, HEIGHT / 2, "SAMPLE")
        canvas.translate(WIDTH / 2, HEIGHT / 3)
        canvas.rotate(45)
        canvas.drawCentredString(0, 0, "CONFIDENTIAL")
        canvas.restoreState()
        write(canvas, _body(word) * 12, top=150)
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert {text for text, _ in _of(parsed.furniture, FurnitureKind.WATERMARK)} == {"CONFIDENTIAL", "SAMPLE"}
    assert not any("CONFIDENTIAL" in text or "SAMPLE" in text for text in texts(parsed))


def test_a_pale_title_of_one_page_is_text(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    canvas.setFillColor(Color(0.75, 0.75, 0.75))
    write(canvas, ["Annual Report"], top=80, size=30)
    canvas.setFillColor(Color(0, 0, 0))
    write(canvas, [BODY, BODY], top=160)
    canvas.save()
    assert texts(read(tmp_path / "a.pdf"))[0] == "Annual Report"


@pytest.mark.parametrize(
    "text",
    [
        "3",
        "- 3 -",
        "第3页",
        "第 3 页 共 10 页",
        "第三页 / 共十页",
        "共10页 第3页",
        "3/10",
        "Page 3 of 10",
        "xiv",
        "3 页",
        "[12]",
    ],
)
def test_page_numbers_of_all_kinds_are_known(text: str) -> None:
    assert is_page_number(text)


@pytest.mark.parametrize("text", ["第3条", "3.5", "2024年", "page three", "3 persons", "共同", "12345"])
def test_other_short_lines_are_no_page_numbers(text: str) -> None:
    assert not is_page_number(text)
