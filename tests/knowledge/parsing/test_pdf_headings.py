"""Headings of PDF files and their levels: outline, tags, type, numbering."""

from __future__ import annotations

from pathlib import Path

from support.pdf_pages import BODY, canvas_at, headings, read, texts, write
from veriloop.knowledge.elements import ElementKind

_CLAUSE = "本办法所称采购，是指以合同方式有偿取得货物、工程和服务的行为，包括购买、租赁和委托。"


def test_bookmarks_give_levels_that_type_does_not_show(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for number, (title, level) in enumerate([("Scope", 0), ("Terms", 1), ("Delivery", 0), ("Dates", 1)]):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level)
        write(canvas, [title], top=90, bold=True)
        write(canvas, [BODY, BODY], top=130 + number)
        canvas.showPage()
    canvas.save()
    assert headings(read(tmp_path / "a.pdf")) == [(1, "Scope"), (2, "Terms"), (1, "Delivery"), (2, "Dates")]


def test_bookmarks_that_put_one_kind_of_label_on_many_levels_do_not_give_levels(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    titles = ["第一章 总则", "第一节 目的", "第二章 采购", "第二节 验收", "第三章 附则"]
    for title, level in zip(titles, [0, 0, 1, 2, 0], strict=True):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level)
        write(canvas, [title], top=90, size=16)
        write(canvas, [_CLAUSE], top=140)
        canvas.showPage()
    canvas.save()
    assert [level for level, _ in headings(read(tmp_path / "a.pdf"))] == [1, 2, 1, 2, 1]


def test_a_short_title_between_numbered_siblings_is_a_heading_too(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for index, title in enumerate(["3.1 录用", "3.2 年度考核办法", "3.3 晋升"]):
        write(canvas, [title], top=90 + index * 90)
        write(canvas, [_CLAUSE], top=120 + index * 90)
    canvas.save()
    found = headings(read(tmp_path / "a.pdf"))
    assert [text for _, text in found] == ["3.1 录用", "3.2 年度考核办法", "3.3 晋升"]
    assert len({level for level, _ in found}) == 1


def test_numbers_nest_below_chapters_whatever_their_size(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    lines = [("Chapter 1 General", 15), ("1.1 Scope", 15), ("1.1.1 Persons", 15), ("1.2 Terms", 15), ("Annex A", 15)]
    for index, (title, size) in enumerate(lines):
        write(canvas, [title], top=80 + index * 100, size=size)
        write(canvas, [BODY, BODY], top=110 + index * 100)
    canvas.save()
    assert [level for level, _ in headings(read(tmp_path / "a.pdf"))] == [1, 2, 3, 2, 1]


def test_a_preface_stands_beside_the_chapters_and_below_the_title(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    for index, (title, size) in enumerate([("员工手册", 24), ("前言", 16), ("第一章 总则", 15), ("第二章 考勤", 15)]):
        write(canvas, [title], top=80 + index * 100, size=size)
        write(canvas, [_CLAUSE], top=120 + index * 100)
    canvas.save()
    assert [level for level, _ in headings(read(tmp_path / "a.pdf"))] == [1, 2, 2, 2]


def test_captions_and_bullets_in_bold_are_no_headings(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, ["Figure 2-1: The hardware setup"], top=90, bold=True)
    write(canvas, [BODY, BODY], top=120)
    write(canvas, ["Table 3: Limits per night"], top=200, bold=True)
    write(canvas, [BODY, BODY], top=230)
    write(canvas, ["- Interface Connectors"], top=300, bold=True)
    write(canvas, [BODY, BODY], top=330)
    canvas.save()
    assert headings(read(tmp_path / "a.pdf")) == []


def test_clauses_keep_their_labels_in_both_languages(tmp_path: Path) -> None:
    canvas = canvas_at(tmp_path / "a.pdf")
    write(canvas, [f"第十二条 {_CLAUSE}", f"（一）{_CLAUSE}"], top=90)
    write(canvas, [f"Article 5 {BODY}", f"5.1 {BODY}"], top=200)
    canvas.save()
    found = texts(read(tmp_path / "a.pdf"))
    assert [text[:8] for text in found] == ["第十二条 本办法", "（一）本办法所称", "Article ", "5.1 The "]
    assert not texts(read(tmp_path / "a.pdf"), ElementKind.HEADING)
