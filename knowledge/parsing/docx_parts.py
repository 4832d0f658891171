"""What a Word document holds beside its text: headers, footers, watermarks, notes, comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from ..elements import Furniture, FurnitureKind
from .archives import Container
from .docx_text import paragraph_text
from .lines import clean, clean_line, east_asian_share
from .wordml import local_name, tag
from .xlsx_package import relations_of

_PAGE_NUMBER = re.compile(
    r"[-–—~·]?\s*(?:第|page|p\.?)?\s*\d{0,4}\s*页?\s*(?:[/，,]|of|共)?\s*\d{0,4}\s*页?\s*[-–—~·]?", re.IGNORECASE
)
_KINDS = {"header": FurnitureKind.HEADER, "footer": FurnitureKind.FOOTER}
_ENGLISH, _CHINESE = {"footnote": "Footnote", "endnote": "Endnote"}, {"footnote": "脚注", "endnote": "尾注"}


def furniture_of(container: Container, main_part: str) -> list[Furniture]:
    """Running heads and feet, page numbers and watermarks, each text once."""
    found: dict[tuple[FurnitureKind, str], Furniture] = {}
    for relation in relations_of(container, main_part).values():
        kind = _KINDS.get(relation.kind)
        root = container.tree(relation.part) if kind is not None else None
        if kind is None or root is None:
            continue
        for piece in (*_running(root, kind), *_watermarks(root)):
            found.setdefault((piece.kind, piece.text), piece)
    return list(found.values())


def _running(root: etree._Element, kind: FurnitureKind) -> Iterator[Furniture]:
    for paragraph in root.iter(tag("p")):
        text = clean_line(paragraph_text(paragraph))
        if text:
            yield Furniture(kind=FurnitureKind.PAGE_NUMBER if _PAGE_NUMBER.fullmatch(text) else kind, text=text)


def _watermarks(root: etree._Element) -> Iterator[Furniture]:
    for path in root.iter("{urn:schemas-microsoft-com:vml}textpath"):
        text = clean_line(str(path.get("string") or ""))
        if text:
            yield Furniture(kind=FurnitureKind.WATERMARK, text=text)


class Notes:
    """The footnotes and endnotes of a document, given out where their marks stand."""

    def __init__(self, container: Container) -> None:
        self._texts = {
            (kind, str(note.get(tag("id")))): text_of(note)
            for kind in _ENGLISH
            for note in _children(container.tree(f"word/{kind}s.xml"), kind)
        }
        self._count = dict.fromkeys(_ENGLISH, 0)

    def of(self, element: etree._Element) -> list[str]:
        """The notes that a paragraph or table refers to, with their kind and number."""
        found: list[str] = []
        for mark in element.iter(*(tag(f"{kind}Reference") for kind in _ENGLISH)):
            kind = local_name(mark).removesuffix("Reference")
            self._count[kind] += 1
            text = self._texts.get((kind, str(mark.get(tag("id")))), "")
            if text:
                found.append(f"{_label(text, kind)} {self._count[kind]}{_colon(text)}{text}")
        return found


def comments_of(container: Container) -> list[str]:
    """The comments, each with who made it."""
    found: list[str] = []
    for comment in _children(container.tree("word/comments.xml"), "comment"):
        text, author = text_of(comment), clean_line(str(comment.get(tag("author")) or ""))
        label = "批注" if east_asian_share(text) > 0.3 else "Comment"
        by = f"（{author}）" if author and label == "批注" else f" ({author})" if author else ""
        found += [f"{label}{by}{_colon(text)}{text}"] if text else []
    return found


def text_of(container: etree._Element) -> str:
    """The paragraphs of a note as one text."""
    return clean_line("\n".join(clean(paragraph_text(paragraph)) for paragraph in container.iter(tag("p"))))


def _children(root: etree._Element | None, name: str) -> Iterator[etree._Element]:
    yield from root.iterfind(tag(name)) if root is not None else ()


def _label(text: str, kind: str) -> str:
    return (_CHINESE if east_asian_share(text) > 0.3 else _ENGLISH)[kind]


def _colon(text: str) -> str:
    return "：" if east_asian_share(text) > 0.3 else ": "
