"""Cuts a parsed document into blocks and passages, and those into terms."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from ...errors import InputFileError
from ...knowledge.library_words import dictionary_files
from ...knowledge.reading import Cutting
from ...knowledge.text.counting import counted
from .state import IngestContext, IngestState, Outcome
from .stopwatch import Stopwatch


def split(state: IngestState, runtime: Runtime[IngestContext]) -> dict[str, Any]:
    """Blocks, passages and terms; a document without any has nothing to index."""
    watch = Stopwatch()
    context = runtime.context
    settings = context.library.settings
    cutting = Cutting(settings.splitting, tuple(dictionary_files(settings, state["document"].domain)))
    written: dict[str, Any]
    try:
        with context.reader.place(), watch:
            cut = context.reader.cut(state["parsed"], state["document"], cutting)
        written = {"cut": cut} if cut.split.passages else {"outcome": Outcome.FAILED, "reason": _nothing(state)}
    except InputFileError as error:
        written = {"outcome": Outcome.FAILED, "reason": error.reason}
    return {**written, "split_seconds": watch.seconds}


def _nothing(state: IngestState) -> str:
    unread = state["document"].unread_pages
    if unread:
        return f"nothing to index: {counted(len(unread), 'page')} of pictures alone, and pictures are not read yet"
    return "nothing to index: it holds no text"
