"""The words of a Word paragraph, and the page breaks in and around them."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from .wordml import child, is_on, local_name, tag

# Content that is not part of the running text: deleted or moved away, drawn beside it, or field instructions.
_SKIPPED = frozenset(
    {"del", "moveFrom", "instrText", "delText", "pict", "drawing", "object", "rt", "rPr", "pPr", "Fallback"}
)


def paragraph_text(element: etree._Element) -> str:
    """A paragraph's words: insertions kept, deletions and drawings left out, fields by their result."""
    return "".join(_pieces(element))


def _pieces(element: etree._Element) -> Iterator[str]:
    for node in element:
        name = local_name(node)
        if name in _SKIPPED:
            continue
        if name == "r" and is_on(node, "rPr", "vanish"):
            continue
        if name == "t":
            yield node.text or ""
        elif name in {"tab", "ptab"}:
            yield "\t"
        elif name in {"br", "cr"}:
            yield "\n" if node.get(tag("type")) in {None, "textWrapping"} else ""
        elif name == "fldChar":
            yield _form_box(node)
        elif name in {"noBreakHyphen", "sym"}:
            yield "-" if name == "noBreakHyphen" else _symbol(node)
        else:
            yield from _pieces(node)


def _form_box(field: etree._Element) -> str:
    """A check box of the older kind, which is a field without text."""
    box = child(field, "ffData", "checkBox")
    if box is None:
        return ""
    stated = child(box, "checked") if child(box, "checked") is not None else child(box, "default")
    return "☑" if stated is not None and stated.get(tag("val"), "1") in {"1", "true", "on"} else "☐"


def _symbol(node: etree._Element) -> str:
    """A character of a symbol font: ticked and empty boxes are told apart, other signs have no meaning as text."""
    code = (node.get(tag("char")) or "").upper()[-2:]
    return {"FE": "☑", "52": "☑", "A8": "□", "6F": "□", "FC": "✓", "A3": "□"}.get(code, "")


def page_breaks(element: etree._Element) -> tuple[int, int]:
    """Page breaks before the first and after the first word of a paragraph.

    A break that Word has rendered right after an explicit one is the same page turn.
    """
    before = after = 0
    begun = pending = False
    for node in element.iter(tag("t"), tag("br"), tag("lastRenderedPageBreak")):
        if node.tag == tag("t"):
            begun, pending = begun or bool((node.text or "").strip()), False
            continue
        explicit = node.tag == tag("br")
        if (explicit and node.get(tag("type")) != "page") or (not explicit and pending):
            continue
        pending = explicit
        before, after = (before, after + 1) if begun else (before + 1, after)
    return before, after


def has_pages(body: etree._Element) -> bool:
    """Whether the file records where pages end; a page number is never made up."""
    if next(body.iter(tag("lastRenderedPageBreak")), None) is not None:
        return True
    return any(node.get(tag("type")) == "page" for node in body.iter(tag("br")))
