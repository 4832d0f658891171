"""The choice of a tool by rules: what leaves no doubt first, then what the tools say of themselves, else documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ...knowledge.text.normalise import normalise
from ..contracts import ArgumentsFound, Category, Permission, Tool
from ..search_documents import SEARCH_DOCUMENTS
from .computing import computing_cue
from .cues import (
    asks_for_figures,
    asks_what_is_now,
    is_command,
    memory_cue,
    names_database,
    relation_cue,
    section_cue,
)
from .models import GREY, SURE, TAKEN, Cue, ToolChoice
from .similarity import knows_of, likeness, weights_among
from .wording import NORM, PAPER

READ_SECTION, QUERY_GRAPH, QUERY_SQL = "read_section", "query_graph", "query_sql"
CALCULATE, CALL_API, LOOKUP_MEMORY = "calculate", "call_api", "lookup_memory"
PRODUCT_TOOLS = frozenset({SEARCH_DOCUMENTS, READ_SECTION, QUERY_GRAPH, QUERY_SQL, CALCULATE, CALL_API, LOOKUP_MEMORY})
"""The product's own tools: hard rules know them by name."""
# Shares of the question's words that a source has to know of.
_MOST_KNOWN, _SOME_KNOWN = 0.6, 0.34
_SOME_LIVE = 0.5
_OWN_ALONE = 0.65
"""Of a rule that accounts for every word of a question, where nothing else speaks for its tool."""
_FOR_A_MODEL = 0.55
"""In the grey zone."""
# Likeness is no proof; and what is written somewhere is looked up there.
_MOST_LIKE, _DOCUMENTS_FIRST = 0.88, 0.6

_HARD: dict[str, Callable[[str], Cue | None]] = {
    LOOKUP_MEMORY: memory_cue,
    CALCULATE: computing_cue,
    READ_SECTION: section_cue,
    QUERY_GRAPH: relation_cue,
}


class CallReader(Protocol):
    """Reads calls by the tools' own rules; `ToolRegistry` does."""

    def read_arguments(self, tool: Tool, question: str) -> ArgumentsFound | None:
        """What a tool would be called with; None: it is not for it, or it has no rule."""

    def permission(self, tool: Tool, arguments: Mapping[str, Any] | None) -> Permission:
        """What a call may do; None: at most."""


class _Candidate(NamedTuple):
    tool: Tool
    cue: Cue
    found: ArgumentsFound | None

    @property
    def lacks(self) -> tuple[str, ...]:
        return self.found.missing if self.found is not None else ()


class _Asked(NamedTuple):
    """A question as the rules look at it."""

    question: str
    text: str
    """Normalised."""
    is_command: bool
    like: Callable[[Tool], float]


def choose_by_rules(question: str, tools: Sequence[Tool], calls: CallReader) -> ToolChoice:
    """The tool that a question is for.

    A question never goes to a tool that is not offered, nor by rules to one whose own rule finds no call, nor, unless
    it tells somebody to do something, to a call that changes anything; where nothing speaks clearly for another
    tool, the documents are searched.

    Args:
        question: one part of what was asked; `{t1}` stands for what an earlier part finds.
        tools: that are offered.
        calls: how the arguments of a call are read from a question: a `ToolRegistry`.
    """
    found = sorted(_candidates(question, tools, calls), key=lambda one: -one.cue.confidence)
    best = next((one for one in found if not one.lacks), None)
    lacking = next((one for one in found if one.lacks and one.cue.confidence >= TAKEN), None)
    if best is not None and best.cue.confidence >= max(TAKEN, lacking.cue.confidence if lacking else 0.0):
        call = best.found.arguments if best.found else None
        return ToolChoice(best.tool.name, best.cue.reason, best.cue.confidence, arguments=call)
    if lacking is not None:
        reason = f"{lacking.tool.name} would need {', '.join(lacking.lacks)}"
        return ToolChoice(SEARCH_DOCUMENTS, reason, GREY, missing=lacking.lacks)
    doubt = best.cue.confidence if best is not None else 0.0
    runner_up = best.tool.name if best is not None else ""
    return ToolChoice(SEARCH_DOCUMENTS, "nothing speaks for another tool", 1 - doubt, runner_up=runner_up)


