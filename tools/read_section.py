"""The tool that reads: block by block from where the question points to, until the notes answer (S0)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from ..knowledge.documents import Caller
from ..knowledge.library import MAX_QUERY_CHARACTERS
from ..knowledge.query.models import SearchFilter
from ..knowledge.search import Hit
from ..knowledge.text.counting import counted
from ..knowledge.text.normalise import has_chinese
from ..models.allowance import allowance
from ..reading_state import ReadingRequest, ReadingResult, ReadingStop
from .addressing import addressed_parts, settled_output, with_parts
from .contracts import Category, Tool, ToolOutput
from .search_arguments import FirstDay, LastDay, Names, SearchArguments

if TYPE_CHECKING:
    from .assembly import ToolNeeds

READ_SECTION = "read_section"
_MOST_NAMES = 10
_LONGEST_NAME = 300
# A reading ends by its own share of the run's time; this is only the net below that.
_TIMEOUT_SECONDS = 600.0
_REREAD = {
    "zh": "精读时反复回到同一段（{0}），候选定位可能有问题，请检查目录。",
    "en": "Reading went back to the same block again and again ({0}); the directory may be poor there.",
}

Reader = Callable[[ReadingRequest, "ToolNeeds"], ReadingResult]
"""Reads for a tool; handed down from where the agent is put together."""


class ReadSectionArguments(BaseModel):
    """What the reading tool is called with. The caller is no argument: whose rights hold is fixed for the run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = Field(min_length=1, max_length=MAX_QUERY_CHARACTERS, description="a question in natural language")
    documents: tuple[str, ...] = Field(
        default=(), max_length=_MOST_NAMES, description="read only these, by title or file name; empty: all"
    )
    section: str = Field(
        default="", max_length=_LONGEST_NAME, description="begin with this section or clause (附件四, 第十二条, 3.2 …)"
    )
    doc_types: Names = Field(default=(), max_length=_MOST_NAMES, description="only documents of these types")
    domains: Names = Field(default=(), max_length=_MOST_NAMES, description="only documents of these domains")
    dated_from: FirstDay = Field(default=None, description="only documents dated this day (2024-03-01) or later")
    dated_to: LastDay = Field(default=None, description="only documents dated this day or earlier")
    in_force_on: LastDay = Field(default=None, description="only editions in force on this day, or `today`")

    def filters(self) -> SearchFilter | None:
        """Which documents the arguments mean; None: what the question says of them."""
        named = self.model_dump(include={"doc_types", "domains", "dated_from", "dated_to", "in_force_on"})
        return SearchArguments(query=self.question, **named).filters()


def make_read_section(needs: ToolNeeds) -> Tool | None:
    """The tool for one run; None where nobody handed down a reader, or the settings switch it off."""
    reader: Reader | None = needs.reader
    if reader is None or not needs.library.settings.reading.enabled:
        return None

    return Tool(
        name=READ_SECTION,
        description=(
            "Read the documents block by block from where the question points to, following the section, the "
            "cross-references and the table, until the notes answer: for exact clauses, annexes, tables that run on, "
            "and rules that refer to other rules."
        ),
        not_for="Not for a plain fact that one search finds, nor for arithmetic.",
        category=Category.DOCUMENTS,
        arguments=ReadSectionArguments,
        run=partial(_read, reader, needs),
        timeout_seconds=_TIMEOUT_SECONDS,
        examples=(
            "附件四列出的材料和第十二条要求的手续分别是什么？",
            "What does Section 3.2 require, and what does the annex that it refers to say?",
        ),
    )


def _read(reader: Reader, needs: ToolNeeds, arguments: ReadSectionArguments) -> ToolOutput:
    filters = arguments.filters()
    looked_up = addressed_parts(
        needs.library,
        needs.caller,
        arguments.question,
        section=arguments.section,
        named=arguments.documents,
        filters=filters,
        within=needs.within,
    )
    if looked_up is not None and looked_up.addressed.is_settled:
        return settled_output(looked_up, arguments.question, needs.library.version)
    found = _read_up(reader, needs, arguments, filters)
    return found if looked_up is None else with_parts(found, looked_up, arguments.question)


def _read_up(
    reader: Reader, needs: ToolNeeds, arguments: ReadSectionArguments, filters: SearchFilter | None
) -> ToolOutput:
    request = ReadingRequest(
        question=arguments.question, documents=arguments.documents, section=arguments.section, filters=filters
    )
    result = reader(request, needs)
    lent = allowance()
    if lent is not None:
        lent.said.append(told(result))
    return ToolOutput(
        hits=tuple(_hits(result)),
        library_version=result.library_version,
        notes=_notes(result, arguments.question, needs.caller),
    )


def _hits(result: ReadingResult) -> Iterator[Hit]:
    """The blocks of the notes with what was noted of them, then those that came near."""
    for rank, note in enumerate(result.notes, start=1):
        yield Hit(rank=rank, score=note.score, block=note.block, document=note.document, focus=note.quotes)
    for rank, one in enumerate(result.beside, start=len(result.notes) + 1):
        yield Hit(rank=rank, score=one.score, block=one.block, document=one.document, focus=one.focus)


def _notes(result: ReadingResult, question: str, caller: Caller) -> tuple[str, ...]:
    """Whoever keeps the library is told what points at a poor directory; others could do nothing about it."""
    if not result.signals or not caller.is_owner:
        return ()
    return (_REREAD["zh" if has_chinese(question) else "en"].format("; ".join(result.signals)),)


def told(result: ReadingResult) -> str:
    """A reading as a trace tells it: no text of documents."""
    actions = Counter(one.action.value for one in result.read)
    done = ", ".join(f"{number} {action}" for action, number in actions.items())
    signals = f"; signals: {'; '.join(result.signals)}" if result.signals else ""
    end = result.stop.value if result.stop is not ReadingStop.NOTHING_FOUND else "nothing to begin with"
    return f"read {counted(len(result.read), 'block')} ({done}), stop: {end}{signals}" if result.read else end
