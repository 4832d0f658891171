"""What declared databases of all engines share: their tables are those of the settings, and are looked at each time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from .guard import Checked
from .models import Dialect, Rows, Table

ConnectionT = TypeVar("ConnectionT")
PlaceT = TypeVar("PlaceT")


class DeclaredSource(ABC, Generic[ConnectionT, PlaceT]):
    """A database that the settings declare.

    Args:
        name: of the source.
        place: where it is: the path of a file, or a URL, which may hold a password and shows in no message.
        tables: that may be read.
        seconds: that a statement may take.
    """

    dialect: Dialect
    schema: str
    catalog = ""

    def __init__(self, name: str, place: PlaceT, tables: tuple[str, ...], seconds: float) -> None:
        self.name = name
        self._place = place
        self._tables = tables
        self._seconds = seconds

    def allowed(self, sql: str) -> tuple[str, ...]:
        """The declared tables."""
        return self._tables

    def tables(self, question: str) -> tuple[Table, ...]:
        """The declared tables that exist, with their columns.

        Raises:
            ToolError: the database cannot be opened.
        """
        with self._open() as connection:
            return tuple(table for name in self._tables if (table := self._described(connection, name)) is not None)

    @abstractmethod
    def run(self, checked: Checked, most: int) -> Rows:
        """The rows of a checked statement.

        Raises:
            ToolError: the database cannot be opened, the statement fails or takes too long.
        """

    @abstractmethod
    def _open(self) -> AbstractContextManager[ConnectionT]:
        """A connection that can only read."""

    @abstractmethod
    def _described(self, connection: ConnectionT, name: str) -> Table | None:
        """A table with its columns and some rows; None where there is none of this name."""
