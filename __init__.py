"""Answers questions over an organisation's own documents; every sentence is cited and checked.

from veriloop import Library, add_files, build_agent

library = Library.open("my-library")
add_files(library, ["documents/"])
print(build_agent(library).ask("验收时限是几个工作日？").text)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .graphs.adding import AddReport, add_files
    from .graphs.assembly import build_agent
    from .graphs.session import Agent
    from .knowledge.documents import Caller
    from .knowledge.library import Library
    from .state import Answer, Citation

__version__ = "0.1.0"
__all__ = ["AddReport", "Agent", "Answer", "Caller", "Citation", "Library", "add_files", "build_agent"]

_HOMES = {
    "AddReport": "graphs.adding",
    "Agent": "graphs.session",
    "Answer": "state",
    "Caller": "knowledge.documents",
    "Citation": "state",
    "Library": "knowledge.library",
    "add_files": "graphs.adding",
    "build_agent": "graphs.assembly",
}


def __getattr__(name: str) -> object:
    """Import on first use, so that `import veriloop` costs nothing and has no side effects."""
    if name in _HOMES:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
