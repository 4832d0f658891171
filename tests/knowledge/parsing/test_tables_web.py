"""Tables in web pages, delimited texts and presentations."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pptx import Presentation
from pptx.util import Inches
from veriloop.knowledge.elements import Doubt, Element, ElementKind, ParsedDocument, ParseNoteKind, ParseOptions
from veriloop.knowledge.parsing import parse_file
from veriloop.knowledge.parsing.table_signs import with_signs
from veriloop.knowledge.parsing.tables import split_row, to_markdown


def _page(folder: Path, body: str) -> ParsedDocument:
    (folder / "a.html").write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    return parse_file(folder / "a.html")


def _csv(folder: Path, text: str, options: ParseOptions | None = None) -> ParsedDocument:
    (folder / "a.csv").write_text(text, encoding="utf-8")
    return parse_file(folder / "a.csv", options=options)


def _tables(parsed: ParsedDocument) -> list[Element]:
    return [element for element in parsed.elements if element.kind is ElementKind.TABLE]


def _rows(rows: list[list[str]]) -> str:
    return "<table>" + "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows) + "</table>"


def test_a_table_inside_a_cell_is_part_of_its_text_and_one_of_its_own(tmp_path: Path) -> None:
    inner = _rows([["kind", "sound"], ["short", "quak"]])
    parsed = _page(tmp_path, _rows([["action", "detail"], ["swim", "glides"], ["quack", inner]]))
    assert [table.text.splitlines()[0] for table in _tables(parsed)] == ["| action | detail |", "| kind | sound |"]
    assert "| quack | kind sound<br>short quak |" in _tables(parsed)[0].text


@pytest.mark.parametrize(
    "table",
    [
        "<table role=presentation><tr><td>Left</td><td><p>Right</p></td></tr></table>",
        "<table><tr><td>Left</td></tr><tr><td>Right</td></tr></table>",
        "<table><tr><td><h2>Left</h2></td><td>Right</td></tr></table>",
    ],
)
def test_a_table_that_arranges_the_page_is_text_in_reading_order(tmp_path: Path, table: str) -> None:
    parsed = _page(tmp_path, table)
    assert [element.text for element in parsed.elements] == ["Left", "Right"]
    assert {element.doubt for element in parsed.elements} == {Doubt.LAYOUT}


def test_signs_in_columns_of_their_own_join_their_figures(tmp_path: Path) -> None:
    rows = [["", "2025", "", "", "Share", ""], ["Income", "$", "10", "", "40", "%"], ["Loss", "$", "(3", ")", "6", "%"]]
    table = _tables(_page(tmp_path, _rows(rows)))[0]
    assert table.text.splitlines()[2:] == ["| Income | $10 | 40% |", "| Loss | $(3) | 6% |"]


def test_two_rows_of_names_without_header_cells_are_one_header(tmp_path: Path) -> None:
    head = "<tr><td></td><td colspan=2>2024</td><td colspan=2>2025</td></tr>"
    names = "".join(f"<td>{name}</td>" for name in ("Region", "in", "out", "in", "out"))
    page = f"<table>{head}<tr>{names}</tr><tr><td>North</td><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>"
    header = _tables(_page(tmp_path, page))[0].text.splitlines()[0]
    assert header == "| Region | 2024 / in | 2024 / out | 2025 / in | 2025 / out |"


def test_labels_in_the_first_column_are_kept_as_they_stand(tmp_path: Path) -> None:
    table = _tables(_page(tmp_path, _rows([["功率", "15 kW", "30 kW"], ["重量", "120 kg", "210 kg"]])))[0]
    assert table.text.splitlines()[0] == "| 功率 | 15 kW | 30 kW |"
    assert table.doubt is Doubt.HEADER


def test_the_frame_of_a_page_is_furniture(tmp_path: Path) -> None:
    frame = "<nav>Home</nav><p>Text of the page.</p><aside><a href=x>More like this</a></aside><footer>Imprint</footer>"
    parsed = _page(tmp_path, frame + "<aside>A remark that belongs here.</aside>")
    assert [element.text for element in parsed.elements] == ["Text of the page.", "A remark that belongs here."]
    assert [(piece.kind.value, piece.text) for piece in parsed.furniture] == [
        ("header", "Home"), ("footer", "More like this"), ("footer", "Imprint"),
    ]  # fmt: skip


def test_lines_above_a_delimited_table_are_text(tmp_path: Path) -> None:
    parsed = _csv(tmp_path, "2026年销售表,,\n单位：万元,,\n地区,收入,支出\n华东,10,8\n华南,7,5\n")
    assert [element.text for element in parsed.elements[:2]] == ["2026年销售表", "单位：万元"]
    assert _tables(parsed)[0].text.splitlines()[0] == "| 地区 | 收入 | 支出 |"


def test_a_stated_delimiter_is_used(tmp_path: Path) -> None:
    assert _tables(_csv(tmp_path, "sep=;\na;b,c\n1;2,5\n"))[0].text.splitlines()[0] == "| a | b,c |"


def test_rows_behind_the_bound_are_left_out_and_said_to_be(tmp_path: Path) -> None:
    text = "a,b\n" + "".join(f"{number},{number}\n" for number in range(50))
    parsed = _csv(tmp_path, text, ParseOptions(most_cells=20))
    assert len(_tables(parsed)[0].text.splitlines()) == 11
    assert [(note.kind, note.detail) for note in parsed.notes] == [(ParseNoteKind.CUT_SHORT, "from row 11")]


def test_hidden_slides_are_read_and_named_and_merged_heads_flattened(tmp_path: Path) -> None:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(1), Inches(6), Inches(2)).table
    for index, text in enumerate(["部门", "费用", "", "", "交通", "住宿", "研发", "1", "2"]):
        table.cell(index // 3, index % 3).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    slide._element.set("show", "0")
    presentation.core_properties.author = "财务部"
    presentation.save(str(tmp_path / "a.pptx"))
    parsed = parse_file(tmp_path / "a.pptx")
    assert _tables(parsed)[0].text.splitlines()[0] == "| 部门 | 费用 / 交通 | 费用 / 住宿 |"
    assert [(note.kind, note.page) for note in parsed.notes] == [(ParseNoteKind.HIDDEN, 1)]
    assert parsed.properties.author == "财务部"


_CELL = st.sampled_from(["", "$", "%", "(3", ")", "7", "x"])


@given(st.lists(st.lists(_CELL, min_size=4, max_size=4), min_size=2, max_size=6))
def test_no_sign_or_figure_gets_lost_when_columns_join(grid: list[list[str]]) -> None:
    joined = with_signs(grid, 1)
    for before, after in zip(grid[1:], joined[1:], strict=True):
        assert set("".join(before)) == set("".join(after))


@given(st.lists(st.lists(_CELL, min_size=1, max_size=5), min_size=1, max_size=6))
def test_every_table_stays_rectangular(grid: list[list[str]]) -> None:
    assert len({len(split_row(line)) for line in to_markdown(grid).splitlines()}) <= 1
