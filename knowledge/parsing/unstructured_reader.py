"""Reads the formats that have no reader here through the optional package `unstructured`."""

from __future__ import annotations

import subprocess
import zipfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...errors import InputFileError, MissingExtraError
from ..elements import ParsedDocument
from . import html, outline

_PIPELINE = "en_core_web_sm"
_FAILURES = (
    ImportError,
    OSError,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    RuntimeError,
    EOFError,
    UnicodeError,
    zipfile.BadZipFile,
    subprocess.SubprocessError,
)
"""What the package and the many libraries behind it raise on files that they cannot read."""


def _partitioner() -> Any:
    try:
        return import_module("unstructured.partition.auto").partition
    except ModuleNotFoundError as error:
        if error.name != "unstructured":
            raise
        raise MissingExtraError("reading this kind of file", "unstructured") from error


def _refuse_download(path: Path) -> None:
    """The package would fetch its language pipeline over the network at first use; it must be there already."""
    if find_spec(_PIPELINE) is None:
        raise InputFileError(
            str(path),
            f"needs the spaCy pipeline {_PIPELINE}, which is not installed: "
            f"run 'python -m spacy download {_PIPELINE}' while online and add the file again",
        )


def _part(element: Any) -> list[outline.Part]:
    metadata = element.metadata
    page = metadata.page_number
    if element.category == "Table" and metadata.text_as_html:
        return [part._replace(page=page) for part in html.parts_of(metadata.text_as_html)]
    if element.category == "Title":
        return [outline.heading(element.text, min((metadata.category_depth or 0) + 1, 9), page)]
    if element.category == "ListItem":
        return [outline.item(element.text, page)]
    if element.category in {"Header", "Footer", "PageBreak", "PageNumber"}:
        return []
    return [outline.line(element.text, page)]


class UnstructuredParser:
    """Reads OpenDocument, RTF, EPUB, mail and the old Office formats."""

    media_types = (
        "application/rtf",
        "application/msword",
        "application/vnd.ms-excel",
        "application/vnd.ms-powerpoint",
        "application/vnd.ms-outlook",
        "message/rfc822",
        "application/vnd.oasis.opendocument.text",
        "application/epub+zip",
    )

    def parse(self, path: Path, media_type: str) -> ParsedDocument:
        """See `Parser.parse`.

        Raises:
            MissingExtraError: if the extra ``unstructured`` is not installed.
        """
        partition = _partitioner()
        _refuse_download(path)
        try:
            elements = partition(filename=str(path), content_type=media_type)
        except _FAILURES as error:
            raise InputFileError(str(path), f"could not be read as {media_type}: {error}") from error
        return outline.finish(path, media_type, [part for element in elements for part in _part(element)])


READER = UnstructuredParser()
