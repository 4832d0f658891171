"""Workbooks: real headers, merged cells, values as shown."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest
from openpyxl import Workbook
from veriloop.errors import InputFileError
from veriloop.knowledge.elements import ElementKind
from veriloop.knowledge.parsing import parse_file


def _save(folder: Path, rows: list[list[object]], merged: tuple[str, ...] = (), title: str = "费用") -> Path:
    workbook = Workbook()
    sheet = workbook.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    for area in merged:
        sheet.merge_cells(area)
    workbook.save(folder / "a.xlsx")
    return folder / "a.xlsx"


def test_a_title_above_the_table_is_not_its_header(tmp_path: Path) -> None:
    rows: list[list[object]] = [["2026年费用表", None, None], ["单位：元"], ["部门", "交通", "住宿"], ["研发", 1, 2.0]]
    elements = parse_file(_save(tmp_path, rows, ("A1:C1",))).elements
    assert [(element.kind, element.text) for element in elements] == [
        (ElementKind.HEADING, "费用"),
        (ElementKind.PARAGRAPH, "2026年费用表"),
        (ElementKind.PARAGRAPH, "单位：元"),
        (ElementKind.TABLE, "| 部门 | 交通 | 住宿 |\n| --- | --- | --- |\n| 研发 | 1 | 2 |"),
    ]


def test_a_header_of_merged_cells_is_flattened_and_merged_values_repeat(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Team", "Costs", None], [None, "Travel", "Hotel"], ["A", 1, 2], [None, 3, 4]]
    table = parse_file(_save(tmp_path, rows, ("A1:A2", "B1:C1", "A3:A4"))).elements[1].text
    assert table.splitlines() == [
        "| Team | Costs / Travel | Costs / Hotel |",
        "| --- | --- | --- |",
        "| A | 1 | 2 |",
        "| A | 3 | 4 |",
    ]


def test_tables_apart_on_a_sheet_are_separate(tmp_path: Path) -> None:
    rows: list[list[object]] = [["a", "b"], ["x", 2], [], [], ["c", "d"], ["y", 4]]
    assert sum(element.kind is ElementKind.TABLE for element in parse_file(_save(tmp_path, rows)).elements) == 2


@pytest.mark.parametrize(
    "value,number_format,text",
    [
        (0.125, "0.0%", "12.5%"),
        (0.1 + 0.2, "General", "0.3"),
        (3.14159, "0.00", "3.14"),
        (1234567.0, "#,##0", "1234567"),
        (5.0, "General", "5"),
        (date(2026, 3, 1), "yyyy-mm-dd", "2026-03-01"),
        (datetime(2026, 3, 1, 8, 30), "yyyy-mm-dd hh:mm", "2026-03-01 08:30"),
        (True, "General", "TRUE"),
    ],
)
def test_values_are_given_as_the_sheet_shows_them(tmp_path: Path, value: object, number_format: str, text: str) -> None:
    workbook = Workbook()
    sheet = workbook.active
    sheet.append(["name", "value"])
    sheet.append(["x", value])
    sheet["B2"].number_format = number_format
    workbook.save(tmp_path / "a.xlsx")
    assert parse_file(tmp_path / "a.xlsx").elements[1].text.splitlines()[2] == f"| x | {text} |"


def test_each_sheet_is_a_page_with_its_name(tmp_path: Path) -> None:
    workbook = Workbook()
    workbook.active.append(["only a note"])
    second = workbook.create_sheet("明细")
    second.append(["项目", "金额"])
    second.append(["差旅", 3])
    workbook.save(tmp_path / "a.xlsx")
    parsed = parse_file(tmp_path / "a.xlsx")
    assert parsed.pages == 2
    assert [(element.text, element.page) for element in parsed.elements if element.level] == [("Sheet", 1), ("明细", 2)]


def test_the_suffix_of_a_workbook_does_not_matter(tmp_path: Path) -> None:
    path = _save(tmp_path, [["a", "b"], [1, 2]]).rename(tmp_path / "a.txt")
    assert parse_file(path).elements[1].kind is ElementKind.TABLE


def test_an_empty_workbook_has_nothing_to_index(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="nothing to index"):
        parse_file(_save(tmp_path, []))
