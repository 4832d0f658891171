"""The words of a paragraph of OpenDocument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .opendocument_lists import TEXT

if TYPE_CHECKING:
    from lxml.etree import _Element

DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_RUBY = f"{TEXT}ruby-text"
_SKIPPED = {f"{_OFFICE}annotation", f"{_OFFICE}annotation-end", f"{TEXT}note-citation", _RUBY, f"{TEXT}tracked-changes"}
_APART = {f"{DRAW}text-box", f"{_TABLE}table"}
_MOST_BLANKS = 100


def flat_text(element: _Element) -> str:
    """The text inside an element: blanks and breaks as shown, notes in brackets, boxes and tables left out."""
    pieces: list[str] = []
    _collect(element, pieces, 0)
    return "".join(pieces)


def _collect(element: _Element, pieces: list[str], depth: int) -> None:
    pieces.append(_collapsed(element.text))
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _SKIPPED and depth < 100:
            _child(child, pieces, depth)
        pieces.append(_collapsed(child.tail))


def _child(child: _Element, pieces: list[str], depth: int) -> None:
    match child.tag:
        case tag if tag == f"{TEXT}s":
            count = str(child.get(f"{TEXT}c") or "1")
            pieces.append(" " * min(int(count) if count.isascii() and count.isdigit() else 1, _MOST_BLANKS))
        case tag if tag == f"{TEXT}tab":
            pieces.append("\t")
        case tag if tag == f"{TEXT}line-break":
            pieces.append("\n")
        case tag if tag == f"{TEXT}note":
            note: list[str] = []
            _collect(child, note, depth + 1)
            pieces.append(f" ({''.join(note).strip()})")
        case tag if tag in _APART and depth:
            pass
        case tag if tag in {f"{TEXT}p", f"{TEXT}h"}:
            pieces.append("\n")
            _collect(child, pieces, depth + 1)
        case _:
            _collect(child, pieces, depth + 1)


def _collapsed(text: str | None) -> str:
    """Blanks and breaks between the tags mean one blank."""
    if not text:
        return ""
    words = " ".join(text.split())
    return f"{' ' * text[0].isspace()}{words}{' ' * (text[-1].isspace() and bool(words))}"
