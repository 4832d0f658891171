"""The vocabulary of WordprocessingML, as far as the reader of DOCX files needs it."""

from __future__ import annotations

from lxml import etree

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def tag(name: str) -> str:
    """The qualified name of a Word element."""
    return WORD + name


def local_name(element: etree._Element) -> str:
    """An element's name without its namespace; empty for comments and processing instructions."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def child(element: etree._Element | None, *path: str) -> etree._Element | None:
    """The first descendant along a path of Word element names."""
    for name in path:
        element = element.find(tag(name)) if element is not None else None
    return element


def value(element: etree._Element | None, *path: str) -> str | None:
    """The `val` attribute at the end of a path, or None."""
    found = child(element, *path)
    return found.get(tag("val")) if found is not None else None


def number(element: etree._Element | None, *path: str) -> int | None:
    """The same as an integer; what is no integer counts as absent."""
    text = value(element, *path)
    try:
        return int(text) if text is not None else None
    except ValueError:
        return None


def is_on(element: etree._Element | None, *path: str) -> bool:
    """Whether a switch is present and not turned off."""
    found = child(element, *path)
    return found is not None and found.get(tag("val"), "true") not in {"0", "false", "off", "none"}
