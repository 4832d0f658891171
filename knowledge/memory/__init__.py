"""What is remembered of earlier questions, by who said it (S3 §5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..store.memory_protocol import MemoryEntry, MemoryLabel
from .memory import Memory, Said
from .statements import statement_in

if TYPE_CHECKING:
    from ..library import Library

__all__ = ["Memory", "MemoryEntry", "MemoryLabel", "Said", "memory_of", "statement_in"]


def memory_of(library: Library) -> Memory:
    """The memory that stands beside a library's documents."""
    from ..upkeep import STORE_FILE  # noqa: PLC0415 - the library is built on this package's neighbours

    return Memory(library.folder / STORE_FILE, library.settings.memory)
