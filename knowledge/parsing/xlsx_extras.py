"""What lies on a sheet beside its cells: comments, text boxes, the titles of charts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from .archives import Container
from .lines import clean, clean_line
from .wordml import local_name
from .xlsx_package import Relation, relations_of, text_of_runs

_BOILERPLATE = ("[线程批注]", "[Threaded comment]", "[會話群組留言]")


class Remark(NamedTuple):
    """A comment on a cell."""

    place: str
    text: str


def remarks_of(container: Container, relations: list[Relation]) -> list[Remark]:
    """The comments on a sheet's cells; those in threads as they were written, not as older programs see them."""
    threads = [r for relation in relations if relation.kind == "threadedComment" for r in _thread(container, relation)]
    answered = {remark.place for remark in threads}
    found = [r for relation in relations if relation.kind == "comments" for r in _comments(container, relation)]
    kept = [r for r in found if r.place not in answered and not r.text.startswith(_BOILERPLATE)]
    return [remark for remark in [*kept, *threads] if remark.text]


def _comments(container: Container, relation: Relation) -> Iterator[Remark]:
    root = container.tree(relation.part)
    for node in root.iter("{*}comment") if root is not None else ():
        yield Remark(str(node.get("ref") or ""), clean_line(text_of_runs(node)))


def _thread(container: Container, relation: Relation) -> Iterator[Remark]:
    root = container.tree(relation.part)
    for node in root.iter("{*}threadedComment") if root is not None else ():
        yield Remark(str(node.get("ref") or ""), clean_line("".join(t.text or "" for t in node.iter("{*}text"))))


def drawn_texts(container: Container, relations: list[Relation]) -> list[str]:
    """The texts of a sheet's text boxes and the titles of its charts."""
    found: list[str] = []
    for relation in relations:
        if relation.kind == "drawing":
            root = container.tree(relation.part)
            found += _boxes(root) if root is not None else []
            inner = relations_of(container, relation.part).values()
            found += [title for chart in inner if chart.kind == "chart" and (title := _chart_title(container, chart))]
    return found


def _boxes(root: etree._Element) -> Iterator[str]:
    for body in root.iter("{*}txBody"):
        lines = ["".join(t.text or "" for t in paragraph.iter("{*}t")) for paragraph in body.iter("{*}p")]
        yield from filter(None, map(clean, "\n".join(lines).split("\n\n")))


def _chart_title(container: Container, relation: Relation) -> str:
    root = container.tree(relation.part)
    chart = next(root.iter("{*}chart"), None) if root is not None else None
    title = next((node for node in chart if local_name(node) == "title"), None) if chart is not None else None
    return clean_line("".join(t.text or "" for t in title.iter("{*}t"))) if title is not None else ""
