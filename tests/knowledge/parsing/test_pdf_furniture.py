"""What is printed on PDF pages but is no part of the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.colors import Color
from support.pdf_pages import BODY, HEIGHT, WIDTH, canvas_at, read, texts, write
from veriloop.knowledge.elements import Furniture, FurnitureKind
from veriloop.knowledge.parsing.pdf_furniture import without_furniture
from veriloop.knowledge.parsing.pdf_layout import Line
from veriloop.knowledge.parsing.pdf_margins import key_of
from veriloop.knowledge.parsing.pdf_reading import PageContent
from veriloop.knowledge.parsing.pdf_unrepeated import is_page_number

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


@pytest.mark.parametrize("lines", [3, 12, 40])
def test_pages_whose_lines_differ_in_numbers_only_are_text(tmp_path: Path, lines: int) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for page in range(1, 10):
        rows = [f"Payment {chr(64 + line % 20)} in this month: {page * 100 + line} yuan" for line in range(lines)]
        write(canvas, [f"Payslip number {page}", *rows], top=60)
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert " ".join(texts(parsed)).count("in this month") == 9 * lines
    assert sum("Payslip number" in text for text in texts(parsed)) == 9


@given(
    body=st.lists(st.sampled_from(["Command", "Return", "Total: 3", "See page 4", "© 2023 X"]), min_size=1, max_size=6),
    pages=st.integers(2, 8),
    heads=st.lists(st.sampled_from(["Manual of parts", "7", "Page 2 of 9", "Company 2"]), max_size=3),
)
@settings(max_examples=60, deadline=None)
def test_lines_in_the_middle_of_pages_are_always_kept(body: list[str], pages: int, heads: list[str]) -> None:
    made = [
        PageContent(
            number,
            800.0,
            [
                *(_line(text, 20 + 12 * index, number) for index, text in enumerate(heads)),
                *(_line(text, 250 + 40 * index, number) for index, text in enumerate(body)),
                *(_line(text, 770 - 12 * index, number) for index, text in enumerate(heads)),
            ],
            False,
        )
        for number in range(1, pages + 1)
    ]
    for page in without_furniture(made).pages:
        assert [item.text for item in page.items if isinstance(item, Line) and 250 <= item.top < 500] == body


@given(st.lists(st.text("ab1", min_size=1, max_size=8), min_size=1, max_size=30), st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_what_is_dropped_is_in_the_furniture_and_never_all_of_a_document(rows: list[str], pages: int) -> None:
    made = [
        PageContent(number, 800.0, [_line(text, 20 + 25 * at, number) for at, text in enumerate(rows)], False)
        for number in range(1, pages + 1)
    ]
    stripped = without_furniture(made)
    kept = [item.text for page in stripped.pages for item in page.items if isinstance(item, Line)]
    names = {key_of(item.text) for item in stripped.furniture if item.kind is not FurnitureKind.PAGE_NUMBER}
    numbers = any(item.kind is FurnitureKind.PAGE_NUMBER for item in stripped.furniture)
    for text in set(rows) - set(kept):
        assert key_of(text) in names or (is_page_number(text) and numbers)
    if any(not is_page_number(text) for text in rows):
        assert kept


def _line(text: str, top: float, page: int) -> Line:
    return Line(text, 72.0, 72.0 + 6 * len(text), top, top + 10, 10.0, False, 72.0, 500.0, page)


def test_headings_that_many_pages_begin_with_stay(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for page, word in enumerate(_WORDS):
        write(canvas, ["Return value" if page % 2 else "Command"], top=60, bold=True)
        write(canvas, [*_body(word), BODY], top=76)
        canvas.showPage()
    write(canvas, _body("iota"), top=60)
    canvas.showPage()
    write(canvas, _body("kappa"), top=60)
    canvas.save()
    found = texts(read(tmp_path / "a.pdf"))
    assert (found.count("Return value"), found.count("Command")) == (4, 4)


def test_a_head_ruled_as_a_table_on_every_page_is_furniture_but_rows_of_figures_are_not(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for page, word in enumerate(_WORDS[:5], 1):
        for index, text in enumerate(["某某公司质量手册", "QM-02", f"第{page}页"]):
            canvas.rect(72 + 150 * index, HEIGHT - 60, 150, 24)
            write(canvas, [text], top=52, left=80 + 150 * index)
        write(canvas, _body(word), top=200)
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert not any("质量手册" in text for text in texts(parsed))
    assert [item.pages for item in parsed.furniture if "QM-02" in item.text] == [(1, 2, 3, 4, 5)]
    assert sum("has its own words" in text for text in texts(parsed)) == 5


def test_the_head_and_the_foot_of_a_single_page_are_told_by_their_place(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, ["Rules of the house"], top=46, size=9)
    write(canvas, ["How to behave"], top=100, bold=True, size=14)
    write(canvas, [BODY] * 6, top=140)
    write(canvas, ["208"], top=800, size=9, left=290)
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert {item.text for item in parsed.furniture} == {"Rules of the house", "208"}
    assert not any("house" in text for text in texts(parsed))


def test_a_single_page_without_a_number_keeps_its_first_and_last_line(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, ["Letter of appointment"], top=50, size=14)
    write(canvas, [BODY] * 6, top=140)
    write(canvas, ["1 The first footnote explains a word."], top=780, size=8)
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert parsed.furniture == ()
    assert any("Letter" in text for text in texts(parsed)) and any("footnote" in text for text in texts(parsed))


def test_what_stands_beside_or_below_a_page_number_belongs_to_the_foot(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for page, word in enumerate(_WORDS, 1):
        write(canvas, [*_body(word), BODY], top=120)
        write(canvas, [str(page)], top=790, size=9, left=290)
        write(canvas, [f"Printed for {word} on 2024-01-0{page}"], top=815, size=9)
        canvas.showPage()
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert not any("Printed" in text for text in texts(parsed))
    assert sum("Printed" in item.text for item in parsed.furniture) == 8


def test_a_stamp_along_the_side_of_a_page_is_furniture(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, [BODY] * 4)
    canvas.rotate(90)
    canvas.setFont("Helvetica", 16)
    canvas.drawString(300, -40, "Archive 2004.04906 of 30 Sep 2020")
    canvas.save()
    parsed = read(tmp_path / "a.pdf")
    assert [item.text for item in parsed.furniture] == ["Archive 2004.04906 of 30 Sep 2020"]
    assert not any("Archive" in text for text in texts(parsed))


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
