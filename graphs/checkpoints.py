"""Which of the product's types stand in checkpoints: a host's checkpointer has to know them to read them back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import Enum
from inspect import getmembers, isclass
from pathlib import Path
from types import ModuleType

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from pydantic import BaseModel

from .. import decisions, ledger, reading_state, state
from ..configs import model_settings
from ..knowledge import documents, search
from ..knowledge.addressing import models as addressing
from ..knowledge.evidence import conclusions, question, question_words
from ..knowledge.evidence import models as evidence
from ..knowledge.kept_runs import THREADS_FILE as THREADS_FILE
from ..knowledge.library import Library
from ..knowledge.query import models as query
from ..knowledge.questions import models as questions
from ..knowledge.store.connection import library_errors
from ..knowledge.text import measures, values
from ..models import budget, exchange
from ..tools import contracts
from ..tools.approval import models as approval

_BUSY_SECONDS = 30.0

_MODULES: tuple[ModuleType, ...] = (
    decisions, ledger, reading_state, state, model_settings, documents, search, conclusions, question, question_words,
    evidence, query, questions, measures, values, budget, exchange, contracts, approval, addressing,
)  # fmt: skip


def serializer() -> JsonPlusSerializer:
    """A serializer for a checkpointer that reads the types of a run and no others.

    Without it LangGraph warns at each type, and refuses them where `LANGGRAPH_STRICT_MSGPACK` is set.
    """
    return JsonPlusSerializer(allowed_msgpack_modules=sorted(set(_types())))


@contextmanager
def kept_threads(library: Library) -> Iterator[BaseCheckpointSaver[str]]:
    """A checkpointer in a file of its own beside the library: runs wait there for people, and outlive the process.

    It works synchronously only.

    Raises:
        LibraryError: the file cannot be written, or is damaged.
    """
    path = library.folder / THREADS_FILE
    with library_errors(path), closing(_connected(path)) as connection:
        saver = SqliteSaver(connection, serde=serializer())
        saver.setup()
        yield saver


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, check_same_thread=False)
    # What a run has read goes with it.
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _types() -> Iterator[tuple[str, str]]:
    for module in _MODULES:
        for name, member in getmembers(module, isclass):
            own = member.__module__.startswith(__name__.partition(".")[0])
            if own and issubclass(member, BaseModel | Enum | tuple):
                yield member.__module__, name
