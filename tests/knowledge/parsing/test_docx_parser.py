"""Word documents: order, headings, automatic numbers, merged cells, changes."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind
from veriloop.knowledge.parsing import parse_file


def _shown(path: Path) -> list[tuple[str, int | None, str]]:
    return [(element.kind.value, element.level, element.text) for element in parse_file(path).elements]


def _run(words: str) -> str:
    return f"<w:r><w:t>{words}</w:t></w:r>"


def _number_by(document: object, form: str, text: str, numbering_id: int = 90) -> None:
    """Add a list definition with one level to a document made by python-docx."""
    root = document.part.numbering_part.element  # type: ignore[attr-defined]
    abstract = parse_xml(
        f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{numbering_id}"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        f'<w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl></w:abstractNum>'
    )
    root.insert(0, abstract)
    root.append(
        parse_xml(f'<w:num {nsdecls("w")} w:numId="{numbering_id}"><w:abstractNumId w:val="{numbering_id}"/></w:num>')
    )


def _in_list(paragraph: object, numbering_id: int = 90) -> None:
    properties = paragraph._p.get_or_add_pPr()  # type: ignore[attr-defined]
    properties.append(
        parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="0"/><w:numId w:val="{numbering_id}"/></w:numPr>')
    )


def test_headings_paragraphs_and_tables_keep_their_order(tmp_path: Path) -> None:
    document = Document()
    document.add_heading("差旅管理制度", 0)
    document.add_heading("", 1)
    document.add_heading("适用范围", 1)
    document.add_paragraph("本制度适用于全体员工。")
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ["城市", "限额", "北京", "500"], strict=True):
        cell.text = text
    document.add_paragraph("以上标准含早餐。")
    document.save(str(tmp_path / "a.docx"))
    assert _shown(tmp_path / "a.docx") == [
        ("heading", 1, "差旅管理制度"),
        ("heading", 1, "适用范围"),
        ("paragraph", None, "本制度适用于全体员工。"),
        ("table", None, "| 城市 | 限额 |\n| --- | --- |\n| 北京 | 500 |"),
        ("paragraph", None, "以上标准含早餐。"),
    ]


@pytest.mark.parametrize(
    "form,text,labels",
    [
        ("chineseCountingThousand", "第%1条", ["第一条 ", "第二条 "]),
        ("chineseCounting", "%1、", ["一、", "二、"]),
        ("decimal", "Article %1", ["Article 1 ", "Article 2 "]),
        ("lowerLetter", "(%1)", ["(a) ", "(b) "]),
    ],
)
def test_automatic_numbers_are_part_of_the_text(tmp_path: Path, form: str, text: str, labels: list[str]) -> None:
    document = Document()
    _number_by(document, form, text)
    for words in ("The supplier delivers in ten days.", "供应商应当在十日内交货。"):
        _in_list(document.add_paragraph(words))
    document.save(str(tmp_path / "a.docx"))
    shown = [text for _, _, text in _shown(tmp_path / "a.docx")]
    assert shown == [labels[0] + "The supplier delivers in ten days.", labels[1] + "供应商应当在十日内交货。"]


def test_heading_styles_are_known_by_localised_name_and_outline_level(tmp_path: Path) -> None:
    document = Document()
    for name, outline_level in (("标题 2", None), ("制度小标题", 2)):
        style = document.styles.add_style(name, 1)
        if outline_level is not None:
            style.element.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {nsdecls("w")} w:val="{outline_level}"/>'))
        document.add_paragraph("请假", style=name)
    document.save(str(tmp_path / "a.docx"))
    assert [level for _, level, _ in _shown(tmp_path / "a.docx")] == [2, 3]


def test_labels_make_headings_where_no_style_does(tmp_path: Path) -> None:
    document = Document()
    for words in (
        "采购管理办法",
        "第一章 总则",
        "第一条 为规范采购，制定本办法。",
        "第二条 违约责任",
        "违约者赔偿损失。",
    ):
        document.add_paragraph(words)
    document.save(str(tmp_path / "a.docx"))
    parsed = parse_file(tmp_path / "a.docx")
    assert parsed.title == "采购管理办法"
    assert [(element.kind.value, element.level) for element in parsed.elements] == [
        ("heading", 1), ("heading", 2), ("paragraph", None), ("heading", 3), ("paragraph", None),
    ]  # fmt: skip


def test_a_title_on_two_centred_lines_is_one(tmp_path: Path) -> None:
    document = Document()
    for words in ("关于加强采购管理工作的", "若干规定"):
        document.add_paragraph(words).alignment = WD_ALIGN_PARAGRAPH.CENTER
    document.add_paragraph("第一条 为规范采购，制定本规定。")
    document.save(str(tmp_path / "a.docx"))
    assert parse_file(tmp_path / "a.docx").title == "关于加强采购管理工作的若干规定"


def test_merged_cells_repeat_and_nested_tables_become_cell_text(tmp_path: Path) -> None:
    document = Document()
    table = document.add_table(3, 3)
    texts = ["部门", "费用", "", "", "交通", "住宿", "研发", "1", ""]
    for cell, text in zip(table._cells, texts, strict=True):
        cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    inner = table.cell(2, 2).add_table(1, 2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "标准", "300"
    document.save(str(tmp_path / "a.docx"))
    lines = parse_file(tmp_path / "a.docx").elements[0].text.splitlines()
    assert lines[0] == "| 部门 | 费用 / 交通 | 费用 / 住宿 |"
    assert lines[2] == "| 研发 | 1 | 标准 300 |"


def test_insertions_are_kept_and_deletions_left_out(tmp_path: Path) -> None:
    document = Document()
    paragraph = document.add_paragraph("期限为")._p
    paragraph.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>十日</w:delText></w:r></w:del>"))
    paragraph.append(parse_xml(f"<w:ins {nsdecls('w')}>{_run('三十日。')}</w:ins>"))
    document.save(str(tmp_path / "a.docx"))
    assert _shown(tmp_path / "a.docx") == [("paragraph", None, "期限为三十日。")]


def test_headers_and_footers_are_furniture_and_text_boxes_follow_their_paragraph(tmp_path: Path) -> None:
    document = Document()
    document.sections[0].header.paragraphs[0].text = "Confidential"
    document.sections[0].footer.paragraphs[0].text = "Page 1 of 9"
    paragraph = document.add_paragraph("Body text stands alone.")._p
    box = f"<w:txbxContent><w:p>{_run('Boxed')}</w:p></w:txbxContent>"
    paragraph.append(parse_xml(f"<w:r {nsdecls('w')}><w:pict>{box}</w:pict></w:r>"))
    document.save(str(tmp_path / "a.docx"))
    assert [text for _, _, text in _shown(tmp_path / "a.docx")] == ["Body text stands alone.", "Boxed"]
    assert [(piece.kind.value, piece.text) for piece in parse_file(tmp_path / "a.docx").furniture] == [
        ("header", "Confidential"),
        ("page_number", "Page 1 of 9"),
    ]


def test_pages_are_counted_only_where_breaks_are_recorded(tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("First page text.")
    document.save(str(tmp_path / "without.docx"))
    document.add_page_break()  # type: ignore[no-untyped-call]
    document.add_paragraph("Second page text.")
    document.save(str(tmp_path / "with.docx"))
    without, with_breaks = parse_file(tmp_path / "without.docx"), parse_file(tmp_path / "with.docx")
    assert (without.pages, without.elements[0].page) == (None, None)
    assert (with_breaks.pages, [element.page for element in with_breaks.elements]) == (2, [1, 2])


def test_a_document_type_declaration_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", '<!DOCTYPE d [<!ENTITY a "aaaa">]><d>&a;</d>')
    with pytest.raises(InputFileError, match="declares entities"):
        parse_file(path)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"<d>" + b" " * 50_000_000 + b"</d>")
    with pytest.raises(InputFileError, match="zip bomb"):
        parse_file(path)


@pytest.mark.parametrize("keep", [0.2, 0.6, 0.95])
def test_a_cut_document_is_named_as_damaged(tmp_path: Path, keep: float) -> None:
    document = Document()
    document.add_paragraph("Some text that is long enough to be cut.")
    document.save(str(tmp_path / "a.docx"))
    content = (tmp_path / "a.docx").read_bytes()
    (tmp_path / "cut.docx").write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(InputFileError, match="is damaged"):
        parse_file(tmp_path / "cut.docx")


def test_an_empty_document_has_nothing_to_index(tmp_path: Path) -> None:
    Document().save(str(tmp_path / "a.docx"))
    with pytest.raises(InputFileError, match="nothing to index"):
        parse_file(tmp_path / "a.docx")


def test_a_list_item_is_told_from_a_clause(tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("需要准备：")
    document.add_paragraph("身份证", style="List Bullet")
    document.save(str(tmp_path / "a.docx"))
    assert parse_file(tmp_path / "a.docx").elements[1].kind is ElementKind.LIST_ITEM
