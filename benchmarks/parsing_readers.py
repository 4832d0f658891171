"""The readers that are compared: Veriloop's own, `unstructured` alone, and plain text extraction."""

from __future__ import annotations

import csv
import html
import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from parsing_matching import Piece, Reading, Rows

_BREAK = "<br>"
_MARKED_FURNITURE = frozenset({"Header", "Footer", "PageNumber", "PageBreak"})


class NotInstalledError(Exception):
    """A reader's library is missing; the message says which."""


class Reader(NamedTuple):
    """A way of reading files, by name; `missing` says why it cannot be measured here, if so."""

    name: str
    read: Callable[[Path], Reading]
    missing: Callable[[], str | None]


def _own(path: Path) -> Reading:
    from veriloop.knowledge.elements import ElementKind
    from veriloop.knowledge.parsing import parse_file

    parsed = parse_file(path)
    pieces = [
        Piece(
            text=element.text,
            level=element.level if element.kind is ElementKind.HEADING else None,
            rows=markdown_rows(element.text) if element.kind is ElementKind.TABLE else (),
            page=element.page,
        )
        for element in parsed.elements
    ]
    return Reading(tuple(pieces), frozenset(parsed.unread_pages), names_header=True)


def markdown_rows(text: str) -> Rows:
    """The rows of a Markdown table without the line below its header."""
    lines = text.split("\n")
    kept = [line for number, line in enumerate(lines) if number != 1]
    return tuple(
        tuple(
            html.unescape(cell).replace("\\|", "|").replace(_BREAK, "\n").strip()
            for cell in re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
        )
        for line in kept
    )


def _unstructured(path: Path) -> Reading:
    # Otherwise it reports each file to its maker and advertises on standard output.
    os.environ.update({"DO_NOT_TRACK": "true", "UNSTRUCTURED_DISABLE_NOTICE": "1"})
    with redirect_stdout(io.StringIO()):
        from unstructured.partition.auto import partition

        elements = partition(str(path), strategy="fast")
    # It says of some elements that they are running lines, so that who uses it can leave them out.
    kept = (element for element in elements if type(element).__name__ not in _MARKED_FURNITURE)
    return Reading(tuple(map(_from_unstructured, kept)))


def _from_unstructured(element: Any) -> Piece:
    metadata = element.metadata
    depth = getattr(metadata, "category_depth", None)
    return Piece(
        text=element.text,
        level=(depth or 0) + 1 if type(element).__name__ == "Title" else None,
        rows=_html_rows(metadata.text_as_html) if getattr(metadata, "text_as_html", None) else (),
        page=getattr(metadata, "page_number", None),
    )


def _html_rows(markup: str) -> Rows:
    from lxml import html as lxml_html

    rows = []
    for row in lxml_html.fromstring(markup).iter("tr"):
        cells: list[str] = []
        for cell in row.iterchildren("td", "th"):
            cells += [" ".join(map(str, cell.itertext()))] * int(cell.get("colspan") or 1)
        rows.append(tuple(cells))
    return tuple(rows)


def _plain(path: Path) -> Reading:
    extract = _PLAIN.get(path.suffix.lower())
    if extract is None:
        raise NotInstalledError(f"no plain extraction of {path.suffix or 'files without ending'}")
    return Reading(tuple(extract(path)), has_levels=False)


def _plain_pdf(path: Path) -> Iterator[Piece]:
    pypdfium2: Any = import_module("pypdfium2")
    document = pypdfium2.PdfDocument(path)
    for number, page in enumerate(document, start=1):
        yield Piece(page.get_textpage().get_text_range().replace("\r\n", "\n"), page=number)


def _plain_docx(path: Path) -> Iterator[Piece]:
    import docx
    from docx.text.paragraph import Paragraph

    for part in docx.Document(str(path)).iter_inner_content():
        if isinstance(part, Paragraph):
            yield Piece(part.text)
        else:
            yield from (Piece(" ".join(cell.text.replace("\n", " ") for cell in row.cells)) for row in part.rows)


def _plain_xlsx(path: Path) -> Iterator[Piece]:
    import openpyxl

    for number, sheet in enumerate(openpyxl.load_workbook(path, read_only=True, data_only=True), start=1):
        for row in sheet.iter_rows(values_only=True):
            yield Piece(" ".join(str(value) for value in row if value is not None), page=number)


def _plain_pptx(path: Path) -> Iterator[Piece]:
    from pptx import Presentation

    for number, slide in enumerate(Presentation(str(path)).slides, start=1):
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield Piece(shape.text_frame.text, page=number)


def _plain_html(path: Path) -> Iterator[Piece]:
    from lxml import html as lxml_html

    yield Piece("".join(map(str, lxml_html.fromstring(path.read_bytes()).itertext())))


def _plain_text(path: Path) -> Iterator[Piece]:
    yield Piece(path.read_text(encoding="utf-8"))


def _plain_csv(path: Path) -> Iterator[Piece]:
    with path.open(encoding="utf-8", newline="") as stream:
        yield from (Piece(" ".join(row)) for row in csv.reader(stream))


_PLAIN: dict[str, Callable[[Path], Iterator[Piece]]] = {
    ".pdf": _plain_pdf,
    ".docx": _plain_docx,
    ".xlsx": _plain_xlsx,
    ".pptx": _plain_pptx,
    ".html": _plain_html,
    ".htm": _plain_html,
    ".csv": _plain_csv,
    **dict.fromkeys((".txt", ".md", ".xml", ".srt"), _plain_text),
}


def _without_unstructured() -> str | None:
    return None if find_spec("unstructured") else "not installed: pip install 'veriloop[unstructured]'"


READERS = {
    reader.name: reader
    for reader in (
        Reader("veriloop", _own, lambda: None),
        Reader("unstructured", _unstructured, _without_unstructured),
        Reader("plain", _plain, lambda: None),
    )
}
