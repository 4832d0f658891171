"""What a run is given: put together when it is needed, and not before."""

from __future__ import annotations

from pathlib import Path

from langgraph.runtime import Runtime
from support.documents import filled
from veriloop.context import Context, resources


def test_tools_are_put_together_when_a_step_asks_for_them_and_once(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        given = resources(Runtime(context=Context(library=library)))
        assert "tools" not in vars(given)
        assert "search_documents" in given.tools and given.tools is given.tools
