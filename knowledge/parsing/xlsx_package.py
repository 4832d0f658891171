"""The parts of a workbook that all sheets share: their names and places, texts, number formats, the calendar."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from lxml import etree

from .archives import Container
from .wordml import local_name

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_DATES_OF_CHINA = (27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58)
_TIMES_OF_CHINA = (32, 33, 34, 35, 55, 56)
_FIRST_OWN_FORMAT = 164


class Relation(NamedTuple):
    """A part that another part refers to: what for, and its place in the container."""

    kind: str
    part: str


class SheetEntry(NamedTuple):
    """A sheet as the workbook lists it."""

    name: str
    part: str
    hidden: bool


class Workbook(NamedTuple):
    """What is needed to read the sheets."""

    sheets: tuple[SheetEntry, ...]
    texts: list[str]
    formats: list[str]
    epoch: datetime


def relations_of(container: Container, part: str) -> dict[str, Relation]:
    """The relations of a part by their ids."""
    place = PurePosixPath(part)
    root = container.tree(f"{place.parent}/_rels/{place.name}.rels" if place.name else "_rels/.rels")
    found: dict[str, Relation] = {}
    for node in root if root is not None else ():
        target = str(node.get("Target") or "")
        if local_name(node) == "Relationship" and node.get("TargetMode") != "External":
            kind = str(node.get("Type") or "").rsplit("/", 1)[-1]
            found[str(node.get("Id") or "")] = Relation(kind, _absolute(place, target))
    return found


def _absolute(place: PurePosixPath, target: str) -> str:
    if target.startswith("/"):
        return target.lstrip("/")
    return posixpath.normpath(f"{place.parent}/{target}").lstrip("./")


def read_workbook(container: Container) -> Workbook | None:
    """The shared parts, or None if there is no list of sheets."""
    part = _main_part(container)
    root = container.tree(part)
    if root is None:
        return None
    relations = relations_of(container, part)
    by_kind = {relation.kind: relation.part for relation in relations.values()}
    properties = next(_all(root, "workbookPr"), None)
    is_1904 = properties is not None and str(properties.get("date1904")).lower() in {"1", "true"}
    return Workbook(
        tuple(_sheets(root, relations)),
        _texts(container.tree(by_kind.get("sharedStrings", "xl/sharedStrings.xml"))),
        _formats(container.tree(by_kind.get("styles", "xl/styles.xml"))),
        _EPOCH_1904 if is_1904 else _EPOCH_1900,
    )


def _main_part(container: Container) -> str:
    relations = relations_of(container, "")
    return next((r.part for r in relations.values() if r.kind == "officeDocument"), "xl/workbook.xml")


def _sheets(root: etree._Element, relations: dict[str, Relation]) -> Iterator[SheetEntry]:
    for node in _all(root, "sheet"):
        relation = relations.get(str(node.get(_RELATION) or ""))
        if relation is not None and relation.kind == "worksheet":
            hidden = str(node.get("state") or "visible") != "visible"
            yield SheetEntry(str(node.get("name") or ""), relation.part, hidden)


def _all(root: etree._Element | None, name: str) -> Iterator[etree._Element]:
    return iter(()) if root is None else root.iter(f"{{*}}{name}")


def text_of_runs(node: etree._Element) -> str:
    """A text in one piece or in runs, without the readings that stand above Japanese characters."""
    found = [t.text or "" for t in node.iter("{*}t") if local_name(t.getparent()) != "rPh"]  # type: ignore[arg-type]
    return "".join(found)


def _texts(root: etree._Element | None) -> list[str]:
    return [text_of_runs(node) for node in root.iterfind("{*}si")] if root is not None else []


def _formats(root: etree._Element | None) -> list[str]:
    """The number format of every cell style, by the style's index."""
    own = {_integer(node.get("numFmtId")): str(node.get("formatCode") or "") for node in _all(root, "numFmt")}
    styles = next(_all(root, "cellXfs"), None)
    return [_format(_integer(node.get("numFmtId")), own) for node in styles] if styles is not None else []


def _format(identity: int, own: dict[int, str]) -> str:
    from openpyxl.styles.numbers import BUILTIN_FORMATS  # noqa: PLC0415 - only workbooks pay for it

    if identity in own:
        return own[identity]
    if identity in _DATES_OF_CHINA or identity in _TIMES_OF_CHINA:
        return "yyyy-mm-dd" if identity in _DATES_OF_CHINA else "h:mm:ss"
    return str(BUILTIN_FORMATS.get(identity, "General")) if identity < _FIRST_OWN_FORMAT else "General"


def _integer(text: object) -> int:
    return int(str(text)) if text is not None and str(text).isascii() and str(text).isdigit() else 0
