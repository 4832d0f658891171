"""Grids of cells as Markdown tables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from veriloop.knowledge.parsing.tables import Span, place, split_row, to_markdown

_CELLS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)


def test_pipes_and_line_breaks_in_cells_do_not_break_the_table() -> None:
    table = to_markdown([["a|b", "备注"], ["第一行\n第二行", "x"]])
    assert table == "| a\\|b | 备注 |\n| --- | --- |\n| 第一行<br>第二行 | x |"


def test_merged_cells_repeat_their_text_down_and_across() -> None:
    grid = place(
        [[Span("部门", 2), Span("费用", 1, 2)], [Span("交通"), Span("住宿")], [Span("研发"), Span("1"), Span("2")]]
    )
    assert grid == [["部门", "费用", "费用"], ["部门", "交通", "住宿"], ["研发", "1", "2"]]


def test_a_header_of_two_rows_becomes_one() -> None:
    table = to_markdown([["部门", "费用", "费用"], ["部门", "交通", "住宿"], ["研发", "1", "2"]], header_rows=2)
    assert table.splitlines()[0] == "| 部门 | 费用 / 交通 | 费用 / 住宿 |"


def test_a_false_span_cannot_exhaust_memory() -> None:
    grid = place([[Span("x", 1, 10**9)]])
    assert len(grid[0]) <= 200


def test_an_empty_grid_is_no_table() -> None:
    assert to_markdown([["", " "], []]) == ""


@given(st.lists(st.lists(_CELLS, min_size=1, max_size=6), min_size=1, max_size=6), st.integers(0, 4))
def test_every_row_has_as_many_cells_as_the_header(grid: list[list[str]], header_rows: int) -> None:
    lines = to_markdown(grid, header_rows).splitlines()
    assert len({len(split_row(line)) for line in lines}) <= 1
    assert all(line.startswith("| ") and line.endswith(" |") for line in lines)
