"""What of a web page is readable, and the text inside its elements."""

from __future__ import annotations

import re

from bs4 import Tag
from bs4.element import Comment, Declaration, Doctype, NavigableString, ProcessingInstruction

from ..elements import FurnitureKind
from .lines import clean

DROPPED = frozenset(
    {"script", "style", "nav", "noscript", "template", "svg", "iframe", "head", "button", "select", "form-menu"}
    | {"audio", "video", "object", "canvas", "map"}
)
DROPPED_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "menu", "menubar"})
BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "ul",
    ]
)
INVISIBLE = (Comment, Declaration, Doctype, ProcessingInstruction)


def is_dropped(tag: Tag) -> bool:
    """Whether an element is no part of the readable text: scripts, navigation, what is hidden."""
    style = str(tag.get("style") or "").replace(" ", "").lower()
    return (
        tag.name in DROPPED
        or str(tag.get("role") or "") in DROPPED_ROLES
        or tag.has_attr("hidden")
        or "display:none" in style
    )


def furniture_kind(tag: Tag) -> FurnitureKind | None:
    """What of a page's frame an element is: navigation and banner above, the page's foot, a column of links."""
    role = str(tag.get("role") or "")
    if tag.name == "nav" or role in {"navigation", "banner"}:
        return FurnitureKind.HEADER
    inner = tag.find_parent(["main", "article", "section"]) is not None
    if role == "contentinfo" or (tag.name == "footer" and not inner):
        return FurnitureKind.FOOTER
    return FurnitureKind.FOOTER if tag.name == "aside" and not inner and _is_links(tag) else None


def _is_links(tag: Tag) -> bool:
    """Whether half of an element's text are links."""
    linked = sum(len(link.get_text().strip()) for link in tag.find_all("a"))
    return linked * 2 >= len(tag.get_text().strip()) > 0


def text_of(tag: Tag) -> str:
    """The visible text inside an element, line breaks where the page has them."""
    pieces: list[str] = []
    hidden: set[int] = set()
    for node in tag.descendants:
        is_hidden = id(node.parent) in hidden
        if isinstance(node, Tag):
            if is_hidden or is_dropped(node):
                hidden.add(id(node))
            if node.name in BLOCKS or node.name in {"br", "tr"}:
                pieces.append("\n")
            elif node.name in {"td", "th"}:
                pieces.append(" ")
        elif isinstance(node, NavigableString) and not isinstance(node, INVISIBLE) and not is_hidden:
            pieces.append(str(node) if tag.name == "pre" else re.sub(r"\s+", " ", node))
    return re.sub(r"\n\s*\n+", "\n", clean("".join(pieces)))


def integer(value: object, otherwise: int) -> int:
    """A whole number of at most five digits in an attribute."""
    text = str(value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else otherwise
