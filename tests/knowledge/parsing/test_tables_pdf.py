"""Tables in PDF files: rules of all kinds, none at all, heads on their side."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from veriloop.knowledge.elements import Doubt, Element, ElementKind
from veriloop.knowledge.parsing import parse_file

_TOP = 700.0
_PITCH = 16.0
_ROWS = [["Bolt", "10", "1.50"], ["Nut", "20", "0.75"], ["Washer", "300", "0.05"], ["Screw", "45", "0.20"]]


def _canvas(folder: Path) -> Canvas:
    return Canvas(str(folder / "a.pdf"), pagesize=A4)


def _cells(canvas: Canvas, rows: list[list[str]], lefts: list[float], top: float = _TOP) -> None:
    for index, row in enumerate(rows):
        for left, text in zip(lefts, row, strict=True):
            canvas.drawString(left, top - index * _PITCH, text)


def _tables(canvas: Canvas, folder: Path) -> list[Element]:
    canvas.save()
    return [element for element in parse_file(folder / "a.pdf").elements if element.kind is ElementKind.TABLE]


def _lines(table: Element) -> list[str]:
    return [line for line in table.text.splitlines() if not line.startswith("| ---")]


def test_columns_told_by_alignment_alone_are_doubtful(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    _cells(canvas, [["Item", "Count", "Price"], *_ROWS], [80, 220, 360])
    table = _tables(canvas, tmp_path)[0]
    assert _lines(table)[:2] == ["| Item | Count | Price |", "| Bolt | 10 | 1.50 |"]
    assert table.doubt is Doubt.COLUMNS


def test_three_rules_make_a_table_of_two_columns(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    _cells(canvas, [["Item", "Price"], *([name, price] for name, _, price in _ROWS)], [80, 300])
    for y in (_TOP + 13, _TOP - 4, _TOP - 4 * _PITCH - 5):
        canvas.line(75, y, 400, y)
    assert _lines(_tables(canvas, tmp_path)[0]) == [
        "| Item | Price |", "| Bolt | 1.50 |", "| Nut | 0.75 |", "| Washer | 0.05 |", "| Screw | 0.20 |",
    ]  # fmt: skip


def test_names_over_several_columns_are_joined_with_the_names_below(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    canvas.drawString(180, _TOP + _PITCH, "------ First half ------".replace("-", "~"))
    canvas.drawString(380, _TOP + _PITCH, "~~~~~~ Second half ~~~~~~")
    rows = [[name, "1", "2", "3", "4"] for name in ("North", "South", "East")]
    _cells(canvas, [["Region", "Income", "Costs", "Income", "Costs"], *rows], [80, 180, 260, 380, 460])
    header = _lines(_tables(canvas, tmp_path)[0])[0]
    assert header.count("First half") == 2
    assert header.count("Second half") == 2
    assert header.index("First half") < header.index("Second half")


def test_the_rest_of_a_wrapped_cell_joins_its_row(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    rows = [["No.", "Task", "Days"], ["1", "Lay the cable through", "12"], ["", "the northern duct", ""]]
    _cells(canvas, [*rows, ["2", "Test the line", "3"], ["3", "Hand over", "1"]], [80, 140, 400])
    assert _lines(_tables(canvas, tmp_path)[0])[1] == "| 1 | Lay the cable through the northern duct | 12 |"


@pytest.mark.parametrize("dash", [(1, 1), (3, 2), (6, 3)])
def test_dotted_and_dashed_rules_are_rules(tmp_path: Path, dash: tuple[int, int]) -> None:
    canvas = _canvas(tmp_path)
    xs, ys = [75, 215, 355, 460], [_TOP + 12 - index * _PITCH for index in range(6)]
    on, off = dash
    for y in ys:
        for step in range(0, xs[-1] - xs[0], on + off):
            canvas.rect(xs[0] + step, y, on, 0.5, stroke=0, fill=1)
    for x in xs:
        for step in range(0, int(ys[0] - ys[-1]), on + off):
            canvas.rect(x, ys[-1] + step, 0.5, on, stroke=0, fill=1)
    _cells(canvas, [["Item", "Count", "Price"], ["Bolt", "", "1.50"], *_ROWS[1:]], [80, 220, 360])
    table = _tables(canvas, tmp_path)[0]
    assert _lines(table)[:2] == ["| Item | Count | Price |", "| Bolt |  | 1.50 |"]
    assert table.doubt is None


def test_a_body_without_column_rules_below_a_ruled_header_gets_its_columns(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    xs = [75, 215, 355, 460]
    for x in xs:
        canvas.line(x, _TOP + 12, x, _TOP - 4)
    for y in (_TOP + 12, _TOP - 4, _TOP - 5 * _PITCH):
        canvas.line(xs[0], y, xs[-1], y)
    for x in (xs[0], xs[-1]):
        canvas.line(x, _TOP - 4, x, _TOP - 5 * _PITCH)
    _cells(canvas, [["Item", "Count", "Price"], *_ROWS], [80, 220, 360])
    assert _lines(_tables(canvas, tmp_path)[0]) == [
        "| Item | Count | Price |", *(f"| {' | '.join(row)} |" for row in _ROWS),
    ]  # fmt: skip


@pytest.mark.parametrize("upwards", [True, False])
def test_heads_on_their_side_are_read(tmp_path: Path, upwards: bool) -> None:
    canvas = _canvas(tmp_path)
    xs = [75, 215, 245, 275]
    ys = [_TOP + 80, _TOP + 12, *(_TOP + 12 - _PITCH * index for index in range(1, 5))]
    canvas.grid(xs, ys)
    canvas.drawString(80, _TOP + 20, "Item")
    for left, text in ((215, "Count"), (245, "Unit price")):
        canvas.saveState()
        canvas.translate(left + (18 if upwards else 10), _TOP + (16 if upwards else 76))
        canvas.rotate(90 if upwards else -90)
        canvas.drawString(0, 0, text)
        canvas.restoreState()
    _cells(canvas, _ROWS, [80, 220, 250])
    assert _lines(_tables(canvas, tmp_path)[0])[0] == "| Item | Count | Unit price |"


def test_a_box_around_lines_of_code_is_no_table(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    canvas.grid([75, 400, 420], [_TOP + 12, _TOP - 4, _TOP - 20])
    _cells(canvas, [["Sync()"], ["RobotMode()"]], [80])
    assert not _tables(canvas, tmp_path)


def test_words_that_a_narrow_cell_breaks_are_one_name(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    canvas.grid([75, 130, 300], [_TOP + 12, _TOP - 20, _TOP - 36, _TOP - 52])
    _cells(canvas, [["Reserve", "Meaning"], ["capacity", ""], ["12", "Kept free"], ["14", "Spare"]], [80, 140])
    assert _lines(_tables(canvas, tmp_path)[0])[0] == "| Reserve capacity | Meaning |"


def test_tables_that_share_a_frame_are_apart_where_new_columns_begin(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    ys = [_TOP + 12 - _PITCH * index for index in range(8)]
    for y in ys:
        canvas.line(75, y, 395, y)
    for xs, top, bottom in (((75, 155, 235, 315, 395), 0, 3), ((75, 395), 3, 4), ((75, 235, 395), 4, 7)):
        for x in xs:
            canvas.line(x, ys[top], x, ys[bottom])
    _cells(
        canvas,
        [["Name", "Kind", "Share", "Count"], ["A", "fund", "12%", "7"], ["B", "firm", "8%", "5"]],
        [80, 160, 240, 320],
    )
    canvas.drawString(200, _TOP - 3 * _PITCH, "Largest holders")
    _cells(canvas, [["Holder", "Amount"], ["C", "100"], ["D", "200"]], [80, 240], _TOP - 4 * _PITCH)
    tables = _tables(canvas, tmp_path)
    assert [_lines(table)[0] for table in tables] == ["| Name | Kind | Share | Count |", "| Holder | Amount |"]


def test_a_unit_above_a_long_table_is_said_in_its_header(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    canvas.drawString(75, _TOP + 40, "Unit: EUR million")
    rows = [
        ["Item", "Income of the year"],
        *([f"Department number {index} of the company", str(index)] for index in range(40)),
    ]
    canvas.grid([75, 300, 420], [_TOP + 12 - _PITCH * index for index in range(len(rows) + 1)])
    _cells(canvas, rows, [80, 305])
    assert _lines(_tables(canvas, tmp_path)[0])[0] == "| Item (EUR million) | Income of the year |"


def test_white_grounds_of_lines_are_no_rules(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    rows = [["Item", "Count", "Price"], *_ROWS]
    canvas.grid([75, 215, 355, 460], [_TOP + 12 - _PITCH * index for index in range(len(rows) + 1)])
    canvas.setFillGray(1)
    for index in range(len(rows)):
        for left, right in ((81, 209), (221, 349), (361, 454)):
            canvas.rect(left, _TOP - _PITCH * index - 3, right - left, 12, stroke=0, fill=1)
    canvas.setFillGray(0)
    _cells(canvas, rows, [82, 222, 362])
    assert _lines(_tables(canvas, tmp_path)[0]) == [f"| {' | '.join(row)} |" for row in rows]


def test_a_row_that_names_the_columns_anew_begins_another_table(tmp_path: Path) -> None:
    canvas = _canvas(tmp_path)
    rows = [["", "This quarter", "Last quarter"], ["Income", "10", "20"], ["Profit", "3", "4"]]
    rows += [["", "End of quarter", "End of year"], ["Assets", "100", "90"], ["Equity", "50", "45"]]
    canvas.grid([75, 215, 335, 460], [_TOP + 12 - _PITCH * index for index in range(len(rows) + 1)])
    _cells(canvas, rows, [80, 220, 340])
    tables = _tables(canvas, tmp_path)
    assert [_lines(table)[0] for table in tables] == [
        "|  | This quarter | Last quarter |",
        "|  | End of quarter | End of year |",
    ]
