"""Reads files through the optional package `unstructured`, where the settings choose it for a file ending.

Besides the extra ``unstructured`` it needs, on the machine:

* a spaCy pipeline installed as the package ``en_core_web_sm``. The package would download it at first use; here it
  is not asked before the pipeline is there. Install it while online (``python -m spacy download en_core_web_sm``),
  or, without network, install an empty one under that name, which serves as well: its word classes are only used to
  guess at headings, and guessed headings are not believed here::

      python -c "import spacy; p = spacy.blank('en', meta={'name': 'core_web_sm'}); p.add_pipe('sentencizer');
      p.to_disk('blank')"
      mkdir wheel && python -m spacy package blank wheel --build wheel
      pip install wheel/en_core_web_sm-*/dist/*.whl

* for RTF, OpenDocument text and EPUB: the program pandoc and the package ``pypandoc``;
* for the old Word and PowerPoint formats: LibreOffice (its program ``soffice``);
* for Excel's formats: what ``unstructured[xlsx]`` brings (pandas, and xlrd for the old one).

Attachments of mails are not read. The package's usage reports and advertisement are switched off.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib
from contextlib import redirect_stdout
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputFileError, MissingExtraError
from ..elements import ParsedDocument, ParseOptions
from . import html, outline, sniff

_PIPELINE = "en_core_web_sm"
_QUIET = {"DO_NOT_TRACK": "true", "UNSTRUCTURED_DISABLE_NOTICE": "1"}
"""Otherwise the package reports each import and each file to its maker, and advertises on standard output."""
_MAILS = {sniff.EMAIL, sniff.OUTLOOK}
_FAILURES = (
    ImportError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    RuntimeError,
    ArithmeticError,
    EOFError,
    SyntaxError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
    subprocess.SubprocessError,
)
"""What the package and the many libraries behind it raise on files that they cannot read."""
_OWN_FAILURES = (
    ("unstructured.errors", "UnprocessableEntityError"),
    ("docx.opc.exceptions", "OpcError"),
    ("pptx.exc", "PythonPptxError"),
    ("xlrd", "XLRDError"),
    ("xlrd.compdoc", "CompDocError"),
    ("oxmsg.domain.model", "UnrecognizedCodePageError"),
    ("oxmsg.domain.model", "UnsupportedEncodingError"),
    ("msoffcrypto.exceptions", "FileFormatError"),
    ("msoffcrypto.exceptions", "ParseError"),
    ("msoffcrypto.exceptions", "DecryptionError"),
    ("msoffcrypto.exceptions", "InvalidKeyError"),
)
"""Those of them that have no other base than Exception."""


class _Need(NamedTuple):
    """What a format needs besides the extra: packages of Python, a program or both, and what to do without."""

    packages: tuple[str, ...]
    program: str | None
    advice: str


_PANDOC = _Need(("pypandoc",), "pandoc", "install pandoc and 'pip install pypandoc', or save the file as .docx or PDF")
_NEEDS = {
    sniff.RTF: _PANDOC,
    sniff.ODT: _PANDOC,
    sniff.EPUB: _PANDOC,
    sniff.DOC: _Need((), "soffice", "install LibreOffice, or save the file as .docx"),
    sniff.PPT: _Need((), "soffice", "install LibreOffice, or save the file as .pptx"),
    sniff.MARKDOWN: _Need(("markdown",), None, "pip install 'unstructured[md]'"),
    sniff.XLSX: _Need(("pandas", "networkx"), None, "pip install 'unstructured[xlsx]'"),
    sniff.XLS: _Need(
        ("pandas", "networkx", "xlrd", "msoffcrypto"),
        None,
        "pip install 'unstructured[xlsx]', or save the file as .xlsx",
    ),
}
_PLAIN_NEEDS = (sniff.DOCX, sniff.PPTX, sniff.HTML, sniff.PLAIN, sniff.CSV, sniff.XML)
"""What it reads without any further package."""


def _partitioner() -> Any:
    os.environ.update(_QUIET)
    try:
        return import_module("unstructured.partition.auto").partition
    except ModuleNotFoundError as error:
        if error.name != "unstructured":
            raise
        raise MissingExtraError("reading this kind of file", "unstructured") from error


def _refuse_download(path: Path) -> None:
    """The package would fetch its language pipeline over the network at first use; it must be there already."""
    if find_spec(_PIPELINE) is None or not _is_distribution(_PIPELINE):
        raise InputFileError(
            str(path),
            f"needs the spaCy pipeline {_PIPELINE}, which is not installed: "
            f"run 'python -m spacy download {_PIPELINE}' while online and add the file again",
        )


def _is_distribution(name: str) -> bool:
    """Whether spaCy would find it: it looks for the name among installed distributions, not among modules."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _refuse_without_needs(path: Path, media_type: str) -> None:
    need = _NEEDS.get(media_type)
    if need is None:
        return
    missing = [f"the Python package {name}" for name in need.packages if find_spec(name) is None]
    if need.program and not _has_program(need.program):
        missing.insert(0, f"the program {need.program}")
    if missing:
        raise InputFileError(str(path), f"needs {' and '.join(missing)}, not installed here: {need.advice}")


