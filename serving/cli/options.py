"""Options that every command shares, and what is opened from them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import UsageError

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
        help="See only what these readers may see (names, comma-separated; '' for the public). "
        "Default: VERILOOP_AS; without either you are the library's owner and see everything.",
    ),
]
PasswordOption = Annotated[
    list[str] | None,
    typer.Option(
        "--password",
        help="Tried on encrypted files; may be repeated. Others may see it in the list of processes.",
    ),
]
PasswordFileOption = Annotated[
    Path | None,
    typer.Option("--password-file", help="File with one password a line, tried after those of --password."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document to stdout.")]
DEFAULT_LIBRARY = Path(".veriloop")


def names(text: str) -> frozenset[str]:
    """The names in a comma-separated list; nothing but blanks is the empty list.

    Raises:
        UsageError: there are commas and no name, which is more likely a mistake than a wish for everyone.
    """
    found = frozenset(name.strip() for name in text.replace("，", ",").split(",") if name.strip())
    if text.strip() and not found:
        raise UsageError(f"no name in {text!r}: give names separated by commas, or '' for everyone")
    return found


def day(text: str | None, option: str) -> date | None:
    """The day that an option names: 2024-03-01 or any usual spelling of it, or `today`; None where it is not given.

    Raises:
        UsageError: it names no day.
    """
    from ...knowledge.query.dating import interval_of  # noqa: PLC0415
    from ...knowledge.text.normalise import well_formed  # noqa: PLC0415
    from ...knowledge.text.values import ValueKind, find_values  # noqa: PLC0415

    if text is None:
        return None
    if text.strip().casefold() == "today":
        return date.today()
    spelling = well_formed(text).strip()
    found = [value for value in find_values(spelling) if value.kind is ValueKind.DATE and value.raw == spelling]
    interval = interval_of(found[0].canonical) if found else None
    if interval is None or interval.first != interval.last:
        raise UsageError(f"{option}: {spelling!r} is no day; write it as 2024-03-01")
    return interval.first


def caller_of(option: str | None) -> Caller:
    """On whose behalf a command runs."""
    from ...knowledge.documents import Caller  # noqa: PLC0415 - `--help` should not wait for it

    # An empty variable means the public; the option parser would take it for an absent one.
    chosen = os.environ.get("VERILOOP_AS") if option is None else option
    return Caller.owner() if chosen is None else Caller(readers=names(chosen))


def refuse_others(option: str | None, command: str) -> None:
    """Refuse a command that is about the whole library to anybody but its owner: its report would name everything.

    Raises:
        UsageError: the command runs on somebody else's behalf.
    """
    if not caller_of(option).is_owner:
        raise UsageError(f"{command} is for the library's owner: leave away --as and VERILOOP_AS")


def passwords_of(given: Sequence[str] | None, file: Path | None) -> list[str]:
    """The passwords of both options, in this order; blanks at the ends of a line may belong to a password.

    Raises:
        UsageError: the file cannot be read.
    """
    if file is None:
        return list(given or ())
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"--password-file {file}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError:
        # Not `from error`: it holds the bytes.
        raise UsageError(f"--password-file {file}: is not in UTF-8") from None
    return [*(given or ()), *(line for line in text.splitlines() if line)]


def open_library(folder: Path, profile: str | None, *, create: bool = False) -> Library:
    """The library of a command; commands that only read refuse a folder without one."""
    from ...configs import load_settings  # noqa: PLC0415
    from ...knowledge.library import Library  # noqa: PLC0415
    from ..logs import configure_logging  # noqa: PLC0415

    settings = load_settings(profile)
    configure_logging(settings.logging)
    return Library.open(folder, settings, create=create)
