"""`veriloop remove`: documents out of the library, everywhere and at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .finding import find_document
from .options import (
    DEFAULT_LIBRARY,
    CallerOption,
    JsonOption,
    LibraryOption,
    ProfileOption,
    caller_of,
    open_library,
    refuse_others,
)
from .output import one_line, print_json, say, tell, tell_waiting

if TYPE_CHECKING:
    from ...knowledge.documents import Document


def remove(
    names: Annotated[list[str], typer.Argument(help="Documents by name, title, path or id.")],
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Take documents out of the library; nothing is removed if one of the names is unknown or unclear."""
    refuse_others(caller, "remove")
    opened = open_library(library, profile)
    found = [find_document(opened, name, caller_of(caller)) for name in names]
    with opened.writing("remove", tell_waiting):
        for document in found:
            opened.remove(document.doc_id)
        opened.refresh()
    if json:
        print_json({"removed": [document.name for document in found], "library_version": opened.version})
    else:
        say(f"removed: {', '.join(one_line(document.name) for document in found)}")
    for document in found:
        _tell_what_stays(document)


def _tell_what_stays(document: Document) -> None:
    """That the file is still there, from where the document may come back."""
    from ...knowledge.metadata import file_of  # noqa: PLC0415 - `--help` should not wait for it

    file = file_of(document.source_uri)
    if file is not None:
        again = "the next `veriloop sync` or `add` of its folder brings the document back"
        tell(f"  {one_line(document.name)}: its file still lies at {one_line(str(file))}: {again}")
