"""The memory of a library: what earlier questions have left, for whom it is, and how it is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ...configs.memory_settings import MemorySettings
from ...errors import UsageError
from ..documents import Caller
from ..store.memories import SqliteMemories
from ..store.memory_protocol import MemoryEntry, MemoryLabel
from ..text.normalise import normalise
from .matching import concerning
from .statements import cleaned, is_of_oneself

LONGEST_TEXT = 1_000
"""Characters of an entry."""
MOST_COMPARED = 2_000
"""Entries that a question is compared with: the latest."""


class Said(NamedTuple):
    """What is to be remembered."""

    label: MemoryLabel
    text: str
    key: str
    """What it is about: a later entry of the same label and key, in the same conversation, takes its place."""
    documents: Mapping[str, str] = {}
    """That it rests on, with their versions."""
    trace_id: str = ""


class Memory:
    """Entries about earlier questions.

    Args:
        file: the library's file.
        settings: how much is kept.
    """

    def __init__(self, file: Path, settings: MemorySettings) -> None:
        self._store = SqliteMemories(file)
        self._settings = settings

    def remember(self, said: Said, caller: Caller, thread_id: str = "") -> bool:
        """Keep an entry; False where memory is off or a document that it rests on has changed meanwhile.

        Raises:
            LibraryError: the library cannot be written now.
        """
        if not self._settings.enabled or not self._settings.keep:
            return False
        now = datetime.now(UTC)
        entry = MemoryEntry(
            memory_id=_id_of(said, caller, thread_id),
            thread_id=thread_id,
            label=said.label,
            text=cleaned(said.text)[:LONGEST_TEXT],
            created_at=now,
            caller=caller,
            trace_id=said.trace_id,
            documents=dict(said.documents),
        )
        return self._store.put(entry, self._settings.keep, self._oldest_temporary(now))

    def recall(
        self, query: str, caller: Caller, thread_id: str = "", *, label: MemoryLabel | None = None, most: int = 5
    ) -> list[MemoryEntry]:
        """The entries that concern a question, best first; none but those that this caller may see here."""
        if not self._settings.enabled:
            return []
        oldest = self._oldest_temporary(datetime.now(UTC))
        seen = [
            entry
            for entry in self._store.seen_by(caller, thread_id, MOST_COMPARED)
            if label in (None, entry.label) and (entry.label is not MemoryLabel.TEMPORARY or entry.created_at >= oldest)
        ]
        found = concerning(query, seen, most)
        if found or label is not MemoryLabel.USER_STATEMENT:
            return found
        # Who asks for a department hardly names it: what the user has said of themselves is little enough.
        return [entry for entry in seen if is_of_oneself(entry.text)][:most]

    def entries(self, caller: Caller, thread_id: str = "", limit: int = 100) -> list[MemoryEntry]:
        """The latest entries that a question of this caller may see here, newest first; the owner sees everybody's.

        Args:
            caller: on whose behalf.
            thread_id: the conversation; who has neither a name nor a conversation sees nothing.
            limit: how many at most; -1: all.
        """
        return self._store.everybodys(limit) if caller.is_owner else self._store.seen_by(caller, thread_id, limit)

    def forget(self, caller: Caller, *, memory_id: str = "", thread_id: str = "", everything: bool = False) -> int:
        """Delete one entry, those of a conversation, or all, of those that the caller sees; how many there were.

        Args:
            caller: on whose behalf.
            memory_id: of the one entry; with `thread_id` where it belongs to a conversation.
            thread_id: of the conversation whose entries go, where neither of the others is given.
            everything: all that the caller sees.

        Raises:
            UsageError: nothing was named.
        """
        if not (memory_id or thread_id or everything):
            raise UsageError("say what to forget: a memory_id, a thread_id, or everything")
        found = self.entries(caller, thread_id, -1)
        if memory_id:
            found = [entry for entry in found if entry.memory_id == memory_id]
        elif not everything:
            found = [entry for entry in found if entry.thread_id == thread_id]
        return self._store.forget([entry.memory_id for entry in found])

    def withdraw(self, key: str, caller: Caller, thread_id: str = "") -> int:
        """Delete what was concluded about something, where the same is asked again and is not found any more."""
        labels = (MemoryLabel.SYSTEM_CONCLUSION, MemoryLabel.TEMPORARY)
        return self._store.forget([_id_of(Said(label, "", key), caller, thread_id) for label in labels])

    def _oldest_temporary(self, now: datetime) -> datetime:
        return now - timedelta(days=self._settings.temporary_days)


def _id_of(said: Said, caller: Caller, thread_id: str) -> str:
    rights = "owner" if caller.is_owner else "\n".join(sorted(caller.readers))
    parts = (said.label.value, rights, thread_id, normalise(said.key))
    return sha256("\x00".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
