"""Workbooks as people make them: formulas without values, hidden parts, formats, headers in odd places."""

from __future__ import annotations

import zipfile
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from veriloop.knowledge.elements import Doubt, Element, ElementKind, ParsedDocument, ParseNoteKind, ParseOptions
from veriloop.knowledge.parsing import parse_file
from veriloop.knowledge.parsing.xlsx_formats import shown_number
from veriloop.knowledge.parsing.xlsx_sheet import column_name, place_of

_Rows = list[list[object]]


def _workbook(rows: _Rows) -> Workbook:
    workbook = Workbook()
    for row in rows:
        workbook.active.append(row)
    return workbook


def _parsed(workbook: Workbook, folder: Path, options: ParseOptions | None = None) -> ParsedDocument:
    workbook.save(folder / "a.xlsx")
    return parse_file(folder / "a.xlsx", options=options)


def _tables(parsed: ParsedDocument) -> list[Element]:
    return [element for element in parsed.elements if element.kind is ElementKind.TABLE]


def _notes(parsed: ParsedDocument, kind: ParseNoteKind) -> list[str]:
    return [note.detail for note in parsed.notes if note.kind is kind]


def _cell(folder: Path, value: object, number_format: str) -> str:
    workbook = _workbook([["name", "value"], ["x", value]])
    workbook.active["B2"].number_format = number_format
    return _tables(_parsed(workbook, folder))[0].text.splitlines()[2].split("|")[2].strip()


def test_a_formula_without_a_value_is_shown_as_its_text_and_named(tmp_path: Path) -> None:
    parsed = _parsed(_workbook([["单价", "数量", "金额"], [3, 4, "=A2*B2"], [5, 6, "=A3*B3"]]), tmp_path)
    assert _tables(parsed)[0].text.splitlines()[2:] == ["| 3 | 4 | =A2*B2 |", "| 5 | 6 | =A3*B3 |"]
    assert _notes(parsed, ParseNoteKind.UNCOMPUTED) == ["Sheet!C2:C3"]


def _with_sheet_xml(path: Path, old: str, new: str) -> None:
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    sheet = members["xl/worksheets/sheet1.xml"].decode()
    assert old in sheet
    members["xl/worksheets/sheet1.xml"] = sheet.replace(old, new).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def test_a_stored_value_of_a_formula_is_shown_instead_of_the_formula(tmp_path: Path) -> None:
    _workbook([["a", "b"], [3, "=A2*2"]]).save(tmp_path / "a.xlsx")
    _with_sheet_xml(tmp_path / "a.xlsx", "<f>A2*2</f><v></v>", "<f>A2*2</f><v>6</v>")
    parsed = parse_file(tmp_path / "a.xlsx")
    assert _tables(parsed)[0].text.splitlines()[2] == "| 3 | 6 |"
    assert not parsed.notes


def test_a_formula_shared_by_several_cells_is_moved_to_each(tmp_path: Path) -> None:
    _workbook([["a", "b"], [3, "=A2*2"], [4, "=A3*2"]]).save(tmp_path / "a.xlsx")
    _with_sheet_xml(tmp_path / "a.xlsx", "<f>A2*2</f>", '<f t="shared" ref="B2:B3" si="0">A2*2</f>')
    _with_sheet_xml(tmp_path / "a.xlsx", "<f>A3*2</f>", '<f t="shared" si="0"/>')
    assert _tables(parse_file(tmp_path / "a.xlsx"))[0].text.splitlines()[2:] == ["| 3 | =A2*2 |", "| 4 | =A3*2 |"]


def test_hidden_sheets_rows_and_columns_are_read_and_named(tmp_path: Path) -> None:
    workbook = _workbook([["部门", "工资", "人数"], ["研发", 100, 3], ["市场", 200, 4]])
    workbook.active.column_dimensions["B"].hidden = True
    workbook.active.row_dimensions[3].hidden = True
    secret = workbook.create_sheet("底稿")
    secret.append(["项目", "金额"])
    secret.append(["房租", 9])
    secret.sheet_state = "hidden"
    parsed = _parsed(workbook, tmp_path)
    assert "| 市场 | 200 | 4 |" in _tables(parsed)[0].text
    assert "| 房租 | 9 |" in _tables(parsed)[1].text
    assert _notes(parsed, ParseNoteKind.HIDDEN) == ["Sheet!B:B, 3:3", "底稿"]


