"""Which reader reads which media type; a reader's module is imported when its first file comes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from ...errors import InputFileError, MissingExtraError
from ..elements import ParsedDocument, ParseOptions, Parser
from . import sniff

_READERS: dict[str, str] = {
    sniff.PDF: "pdf",
    sniff.DOCX: "docx",
    sniff.XLSX: "xlsx",
    sniff.PPTX: "pptx",
    sniff.HTML: "html",
    sniff.XML: "html",
    sniff.MARKDOWN: "markdown",
    sniff.CSV: "csv",
    sniff.PLAIN: "text",
    sniff.RTF: "unstructured_reader",
    sniff.EMAIL: "unstructured_reader",
    sniff.OUTLOOK: "unstructured_reader",
    sniff.DOC: "unstructured_reader",
    sniff.XLS: "unstructured_reader",
    sniff.PPT: "unstructured_reader",
    "application/vnd.oasis.opendocument.text": "unstructured_reader",
    "application/epub+zip": "unstructured_reader",
}

_OWN_SUFFIXES = frozenset(
    {".pdf", ".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".pptm", ".html", ".htm", ".xhtml", ".xml"}
    | {".md", ".markdown", ".csv", ".tsv", ".txt", ".text", ".log", ".rst", ".srt"}
)
_UNSTRUCTURED_SUFFIXES = frozenset({".doc", ".xls", ".ppt", ".odt", ".rtf", ".epub", ".eml", ".msg"})

_REFUSALS: tuple[tuple[str, str], ...] = (
    (sniff.ENCRYPTED_OFFICE, "is encrypted: save it without a password and add it again"),
    ("image/", "is a picture: recognise its text (OCR), save that and add it"),
    ("audio/", "is a sound file: add its transcript instead"),
    (sniff.ZIP, "is an archive: unpack it and add the files inside"),
    ("application/x-7z", "is an archive: unpack it and add the files inside"),
    ("application/vnd.rar", "is an archive: unpack it and add the files inside"),
    ("application/gzip", "is an archive: unpack it and add the files inside"),
    (sniff.XLSB, "is a binary workbook: save it as .xlsx and add it again"),
)


def supported_suffixes() -> frozenset[str]:
    """File name endings, with dot and in lower case, worth trying when a folder is added.

    The content decides in the end; the old Office, OpenDocument and mail formats need the extra ``unstructured``.
    """
    return _OWN_SUFFIXES | _UNSTRUCTURED_SUFFIXES


def reader_for(media_type: str) -> Parser | None:
    """The reader of a media type, or None if there is none."""
    module = _READERS.get(media_type)
    if module is None:
        return None
    return cast(Parser, import_module(f".{module}", __package__).READER)


def parse_file(path: Path, name: str | None = None, options: ParseOptions | None = None) -> ParsedDocument:
    """Read one file of any kind.

    Args:
        path: the file.
        name: how errors call the file; its path if not given.
        options: how it is to be read.

    Raises:
        InputFileError: if the file cannot be read: the reason says why and what to do. Also where only an
            optional part is missing; that `MissingExtraError` is then its cause.
    """
    try:
        return _parse(path, options or ParseOptions())
    except InputFileError as error:
        raise InputFileError(name or str(path), error.reason) from error.__cause__
    except MissingExtraError as error:
        raise InputFileError(name or str(path), f"is not read: {error}") from error
    except RecursionError as error:
        raise InputFileError(name or str(path), "is nested too deeply: save it anew in another program") from error
    except MemoryError as error:
        raise InputFileError(name or str(path), "is too large for the memory of this machine: split it") from error


def _parse(path: Path, options: ParseOptions) -> ParsedDocument:
    media_type = sniff.media_type_of(path)
    reader = reader_for(media_type)
    if reader is not None:
        parsed = reader.parse(path, media_type, options)
        return parsed if parsed.reader else parsed.model_copy(update={"reader": _READERS[media_type]})
    reason = next((text for prefix, text in _REFUSALS if media_type.startswith(prefix)), None)
    raise InputFileError(
        str(path), reason or f"has no reader: it is of the kind {media_type}; save it as PDF or text and add that"
    )
