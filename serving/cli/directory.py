"""`veriloop directory`: what a reader is shown of a library before it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .finding import find_document
from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, caller_of, open_library
from .output import print_json, say

if TYPE_CHECKING:
    from ...knowledge.directory import DirectoryView


def directory(
    question: Annotated[str, typer.Option("--question", "-q", help="Narrow it to what this question is about.")] = "",
    document: Annotated[
        str | None, typer.Option("--open", metavar="DOCUMENT", help="Only this document, all of its blocks.")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option(min=50, max=1_000_000, help="At most, estimated. [default: of the settings]")
    ] = None,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Print the directory: library, domains, documents, sections and blocks with their digests, as far as they fit."""
    from ...knowledge.directory import open_document, view_directory  # noqa: PLC0415 - `--help` should not wait for it
    from ...knowledge.text.normalise import well_formed  # noqa: PLC0415

    opened, asking = open_library(library, profile), caller_of(caller)
    limit = tokens or opened.settings.reading.directory_tokens
    asked = well_formed(question)
    if document is not None:
        found = find_document(opened, document, asking)
        view = open_document(opened, asking, found.doc_id, question=asked, tokens=limit)
    else:
        view = view_directory(opened, asking, question=asked, tokens=limit)
    if json:
        print_json(_as_json(view))
    else:
        say(view.text)
        say(f"{view.tokens:,} tokens, {len(view.entries):,} blocks{'' if view.is_whole else ', not all'}", style="dim")


def _as_json(view: DirectoryView) -> dict[str, object]:
    entries = [
        {
            "number": number,
            "block_id": entry.block.block_id,
            "document": entry.document.name,
            "digest": entry.digest.model_dump(mode="json"),
        }
        for number, entry in enumerate(view.entries, start=1)
    ]
    lines = [line.model_dump(mode="json") for line in view.lines]
    return {"is_whole": view.is_whole, "tokens": view.tokens, "lines": lines, "entries": entries}