def test_comments_on_cells_are_kept(tmp_path: Path) -> None:
    workbook = _workbook([["部门", "金额"], ["研发", 100]])
    workbook.active["B2"].comment = Comment("含税，待复核", "张三")
    assert _parsed(workbook, tmp_path).elements[-1].text == "批注 B2：含税，待复核"


@pytest.mark.parametrize(
    "value,number_format,text",
    [
        (1200.0, "¥#,##0.00", "¥1,200.00"),
        (1200.0, "[$€-407]#,##0.00", "€1,200.00"),
        (-1200.5, '#,##0.00"元";(#,##0.00"元")', "-1,200.50元"),
        (0.1256, "0.0%", "12.6%"),
        (7, "00000", "00007"),
        (1_234_567, '#,##0,"千元"', "1,235千元"),
        (0, '0;-0;"免费"', "免费"),
        (0, '_(* #,##0_);_(* (#,##0);_(* "-"_)', "0"),
        (5, ";;;", "5"),
        (date(2026, 3, 5), 'yyyy"年"m"月"d"日"', "2026-03-05"),
        (date(2026, 3, 1), 'yyyy"年"m"月"', "2026-03"),
        (date(2026, 3, 5), "[$-F800]dddd, mmmm dd, yyyy", "2026-03-05"),
        (datetime(2026, 3, 5, 14, 30), "yyyy/m/d h:mm;@", "2026-03-05 14:30"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (0.5, "h:mm", "12:00"),
    ],
)
def test_numbers_and_dates_keep_the_meaning_that_their_format_shows(
    tmp_path: Path, value: object, number_format: str, text: str
) -> None:
    assert _cell(tmp_path, value, number_format) == text


def test_dates_count_from_1904_where_the_workbook_says_so(tmp_path: Path) -> None:
    workbook = _workbook([["name", "day"], ["x", date(2026, 3, 5)]])
    workbook.epoch = CALENDAR_MAC_1904
    assert "| x | 2026-03-05 |" in _tables(_parsed(workbook, tmp_path))[0].text


def test_errors_and_truth_values_are_shown(tmp_path: Path) -> None:
    workbook = _workbook([["a", "b"], ["x", True]])
    workbook.active["A3"], workbook.active["B3"] = "y", "#DIV/0!"
    assert _tables(_parsed(workbook, tmp_path))[0].text.splitlines()[2:] == ["| x | TRUE |", "| y | #DIV/0! |"]


def test_remarks_above_a_table_and_notes_below_it_are_text(tmp_path: Path) -> None:
    rows: _Rows = [
        ["部门：研发", None, None, "日期：2026-01-05"],
        ["物料", "规格", "数量", "单价"],
        ["螺栓", "M8", 10, 1.5],
        ["螺母", "M8", 20, 0.5],
        ["注：单价含税。"],
    ]
    parsed = _parsed(_workbook(rows), tmp_path)
    assert [element.text for element in parsed.elements if element.kind is ElementKind.PARAGRAPH] == [
        "部门：研发 日期：2026-01-05",
        "注：单价含税。",
    ]
    assert _tables(parsed)[0].text.splitlines()[0] == "| 物料 | 规格 | 数量 | 单价 |"


def test_a_header_below_its_rows_is_put_on_top_with_doubt(tmp_path: Path) -> None:
    table = _tables(_parsed(_workbook([["北京", 10, 20], ["上海", 30, 40], ["城市", "收入", "支出"]]), tmp_path))[0]
    assert table.text.splitlines()[0] == "| 城市 | 收入 | 支出 |"
    assert table.text.splitlines()[2:] == ["| 北京 | 10 | 20 |", "| 上海 | 30 | 40 |"]
    assert table.doubt is Doubt.HEADER


def test_a_sum_at_the_foot_is_not_taken_for_the_header(tmp_path: Path) -> None:
    table = _tables(_parsed(_workbook([["城市", "收入"], ["北京", 10], ["合计", "见附表"]]), tmp_path))[0]
    assert table.text.splitlines()[0] == "| 城市 | 收入 |"
    assert table.doubt is None


def test_a_table_without_a_header_is_doubtful(tmp_path: Path) -> None:
    assert _tables(_parsed(_workbook([["北京", 10, 20], ["上海", 30, 40]]), tmp_path))[0].doubt is Doubt.HEADER


def test_years_over_figures_are_a_header(tmp_path: Path) -> None:
    table = _tables(_parsed(_workbook([["项目", 2024, 2025], ["收入", 130, 140], ["支出", 90, 80]]), tmp_path))[0]
    assert table.doubt is None


def test_names_over_several_columns_without_a_merge_reach_to_the_next_one(tmp_path: Path) -> None:
    rows: _Rows = [
        ["地区", "2024年", None, "2025年", None],
        [None, "收入", "支出", "收入", "支出"],
        ["华东", 1, 2, 3, 4],
    ]
    table = _tables(_parsed(_workbook(rows), tmp_path))[0]
    assert table.text.splitlines()[0] == ("| 地区 | 2024年 / 收入 | 2024年 / 支出 | 2025年 / 收入 | 2025年 / 支出 |")
    assert table.doubt is Doubt.HEADER


def test_tables_that_touch_at_a_corner_are_separate(tmp_path: Path) -> None:
    rows: _Rows = [["a", "b"], ["x", "y"], [None, None, "c", "d"], [None, None, "z", "w"]]
    assert [table.text.splitlines()[0] for table in _tables(_parsed(_workbook(rows), tmp_path))] == [
        "| a | b |",
        "| c | d |",
    ]


def test_a_unit_above_a_long_table_is_said_in_its_header(tmp_path: Path) -> None:
    rows: _Rows = [["单位：万元"], ["项目名称", "预算金额", "决算金额"]]
    rows += [[f"第{number}号基础设施改造工程", number * 10, number * 11] for number in range(1, 80)]
    parsed = _parsed(_workbook(rows), tmp_path)
    assert parsed.elements[1].text == "单位：万元"
    assert _tables(parsed)[0].text.splitlines()[0] == "| 项目名称（单位：万元） | 预算金额 | 决算金额 |"


def test_cells_behind_the_bound_are_left_out_and_said_to_be(tmp_path: Path) -> None:
    rows: _Rows = [["a", "b"]]
    rows += [[number, number] for number in range(100)]
    parsed = _parsed(_workbook(rows), tmp_path, ParseOptions(most_cells=50))
    assert len(_tables(parsed)[0].text.splitlines()) == 26
    assert _notes(parsed, ParseNoteKind.CUT_SHORT) == ["Sheet: from row 26"]


def test_two_cells_at_the_far_corners_of_a_sheet_take_no_room(tmp_path: Path) -> None:
    workbook = _workbook([["left"]])
    workbook.active["XFD1048576"] = "right"
    workbook.active["B1048576"] = "middle"
    assert [element.text for element in _parsed(workbook, tmp_path).elements] == ["Sheet", "left", "middle", "right"]


def test_properties_of_the_file_are_given(tmp_path: Path) -> None:
    workbook = _workbook([["a", "b"], ["x", 1]])
    workbook.properties.title, workbook.properties.creator = "预算表", "财务部"
    workbook.properties.keywords = "预算，2026"
    properties = _parsed(workbook, tmp_path).properties
    assert (properties.title, properties.author, properties.keywords) == ("预算表", "财务部", ("预算", "2026"))


@given(st.integers(0, 16_383), st.integers(0, 1_048_575))
def test_every_place_on_a_sheet_has_one_name(column: int, row: int) -> None:
    assert place_of(f"{column_name(column)}{row + 1}") == (row, column)


@given(st.floats(-1e12, 1e12), st.text(alphabet='0#,.%;"¥元()_*- [$]', max_size=14))
def test_any_format_shows_a_number_or_says_nothing(value: float, number_format: str) -> None:
    text = shown_number(value, number_format)
    assert text is None or text
