"""The page on graphs and rules shows the graphs as they are."""

from __future__ import annotations

from pathlib import Path

from veriloop.graphs.drawing import page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "graphs.md"


def test_the_page_is_what_the_compiled_graphs_draw() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make graphs`"
