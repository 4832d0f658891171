"""The command line.

Exit codes: 0 done or answered, 2 usage, 3 nothing found, 4 some inputs failed, 5 a call waits for a person,
6 whether a call was carried out is not known, 7 a call does not wait any more, 1 internal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import IntEnum
from importlib.metadata import version
from types import TracebackType
from typing import Annotated

import typer
from typer.exceptions import TyperException

from ...errors import MissingExtraError, UsageError, VeriloopError
from . import (
    add,
    approvals,
    ask,
    backup,
    digest,
    directory,
    doctor,
    evaluate,
    graph,
    history,
    reindex,
    remove,
    rules,
    search,
    show,
    sources,
    sync,
    tools,
    trace,
)
from .output import discard_stdout, prepare_streams, print_error, say


class ExitCode(IntEnum):
    """What a script can tell from a command's end."""

    DONE = 0
    INTERNAL = 1
    USAGE = 2
    NOTHING_FOUND = 3
    SOME_FAILED = 4
    NEEDS_APPROVAL = 5
    OUTCOME_UNKNOWN = 6
    NOTHING_TO_DECIDE = 7
    INTERRUPTED = 130


app = typer.Typer(
    name="veriloop",
    help="Answers questions over your documents; every sentence is cited and checked.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("add")(add.add)
app.command("ask")(ask.ask)
app.command("search")(search.search)
app.command("show")(show.show)
app.command("sources")(sources.sources)
app.command("history")(history.history)
app.command("remove")(remove.remove)
app.command("sync")(sync.sync)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("index")(add.index)
app.command("reindex")(reindex.reindex)
app.command("digest")(digest.digest)
app.command("directory")(directory.directory)
app.command("rules")(rules.rules)
app.command("doctor")(doctor.doctor)
app.add_typer(tools.app, name="tools")
app.add_typer(trace.app, name="trace")
app.add_typer(approvals.app, name="approvals")
app.add_typer(graph.app, name="graph")
app.add_typer(evaluate.app, name="eval")


@app.callback()
def _options(
    show_version: Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version and end.")] = False,
) -> None:
    if show_version:
        say(f"veriloop {version('veriloop')}")
        raise typer.Exit


def main() -> None:
    """Entry point: every failure ends in one line and an exit code, never in a traceback."""
    sys.excepthook = _report_crash
    prepare_streams()
    sys.argv = [os.fsencode(argument).decode("utf-8", "replace") for argument in sys.argv]
    sys.exit(_run())


def _run() -> int:
    as_json = "--json" in sys.argv
    try:
        # Not the Typer object itself: it would replace the hook. Not standalone: errors are ours to print.
        result = typer.main.get_command(app).main(prog_name="veriloop", standalone_mode=False)
        sys.stdout.flush()
        if result == ExitCode.INTERRUPTED:  # typer makes this of Ctrl-C
            raise KeyboardInterrupt
        return int(result or ExitCode.DONE)
    except TyperException as error:
        return _report_usage(error, as_json=as_json)
    except VeriloopError as error:
        print_error(str(error), as_json=as_json)
        return exit_code(error)
    except (KeyboardInterrupt, typer.Abort):
        print_error("interrupted; what was finished is kept, run the same command to go on", as_json=as_json)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone (| head); Python would complain again when it flushes.
        discard_stdout()
        return ExitCode.DONE
    except OSError as error:
        discard_stdout()
        print_error(f"{error.strerror or error}", as_json=False)
        return ExitCode.INTERNAL


def _report_usage(error: TyperException, *, as_json: bool) -> int:
    show: Callable[[], None] | None = getattr(error, "show", None)  # with the usage line, where there is one
    if as_json or show is None:
        print_error(error.format_message(), as_json=as_json)
    else:
        show()
    return ExitCode.USAGE


def exit_code(error: VeriloopError) -> ExitCode:
    """The exit code that belongs to an error."""
    return ExitCode.USAGE if isinstance(error, UsageError | MissingExtraError) else ExitCode.INTERNAL


def _report_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if os.environ.get("VERILOOP_LOGGING__LEVEL", "").upper() == "DEBUG":
        sys.__excepthook__(kind, error, trace)
        return
    message = f"internal error ({kind.__name__}: {error}); set VERILOOP_LOGGING__LEVEL=DEBUG to see where"
    print_error(message, as_json="--json" in sys.argv)
