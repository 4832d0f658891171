"""Jupyter notebooks: their texts, programs and printed results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import html, markdown, outline
from .text import parts_of as text_parts

_LONGEST_OUTPUT = 5_000  # characters; logs and printed data go on for megabytes


def is_notebook(value: object) -> bool:
    """Whether a JSON value is a notebook."""
    return isinstance(value, Mapping) and "nbformat" in value and isinstance(value.get("cells"), list)


def notebook_parts(notebook: Mapping[str, object]) -> Iterator[outline.Part]:
    """The parts of a notebook's cells in their order."""
    cells = notebook.get("cells")
    for cell in cells if isinstance(cells, list) else ():
        if not isinstance(cell, Mapping):
            continue
        source = _joined(cell.get("source"))
        match cell.get("cell_type"):
            case "markdown":
                yield from markdown.parts_of(source)
            case "code":
                yield outline.paragraph(source)
                outputs = cell.get("outputs")
                for output in outputs if isinstance(outputs, list) else ():
                    yield from _output(output)
            case _:
                yield from text_parts(source)


def _output(output: object) -> Iterator[outline.Part]:
    if not isinstance(output, Mapping):
        return
    data = output.get("data")
    if isinstance(data, Mapping):
        markup = _joined(data.get("text/html"))
        if "<table" in markup:
            yield from html.parts_of(markup)
        else:
            yield outline.paragraph(_joined(data.get("text/plain"))[:_LONGEST_OUTPUT])
    else:
        yield outline.paragraph(_joined(output.get("text"))[:_LONGEST_OUTPUT])


def _joined(source: object) -> str:
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""