def _has_program(program: str) -> bool:
    if shutil.which(program) is not None:
        return True
    package = find_spec("pypandoc") if program == "pandoc" else None
    # The variant pypandoc-binary carries the program with it.
    return package is not None and (Path(str(package.origin)).parent / "files" / "pandoc").is_file()


def _failures() -> tuple[type[Exception], ...]:
    # A module that was never imported has raised nothing.
    own = [getattr(sys.modules[module], name) for module, name in _OWN_FAILURES if module in sys.modules]
    return (*_FAILURES, *own)


def _part(element: Any) -> list[outline.Part]:
    metadata = element.metadata
    page = metadata.page_number
    if element.category == "Table" and metadata.text_as_html:
        return [part._replace(page=page) for part in html.parts_of(metadata.text_as_html)]
    # Without a depth the package has guessed from the words, in English; Chinese sentences all look like titles to it.
    if element.category == "Title" and metadata.category_depth is not None:
        return [outline.heading(element.text, metadata.category_depth + 1, page)]
    if element.category == "ListItem":
        return [outline.item(element.text, page)]
    if element.category in {"Header", "Footer", "PageBreak", "PageNumber"}:
        return []
    return [outline.line(element.text, page)]


def _mail_head(metadata: Any) -> list[outline.Part]:
    """Subject, sender and receivers, which the package keeps beside the text."""
    people = [("From", metadata.sent_from), ("To", metadata.sent_to), ("Cc", metadata.cc_recipient)]
    lines = [f"{role}: {', '.join(names)}" for role, names in people if names]
    subject = [outline.heading(metadata.subject, 1)] if metadata.subject else []
    return [*subject, *(outline.paragraph(line) for line in lines)]


def _parts(partition: Any, path: Path, media_type: str) -> list[outline.Part]:
    options = {"process_attachments": False} if media_type in _MAILS else {}
    if media_type == sniff.XLS:
        # For its complaints it takes what is standard output when it is imported; that belongs to our answers.
        with redirect_stdout(sys.stderr):
            import_module("xlrd")
    elements = partition(filename=str(path), content_type=media_type, **options)
    head = _mail_head(elements[0].metadata) if elements and media_type in _MAILS else []
    return head + [part for element in elements for part in _part(element)]


def _odt_parts(path: Path) -> list[outline.Part]:
    """By way of HTML: the package goes by way of DOCX, which the pandoc of Debian cannot write in its sandbox."""
    return html.parts_of(import_module("pypandoc").convert_file(str(path), "html", format="odt", sandbox=True))


class UnstructuredParser:
    """Reads Office files old and new, OpenDocument text, RTF, EPUB, web pages, text and mail."""

    media_types = (*_NEEDS, *_PLAIN_NEEDS, *sorted(_MAILS))

    def parse(self, path: Path, media_type: str, options: ParseOptions) -> ParsedDocument:
        """See `Parser.parse`.

        Raises:
            MissingExtraError: if the extra ``unstructured`` is not installed.
        """
        partition = _partitioner()
        _refuse_download(path)
        _refuse_without_needs(path, media_type)
        try:
            parts = _odt_parts(path) if media_type == sniff.ODT else _parts(partition, path, media_type)
        except _failures() as error:
            reason = " ".join(str(error).split())[:300] or type(error).__name__
            raise InputFileError(str(path), f"could not be read as {media_type}: {reason}") from error
        return outline.finish(path, media_type, parts)


READER = UnstructuredParser()
