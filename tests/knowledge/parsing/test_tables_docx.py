"""Word documents: tables that arrange, forms, nested tables, and what stands beside the text."""

from __future__ import annotations

import zipfile
from pathlib import Path

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.table import Table
from veriloop.knowledge.elements import Doubt, ElementKind, ParsedDocument
from veriloop.knowledge.parsing import parse_file


def _parsed(document: WordDocument, folder: Path) -> ParsedDocument:
    document.save(str(folder / "a.docx"))
    return parse_file(folder / "a.docx")


def _table(document: WordDocument, rows: list[list[str]]) -> Table:
    table: Table = document.add_table(len(rows), len(rows[0]))
    for cell, text in zip(table._cells, [text for row in rows for text in row], strict=True):
        cell.text = text
    return table


def _texts(parsed: ParsedDocument) -> list[str]:
    return [element.text for element in parsed.elements]


def test_a_frame_around_text_is_read_as_the_text(tmp_path: Path) -> None:
    document = Document()
    cell = _table(document, [["本合同由双方订立。"]]).cell(0, 0)
    cell.add_paragraph("第一条 标的")
    inner = cell.add_table(2, 2)
    for part, text in zip(inner._cells, ["品名", "数量", "水泵", "3"], strict=True):
        part.text = text
    parsed = _parsed(document, tmp_path)
    assert _texts(parsed)[:2] == ["本合同由双方订立。", "第一条 标的"]
    assert "| 水泵 | 3 |" in _texts(parsed)[2]
    assert {element.doubt for element in parsed.elements} == {Doubt.LAYOUT}


def test_columns_of_running_text_side_by_side_are_text(tmp_path: Path) -> None:
    document = Document()
    _table(document, [["The supplier shall deliver. " * 15, "The buyer shall pay in time. " * 15]])
    parsed = _parsed(document, tmp_path)
    assert [element.kind for element in parsed.elements] == [ElementKind.PARAGRAPH] * 2
    assert parsed.elements[0].doubt is Doubt.LAYOUT


def test_a_form_gives_its_labels_with_their_values(tmp_path: Path) -> None:
    document = Document()
    rows = [["姓名", "张三", "性别", "男"], ["部门", "研发部", "", ""], ["职务", "工程师", "工号", "0017"]]
    table = _table(document, rows)
    table.cell(1, 1).merge(table.cell(1, 3)).text = "研发部"
    element = _parsed(document, tmp_path).elements[0]
    assert [line for line in element.text.splitlines() if "---" not in line] == [
        "| 姓名 | 张三 |", "| 性别 | 男 |", "| 部门 | 研发部 |", "| 职务 | 工程师 |", "| 工号 | 0017 |",
    ]  # fmt: skip
    assert element.doubt is Doubt.HEADER


def test_a_nested_table_is_also_one_of_its_own(tmp_path: Path) -> None:
    document = Document()
    table = _table(document, [["部门", "费用", "备注"], ["研发", "100", ""], ["市场", "200", ""]])
    inner = table.cell(1, 2).add_table(2, 2)
    for part, text in zip(inner._cells, ["城市", "限额", "北京", "500"], strict=True):
        part.text = text
    texts = _texts(_parsed(document, tmp_path))
    assert "| 研发 | 100 | 城市 限额<br>北京 500 |" in texts[0]
    assert texts[1] == "| 城市 | 限额 |\n| --- | --- |\n| 北京 | 500 |"


def test_a_title_row_over_the_whole_width_stands_above_the_table(tmp_path: Path) -> None:
    document = Document()
    table = _table(document, [["表1 差旅标准", ""], ["城市", "限额"], ["北京", "500"], ["上海", "450"]])
    table.cell(0, 0).merge(table.cell(0, 1))
    assert _texts(_parsed(document, tmp_path)) == [
        "表1 差旅标准",
        "| 城市 | 限额 |\n| --- | --- |\n| 北京 | 500 |\n| 上海 | 450 |",
    ]


def test_a_header_below_its_rows_is_put_on_top_with_doubt(tmp_path: Path) -> None:
    document = Document()
    _table(document, [["北京", "500", "60"], ["上海", "450", "55"], ["城市", "住宿", "餐费"]])
    element = _parsed(document, tmp_path).elements[0]
    assert element.text.splitlines()[0] == "| 城市 | 住宿 | 餐费 |"
    assert element.doubt is Doubt.HEADER


def test_check_boxes_of_the_older_kind_show_whether_they_are_ticked(tmp_path: Path) -> None:
    document = Document()
    paragraph = document.add_paragraph()._p
    for label, ticked in (("同意", "1"), ("不同意", "0")):
        field = f'<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="{ticked}"/></w:checkBox>'
        paragraph.append(parse_xml(f"<w:r {nsdecls('w')}>{field}</w:ffData></w:fldChar></w:r>"))
        paragraph.append(parse_xml(f"<w:r {nsdecls('w')}><w:t>{label}</w:t></w:r>"))
    assert _texts(_parsed(document, tmp_path)) == ["☑同意☐不同意"]


def test_a_table_of_contents_is_furniture_with_its_title(tmp_path: Path) -> None:
    document = Document()
    document.styles.add_style("toc 1", 1)
    document.add_paragraph("目 录")
    document.add_paragraph("第一章 总则\t1", style="toc 1")
    document.add_heading("总则", 1)
    parsed = _parsed(document, tmp_path)
    assert _texts(parsed) == ["总则"]
    assert [(piece.kind.value, piece.text) for piece in parsed.furniture] == [("contents", "目 录\n第一章 总则 1")]


def _with_part(path: Path, name: str, content: str) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, content)


def test_a_footnote_follows_its_paragraph_and_comments_come_last(tmp_path: Path) -> None:
    document = Document()
    paragraph = document.add_paragraph("价格不含税。")._p
    paragraph.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/></w:r>'))
    document.add_paragraph("交货期为三十日。")
    document.add_comment(document.paragraphs[1].runs, text="请法务复核", author="李四")
    document.save(str(tmp_path / "a.docx"))
    note = "<w:p><w:r><w:t>税率为百分之十三。</w:t></w:r></w:p>"
    content = f'<w:footnotes {nsdecls("w")}><w:footnote w:id="2">{note}</w:footnote></w:footnotes>'
    _with_part(tmp_path / "a.docx", "word/footnotes.xml", content)
    assert _texts(parse_file(tmp_path / "a.docx")) == [
        "价格不含税。",
        "脚注 1：税率为百分之十三。",
        "交货期为三十日。",
        "批注（李四）：请法务复核",
    ]


def test_properties_of_the_file_are_given(tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("正文在此。")
    document.core_properties.title, document.core_properties.author = "采购办法", "行政部"
    properties = _parsed(document, tmp_path).properties
    assert (properties.title, properties.author) == ("采购办法", "行政部")
