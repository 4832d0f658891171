"""`veriloop remove`: documents out of the library, everywhere and at once."""

from __future__ import annotations

from typing import Annotated

import typer

from ...errors import UsageError
from .options import DEFAULT_LIBRARY, CallerOption, JsonOption, LibraryOption, ProfileOption, caller_of, open_library
from .output import print_json, say, tell


def remove(
    names: Annotated[list[str], typer.Argument(help="Documents by name, title, path or id.")],
    library: LibraryOption = DEFAULT_LIBRARY,
    profile: ProfileOption = None,
    caller: CallerOption = None,
    json: JsonOption = False,
) -> None:
    """Take documents out of the library; nothing is removed if one of the names is unknown or unclear."""
    opened = open_library(library, profile)
    found = []
    for name in names:
        documents = opened.find_documents(name, caller_of(caller))
        if len(documents) != 1:
            problem = (
                "is not in the library" if not documents else f"is the name of {len(documents)} documents, give the id"
            )
            raise UsageError(f"{name!r} {problem}; `veriloop sources` lists names and ids")
        found.append(documents[0])
    with opened.writing("remove", lambda holder: tell(f"waiting for {holder}")):
        for document in found:
            opened.remove(document.doc_id)
        opened.refresh()
    if json:
        print_json({"removed": [document.name for document in found], "library_version": opened.version})
    else:
        say(f"removed: {', '.join(document.name for document in found)}")
