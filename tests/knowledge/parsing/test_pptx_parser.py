"""Presentations: titles, bullets, tables, notes, groups, order."""

from __future__ import annotations

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Inches
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind
from veriloop.knowledge.parsing import parse_file


def test_a_slide_gives_title_bullets_table_and_notes(tmp_path: Path) -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "年度计划"
    slide.placeholders[1].text = "扩大市场\n降低成本"
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(6), Inches(4), Inches(1)).table
    for index, text in enumerate(["项目", "预算", "广告", "100"]):
        table.cell(index // 2, index % 2).text = text
    slide.notes_slide.notes_text_frame.text = "重点讲预算"
    show.save(str(tmp_path / "a.pptx"))
    parsed = parse_file(tmp_path / "a.pptx")
    assert parsed.pages == 1
    assert [(element.kind, element.text, element.page) for element in parsed.elements] == [
        (ElementKind.HEADING, "年度计划", 1),
        (ElementKind.LIST_ITEM, "扩大市场", 1),
        (ElementKind.LIST_ITEM, "降低成本", 1),
        (ElementKind.TABLE, "| 项目 | 预算 |\n| --- | --- |\n| 广告 | 100 |", 1),
        (ElementKind.PARAGRAPH, "备注：重点讲预算", 1),
    ]


def test_shapes_are_read_from_top_to_bottom_and_groups_are_opened(tmp_path: Path) -> None:
    show = Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    slide.shapes.add_textbox(Inches(1), Inches(5), Inches(3), Inches(1)).text_frame.text = "Last words"
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1)).text_frame.text = "First words"
    show.save(str(tmp_path / "a.pptx"))
    assert [element.text for element in parse_file(tmp_path / "a.pptx").elements] == ["First words", "Last words"]


def test_a_presentation_without_text_has_nothing_to_index(tmp_path: Path) -> None:
    show = Presentation()
    show.slides.add_slide(show.slide_layouts[6])
    show.save(str(tmp_path / "a.pptx"))
    with pytest.raises(InputFileError, match="nothing to index"):
        parse_file(tmp_path / "a.pptx")
