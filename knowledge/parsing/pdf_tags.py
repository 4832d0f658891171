"""What a tagged PDF says about its own text: headings, tables of contents, and what belongs to the page only."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdfium2 import PdfPage  # type: ignore[import-untyped]

ARTIFACT, CONTENTS = "Artifact", "TOC"
_DEEPEST = 40  # elements within elements; deeper ones are malformed
_MOST_ELEMENTS = 50_000
_HEADINGS = frozenset({"H1", "H2", "H3", "H4", "H5", "H6"})
_ROLES = {**{name: name for name in _HEADINGS}, "TOC": CONTENTS, "TOCI": CONTENTS, "Artifact": ARTIFACT}


def heading_level(tag: str) -> int | None:
    """The level that a tag states, 1 to 6."""
    return int(tag[1:]) if tag in _HEADINGS else None


def tags_of(page: PdfPage) -> dict[int, str]:
    """By number of the marked content: `H1` to `H6`, `TOC` or `Artifact`; other content is left out."""
    from pypdfium2.raw import (  # type: ignore[import-untyped]  # noqa: PLC0415
        FPDF_StructTree_Close,
        FPDF_StructTree_CountChildren,
        FPDF_StructTree_GetChildAtIndex,
        FPDF_StructTree_GetForPage,
    )

    tree = FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    found: dict[int, str] = {}
    try:
        for index in range(max(FPDF_StructTree_CountChildren(tree), 0)):
            for number, role in _marked(FPDF_StructTree_GetChildAtIndex(tree, index), "", 0):
                found[number] = role
                if len(found) > _MOST_ELEMENTS:
                    return found
    finally:
        FPDF_StructTree_Close(tree)
    return found


def _marked(element: Any, role: str, depth: int) -> Iterator[tuple[int, str]]:
    from pypdfium2.raw import (  # noqa: PLC0415
        FPDF_StructElement_CountChildren,
        FPDF_StructElement_GetChildAtIndex,
        FPDF_StructElement_GetMarkedContentIdAtIndex,
        FPDF_StructElement_GetMarkedContentIdCount,
        FPDF_StructElement_GetType,
    )

    if not element or depth > _DEEPEST:
        return
    own = _ROLES.get(_text(FPDF_StructElement_GetType, element), role)
    if own:
        for index in range(max(FPDF_StructElement_GetMarkedContentIdCount(element), 0)):
            yield FPDF_StructElement_GetMarkedContentIdAtIndex(element, index), own
    for index in range(max(FPDF_StructElement_CountChildren(element), 0)):
        yield from _marked(FPDF_StructElement_GetChildAtIndex(element, index), own, depth + 1)


def tag_of(handle: Any, tags: dict[int, str]) -> str:
    """The tag of one text object, empty if it has none."""
    from pypdfium2.raw import (  # noqa: PLC0415
        FPDFPageObj_CountMarks,
        FPDFPageObj_GetMark,
        FPDFPageObj_GetMarkedContentID,
        FPDFPageObjMark_GetName,
    )

    if tags:
        role = tags.get(FPDFPageObj_GetMarkedContentID(handle), "")
        if role:
            return role
    for index in range(max(FPDFPageObj_CountMarks(handle), 0)):
        buffer, length = (ctypes.c_ushort * 32)(), ctypes.c_ulong()
        mark = FPDFPageObj_GetMark(handle, index)
        if FPDFPageObjMark_GetName(mark, buffer, 64, length) and _decoded(buffer, length.value) == ARTIFACT:
            return ARTIFACT
    return ""


def _text(read: Any, element: Any) -> str:
    buffer = (ctypes.c_ushort * 32)()
    return _decoded(buffer, read(element, buffer, 64))


def _decoded(buffer: Any, length: int) -> str:
    return bytes(buffer)[: max(min(length, 64) - 2, 0)].decode("utf-16-le", "replace")
