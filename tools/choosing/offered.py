"""Which of many tools are offered for a question: no more than a choice can hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ..contracts import Category, Tool
from ..registry import MOST_OFFERED
from ..search_documents import SEARCH_DOCUMENTS
from .rules import CallReader, choose_by_rules
from .similarity import knows_of, likeness, weights_among


def offered(
    questions: Sequence[str], tools: Sequence[Tool], calls: CallReader, categories: Collection[Category]
) -> tuple[Tool, ...]:
    """At most seven tools: the search, those that rules choose, then those of the kinds in order of their likeness."""
    by_name = {tool.name: tool for tool in tools}
    names = dict.fromkeys(
        (SEARCH_DOCUMENTS, *_by_rules(questions, tools, calls), *_likely(questions, tools, categories))
    )
    return tuple(by_name[name] for name in names if name in by_name)[:MOST_OFFERED]


def _by_rules(questions: Sequence[str], tools: Sequence[Tool], calls: CallReader) -> Iterator[str]:
    for question in questions:
        choice = choose_by_rules(question, tools, calls)
        yield choice.tool
        yield choice.runner_up


def _likely(questions: Sequence[str], tools: Sequence[Tool], categories: Collection[Category]) -> list[str]:
    weight = weights_among(tools)

    def worth(tool: Tool) -> float:
        return max(max(likeness(tool, one, weight), knows_of(tool, one)) for one in questions)

    return [tool.name for tool in sorted(tools, key=lambda tool: -worth(tool)) if tool.category in categories]
