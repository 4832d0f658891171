"""Which of the product's types stand in checkpoints: a host's checkpointer has to know them to read them back."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from inspect import getmembers, isclass
from types import ModuleType

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from .. import decisions, ledger, state
from ..configs import model_settings
from ..knowledge import documents, search
from ..knowledge.evidence import conclusions, question, question_words
from ..knowledge.evidence import models as evidence
from ..knowledge.query import models as query
from ..knowledge.questions import models as questions
from ..knowledge.text import measures, values
from ..models import budget, exchange
from ..tools import contracts
from ..tools.approval import models as approval

_MODULES: tuple[ModuleType, ...] = (
    decisions, ledger, state, model_settings, documents, search, conclusions, question, question_words, evidence,
    query, questions, measures, values, budget, exchange, contracts, approval,
)  # fmt: skip


def serializer() -> JsonPlusSerializer:
    """A serializer for a checkpointer that reads the types of a run and no others.

    Without it LangGraph warns at each type, and refuses them where `LANGGRAPH_STRICT_MSGPACK` is set.
    """
    return JsonPlusSerializer(allowed_msgpack_modules=sorted(set(_types())))


def _types() -> Iterator[tuple[str, str]]:
    for module in _MODULES:
        for name, member in getmembers(module, isclass):
            own = member.__module__.startswith(__name__.partition(".")[0])
            if own and issubclass(member, BaseModel | Enum | tuple):
                yield member.__module__, name
