"""What it takes to bring a file to the point where it can be stored."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from ...configs.settings import SplittingSettings
from ..documents import Document
from ..elements import ParsedDocument, ParseOptions
from ..splitting import SplitDocument
from ..terms import DocumentTerms


class ReadLimits(NamedTuple):
    """What reading one file may take."""

    seconds: float
    """of its parsing, and once more of its cutting"""
    megabytes: float
    """of memory, beside that of the program itself"""


class Cutting(NamedTuple):
    """How documents are cut and analysed."""

    splitting: SplittingSettings
    dictionaries: tuple[Path, ...] = ()
    """of the words of the document's domain, and of all documents"""


class CutDocument(NamedTuple):
    """A document that is ready to be stored."""

    split: SplitDocument
    terms: DocumentTerms


class Reader(Protocol):
    """Reads and cuts files. Safe for several threads, each in a place of its own."""

    def place(self) -> AbstractContextManager[object]:
        """To be entered around `parse` and `cut`: waits until one more can go on beside the others."""

    def parse(self, path: Path, name: str, options: ParseOptions) -> ParsedDocument:
        """Read one file.

        Raises:
            InputFileError: with `name`, if it cannot be read or took more than it may.
        """

    def cut(self, parsed: ParsedDocument, document: Document, cutting: Cutting) -> CutDocument:
        """Cut a document into blocks and passages, and those into terms.

        Raises:
            InputFileError: with the document's name, if that took more than it may.
        """

    def close(self) -> None:
        """Give up what is being read, and release everything."""
