"""Options that every command shares, and what is opened from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ...knowledge.documents import Caller
    from ...knowledge.library import Library

LibraryOption = Annotated[
    Path, typer.Option("--library", "-l", envvar="VERILOOP_LIBRARY", help="Folder of the library.")
]
ProfileOption = Annotated[
    str | None,
    typer.Option("--profile", "-p", help="offline, openai, bge, or the path of a YAML file. [default: offline]"),
]
CallerOption = Annotated[
    str | None,
    typer.Option(
        "--as",
        envvar="VERILOOP_AS",
        help="See only what these readers may see (names, comma-separated; '' for the public). "
        "Without it you are the library's owner and see everything.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document to stdout.")]
DEFAULT_LIBRARY = Path(".veriloop")


def names(text: str) -> frozenset[str]:
    """The names in a comma-separated list."""
    return frozenset(name.strip() for name in text.replace("，", ",").split(",") if name.strip())


def caller_of(option: str | None) -> Caller:
    """On whose behalf a command runs."""
    from ...knowledge.documents import Caller  # noqa: PLC0415 - `--help` should not wait for it

    return Caller.owner() if option is None else Caller(readers=names(option))


def open_library(folder: Path, profile: str | None, *, create: bool = False) -> Library:
    """The library of a command; commands that only read refuse a folder without one."""
    from ...configs import load_settings  # noqa: PLC0415
    from ...knowledge.library import Library  # noqa: PLC0415
    from ..logs import configure_logging  # noqa: PLC0415

    settings = load_settings(profile)
    configure_logging(settings.logging)
    return Library.open(folder, settings, create=create)
