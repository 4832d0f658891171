"""A tool that writes into a ledger of its own, in the place of the search: rules plan its calls without any model."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from veriloop.tools.contracts import CALL_KEY
from veriloop.tools.registry import Permission, Tool, ToolOutput
from veriloop.tools.results import result_hit
from veriloop.tools.search_documents import SEARCH_DOCUMENTS, SearchArguments


class Ledger:
    """What was booked, and under which key; a key is booked once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with closing(sqlite3.connect(path, timeout=30)) as connection, connection:
            connection.execute("CREATE TABLE IF NOT EXISTS calls (key TEXT, text TEXT)")

    def book(self, key: str, text: str) -> int:
        """Enter one call; its number."""
        with closing(sqlite3.connect(self._path, timeout=30)) as connection, connection:
            return connection.execute("INSERT INTO calls VALUES (?, ?)", (key, text)).lastrowid or 0

    def calls(self) -> list[tuple[str, str]]:
        """Every call that arrived: key and text."""
        with closing(sqlite3.connect(self._path, timeout=30)) as connection:
            return connection.execute("SELECT key, text FROM calls ORDER BY rowid").fetchall()

    def texts(self) -> list[str]:
        """What was booked, each key once."""
        return [text for _, text in dict(self.calls()).items()]


def booking_tool(
    ledger: Ledger,
    *,
    permission: Permission = Permission.WRITE,
    idempotent: bool = True,
    before: Callable[[str], None] = lambda _: None,
) -> Tool:
    """The tool; `before` runs with the text before it is booked."""

    def run(arguments: SearchArguments) -> ToolOutput:
        before(arguments.query)
        number = ledger.book(CALL_KEY.get(), arguments.query)
        text = f"{arguments.query}已登记，编号为B-{number}。"
        return ToolOutput(hits=(result_hit("book", "ledger", text),), short_answer=f"B-{number}")

    return Tool(
        name=SEARCH_DOCUMENTS,
        description="Books what is asked for.",
        arguments=SearchArguments,
        run=run,
        permission=permission,
        idempotent=idempotent,
        operation_of=lambda _: "bookings.add",
    )
