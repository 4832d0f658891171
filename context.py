"""What a run is given besides its question: the library, the models, and on whose behalf it runs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from typing import Any

from langgraph.runtime import Runtime

from .configs import Settings, load_settings
from .configs.model_settings import TierSettings
from .decisions import Route
from .knowledge.asking import documents_within
from .knowledge.documents import Caller, Document
from .knowledge.library import Library
from .knowledge.query.models import SearchFilter
from .ledger import Replay
from .models.chat import ModelTiers
from .models.completing import ModelSource
from .tools.assembly import ToolNeeds, make_tools
from .tools.registry import Tool, ToolRegistry

DEFAULT_LIBRARY = ".veriloop"


@dataclass(frozen=True, kw_only=True)
class Context:
    """Resources of a run, set by the host application.

    All fields are live objects: a context that arrives as JSON from a client (LangGraph Studio, an HTTP call)
    cannot name another library or claim to be another caller.
    """

    library: Any = field(default=None, metadata={"description": "a veriloop.Library; default: VERILOOP_LIBRARY"})
    models: Any = field(default=None, metadata={"description": "a ModelTiers; default: from the library's settings"})
    caller: Any = field(default=None, metadata={"description": "a Caller; default: sees only open documents"})
    tools: Any = field(default=None, metadata={"description": "a ToolRegistry; default: the product's own tools"})
    more_tools: Any = field(
        default=None,
        metadata={"description": "tools beside the product's own; one of the same name takes its place; default: none"},
    )
    routes: Any = field(default=None, metadata={"description": "a frozenset of Route to choose from; default: all"})
    filters: Any = field(
        default=None, metadata={"description": "a SearchFilter that bounds every search; default: none"}
    )
    reader: Any = field(
        default=None,
        metadata={"description": "what `read_section` reads with; filled in by the graphs, none for the other tools"},
    )
    replay: Any = field(default=None, metadata={"description": "a Replay: the records of a run to run again"})


@dataclass(frozen=True, kw_only=True)
class Resources:
    """The context with its defaults filled in."""

    library: Library
    models: ModelSource | None
    caller: Caller
    routes: frozenset[Route]
    filters: SearchFilter | None
    replay: Replay | None
    given_tools: ToolRegistry | None = None
    """Those of the host alone; None: the product's own, and the host's beside them."""
    more_tools: tuple[Tool, ...] = ()
    """Of the host; one of the same name takes the place of the product's."""
    reader: Any = None
    thread_id: str = ""

    @cached_property
    def tools(self) -> ToolRegistry:
        """What may be called. Put together when it is first asked for: most nodes call nothing."""
        if self.given_tools is not None:
            return self.given_tools
        needs = ToolNeeds(self.library, self.caller, self.filters, self.reader, self.thread_id)
        given = {tool.name: tool for tool in self.more_tools}
        own = [given.pop(tool.name, tool) for tool in make_tools(needs)]
        return ToolRegistry((*own, *given.values()))

    @property
    def identity(self) -> str:
        """Digest of the library and of what the run may search there, to tell whose run it is."""
        rights = "owner" if self.caller.is_owner else sorted(self.caller.readers)
        bounds = "" if self.filters is None else f"|{self.filters.model_dump_json(exclude_defaults=True)}"
        return sha256(f"{self.library.folder.resolve()}|{rights}{bounds}".encode()).hexdigest()[:16]

    def documents(self) -> list[Document]:
        """The documents that this run may search."""
        return documents_within([one.document for one in self.library.documents(self.caller)], self.filters)

    @property
    def settings(self) -> Settings:
        """The settings that the library was opened with."""
        return self.library.settings


def resources(runtime: Runtime[Context]) -> Resources:
    """The resources of this run; LangGraph hands over no context where the caller gave none.

    Raises:
        LibraryError: no library was given and the default one cannot be opened.
    """
    given = runtime.context
    library = given.library if given is not None and isinstance(given.library, Library) else _default_library()
    models = given.models if given is not None and isinstance(given.models, ModelSource) else None
    caller = given.caller if given is not None and isinstance(given.caller, Caller) else Caller()
    tools = given.tools if given is not None and isinstance(given.tools, ToolRegistry) else None
    more = given.more_tools if given is not None and isinstance(given.more_tools, tuple) else ()
    routes = given.routes if given is not None and isinstance(given.routes, frozenset) else frozenset(Route)
    filters = given.filters if given is not None and isinstance(given.filters, SearchFilter) else None
    reader = given.reader if given is not None and callable(given.reader) else None
    replay = given.replay if given is not None and isinstance(given.replay, Replay) else None
    return Resources(
        library=library,
        models=models or _models_of(library.settings.models),
        caller=caller,
        routes=routes,
        filters=filters,
        replay=replay,
        given_tools=tools,
        more_tools=tuple(tool for tool in more if isinstance(tool, Tool)),
        reader=reader,
        thread_id=thread_of(runtime),
    )


def thread_of(runtime: Runtime[Context]) -> str:
    """The conversation that a run belongs to; empty where the host keeps none."""
    info = runtime.execution_info
    return (info.thread_id or "") if info is not None else ""


@cache
def _default_library() -> Library:
    return Library.open(os.environ.get("VERILOOP_LIBRARY", DEFAULT_LIBRARY), load_settings())


def make_models(settings: Settings) -> ModelTiers | None:
    """The chat models of these settings, or None where none is configured."""
    return _models_of(settings.models)


@cache
def _models_of(tiers: TierSettings | None) -> ModelTiers | None:
    made = None if tiers is None else ModelTiers(tiers)
    return made if made else None
