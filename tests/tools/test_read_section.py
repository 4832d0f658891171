"""The tool that reads: its arguments, what it brings back, and whom it tells of a poor directory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError
from support.reading_rules import reading_library
from veriloop import Caller, Library
from veriloop.graphs.reading import read_up
from veriloop.reading_state import ReadingRequest, ReadingResult
from veriloop.tools.assembly import ToolNeeds
from veriloop.tools.contracts import Permission, Tool, ToolOutput
from veriloop.tools.read_section import ReadSectionArguments, make_read_section
from veriloop.tools.registry import ToolRegistry


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with reading_library(tmp_path_factory.mktemp("tool")) as opened:
        yield opened


def tool_for(library: Library, reader: Any = read_up, caller: Caller | None = None) -> Tool:
    tool = make_read_section(ToolNeeds(library, caller or Caller(), reader=reader))
    assert tool is not None
    return tool


def test_it_brings_the_blocks_of_its_notes_with_what_was_noted(library: Library) -> None:
    output = tool_for(library).run(ReadSectionArguments(question="逾期归还设备的怎么处理？"))
    noted = [hit.block.text[hit.focus[0].start : hit.focus[0].end] for hit in output.hits]
    assert any(text.startswith("第八条") for text in noted) and any(text.startswith("第十一条") for text in noted)
    assert output.library_version == library.version and not output.notes


def test_a_section_that_is_named_is_read_first(library: Library) -> None:
    arguments = ReadSectionArguments(question="设备的编号贴在哪里？", section="附带条款", documents=("设备借用规定",))
    output = tool_for(library).run(arguments)
    assert output.hits and output.hits[0].block.section_path[-1] == "第三章 附带条款"


def test_it_reads_and_is_idempotent_and_runs_through_the_registry(library: Library) -> None:
    tool = tool_for(library)
    assert tool.permission is Permission.READ and tool.idempotent
    output = ToolRegistry([tool]).run(tool.name, {"question": "损坏设备怎么赔偿？"})
    assert isinstance(output, ToolOutput) and output.hits


def test_without_a_reader_there_is_no_tool(library: Library) -> None:
    assert make_read_section(ToolNeeds(library, Caller())) is None


@pytest.mark.parametrize(
    "wrong",
    [{"question": ""}, {"question": "多久？", "documents": ["x"] * 11}, {"question": "多久？", "caller": "owner"}],
)
def test_arguments_are_bounded_and_hold_no_rights(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ReadSectionArguments.model_validate(wrong)


def test_only_who_keeps_the_library_is_told_of_blocks_read_again(library: Library) -> None:
    def reader(request: ReadingRequest, needs: ToolNeeds) -> ReadingResult:
        return read_up(request, needs).model_copy(update={"signals": ("block 1 of a.md was read again",)})

    arguments = ReadSectionArguments(question="逾期归还设备的怎么处理？")
    assert not tool_for(library, reader).run(arguments).notes
    (note,) = tool_for(library, reader, Caller.owner()).run(arguments).notes
    assert "block 1 of a.md" in note
