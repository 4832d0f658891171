"""`veriloop show`: a document or a block as the library holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError
from .ages import age_of
from .history import chosen_version
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    ProfileOption,
    caller_of,
    day,
    open_library,
)
from .output import print_json, say

if TYPE_CHECKING:
    from ...knowledge.documents import Block, Caller, Document
    from ...knowledge.library import Library


def show(
    name: Annotated[str, typer.Argument(help="A document's name, title, path or id, or a block's id.")],
    version: Annotated[
        str | None, typer.Option("--version", help="This version of it: its number or id, see `veriloop history`.")
    ] = None,
    in_force_on: Annotated[
        str | None, typer.Option("--in-force-on", help="The version in force on this day (2024-03-01, today).")
    ] = None,
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Print a document's blocks, or one block, as they were understood."""
    opened, asking = open_library(library, profile), caller_of(caller)
    document, blocks = _find(opened, name, asking)
    if version is not None or in_force_on is not None:
        on = day(in_force_on, "--in-force-on")
        document, blocks = chosen_version(opened, document, version, on, asking)
    if json:
        print_json(
            {
                "document": document.model_dump(mode="json", exclude={"source_uri"}),
                "blocks": [block.model_dump(mode="json") for block in blocks],
            }
        )
        return
    say(f"{document.name}  {document.title}  {document.doc_id}{age_of(document)}", style="bold")
    for block in blocks:
        page = "" if block.page_first is None else f"  p. {block.page_first}"
        say(
            f"\n── {block.ordinal} {block.kind.value} {block.block_id}{page}  {' › '.join(block.section_path)}",
            style="dim",
        )
        say(block.text)


def _find(library: Library, name: str, caller: Caller) -> tuple[Document, list[Block]]:
    found = library.block(name, caller)
    if found is not None:
        return found[1], [found[0]]
    documents = library.find_documents(name, caller)
    if len(documents) > 1:
        candidates = ", ".join(f"{document.name} ({document.doc_id})" for document in documents[:5])
        raise UsageError(f"{name!r} is the name of {len(documents)} documents: {candidates}; give the id")
    if not documents:
        raise UsageError(f"no document or block {name!r} here: `veriloop sources` lists the documents")
    return documents[0], library.blocks(documents[0].doc_id, caller)