def _candidates(question: str, tools: Sequence[Tool], calls: CallReader) -> Iterator[_Candidate]:
    text = normalise(question)
    weight = weights_among(tools)
    asked = _Asked(question, text, is_command(text), lambda tool: likeness(tool, question, weight))
    for tool in tools:
        if tool.name == SEARCH_DOCUMENTS:
            continue
        found = calls.read_arguments(tool, question)
        permission = calls.permission(tool, found.arguments if found else None)
        cue = _cue(tool, asked, found, permission)
        if cue is not None and tool.by_rules is not None and found is None:
            # Its own rule finds no call: only a model may.
            cue = cue._replace(confidence=min(cue.confidence, _FOR_A_MODEL))
        if cue is not None and cue.confidence >= GREY:
            yield _Candidate(tool, cue, found)


def _cue(tool: Tool, asked: _Asked, found: ArgumentsFound | None, permission: Permission) -> Cue | None:
    """What speaks for a tool, as its kind has it."""
    if tool.name in _HARD:
        return _with_own_rule(_HARD[tool.name](asked.text), asked, found)
    if asked.is_command:
        return _command_cue(tool, asked, found)
    if asks_what_is_now(asked.text) and tool.live and (cue := _live_cue(tool, asked, found)):
        return cue
    if permission is Permission.WRITE:
        return None
    if tool.category is Category.DATA:
        return _data_cue(tool, asked, found)
    return _with_own_rule(_like_cue(tool, asked), asked, found)


def _with_own_rule(cue: Cue | None, asked: _Asked, found: ArgumentsFound | None) -> Cue | None:
    """A cue together with the tool's own rule, which alone counts only where nothing speaks for the documents."""
    if found is None or (cue is not None and cue.confidence >= found.confidence):
        return cue
    is_open = not NORM.search(asked.text) and not PAPER.search(asked.text)
    own = Cue(found.confidence, found.reason or "the tool's own rule")
    return own if cue is not None or is_open or found.confidence >= SURE else None


def _command_cue(tool: Tool, asked: _Asked, found: ArgumentsFound | None) -> Cue | None:
    """Told to do something that a tool can do."""
    known = max(knows_of(tool, asked.question), asked.like(tool) if not tool.subjects else 0.0)
    if found is None and known < _SOME_KNOWN:
        return None
    return Cue(max(SURE, found.confidence if found else 0.0), "is told to do something")


def _live_cue(tool: Tool, asked: _Asked, found: ArgumentsFound | None) -> Cue | None:
    """What is so right now, of something that a live source knows of."""
    known = max(knows_of(tool, asked.question), asked.like(tool))
    if found is not None and found.confidence >= TAKEN:
        known = max(known, _SOME_LIVE)
    return Cue(SURE, "asks what is so right now") if known >= _SOME_LIVE else None


def _data_cue(tool: Tool, asked: _Asked, found: ArgumentsFound | None) -> Cue | None:
    """A figure over rows of something that a database holds."""
    known, figures = knows_of(tool, asked.question), asks_for_figures(asked.text)
    own = found.confidence if found else 0.0
    if names_database(asked.text) and (known or own >= GREY or not tool.subjects):
        return Cue(max(SURE, own), "names the database")
    if own >= SURE and figures:
        return Cue(own, found.reason if found else "")
    if NORM.search(asked.text) or (PAPER.search(asked.text) and (figures < 1 or known < _MOST_KNOWN)):
        return None
    if figures == 1 and known >= _SOME_KNOWN:
        return Cue(max(0.85, own), "asks for figures of a period or over many rows")
    if figures and known >= _MOST_KNOWN:
        return Cue(max(0.7, own), "asks for a figure that the database holds")
    if figures and own:
        return Cue(own, found.reason if found else "")
    if own >= _OWN_ALONE:
        # Its own rule has accounted for every word of the question.
        return Cue(own, found.reason if found else "")
    return None if tool.subjects else _like_cue(tool, asked)


def _like_cue(tool: Tool, asked: _Asked) -> Cue | None:
    """How much the question is like what the tool says it is for; papers and norms are for the documents first."""
    value = asked.like(tool)
    if NORM.search(asked.text) or PAPER.search(asked.text):
        value *= _DOCUMENTS_FIRST
    return Cue(min(value, _MOST_LIKE), "is like what the tool says it is for") if value else None
