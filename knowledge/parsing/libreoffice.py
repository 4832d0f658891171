"""Converts files with the program LibreOffice, where it is installed: apart from the user's own, for a limited time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ...errors import InputFileError

_NAMES = ("soffice", "libreoffice", "soffice.exe")
_PLACES = (
    "/usr/lib/libreoffice/program/soffice",
    "/usr/lib64/libreoffice/program/soffice",
    "/usr/local/bin/soffice",
    "/snap/bin/libreoffice",
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    r"C:\Program Files\LibreOffice\program\soffice.exe",
    r"C:\Program Files (x86)\LibreOffice\program\soffice.exe",
)
_SECONDS = 180.0
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse">
<value>3</value></prop><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop>
<prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse">
<value>1</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse">
<value>0</value></prop></item>
<item oor:path="/org.openoffice.Inet/Settings"><prop oor:name="ooInetProxyType" oor:op="fuse"><value>2</value></prop>
<prop oor:name="ooInetHTTPProxyName" oor:op="fuse"><value>127.0.0.1</value></prop>
<prop oor:name="ooInetHTTPProxyPort" oor:op="fuse"><value>9</value></prop>
<prop oor:name="ooInetHTTPSProxyName" oor:op="fuse"><value>127.0.0.1</value></prop>
<prop oor:name="ooInetHTTPSProxyPort" oor:op="fuse"><value>9</value></prop></item>
</oor:items>
"""
"""No macros, no links to files or servers that the document names: what is read is the document alone."""


def program() -> str | None:
    """LibreOffice's program, on the path or in one of its usual places; None if it is not installed."""
    found = next((place for name in _NAMES if (place := shutil.which(name))), None)
    return found or next((place for place in _PLACES if Path(place).is_file()), None)


@contextmanager
def converted(path: Path, source: str, target: str, *, seconds: float = _SECONDS) -> Iterator[Path]:
    """The file in another format, for as long as it is needed.

    Args:
        source: the ending, without dot, of what the file is, whatever its name says.
        target: the ending, without dot, of what it shall become.
        seconds: after which the program is ended.

    Raises:
        InputFileError: if LibreOffice is not installed, takes too long or cannot read the file.
    """
    soffice = program()
    if soffice is None:
        raise InputFileError(str(path), f"needs LibreOffice, not installed here: install it, or save as .{target}")
    with TemporaryDirectory(prefix="veriloop-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        user = place / "profile" / "user"
        user.mkdir(parents=True)
        (user / "registrymodifications.xcu").write_text(_PROFILE, encoding="utf-8")
        copy = place / f"document.{source}"
        shutil.copyfile(path, copy)
        out = place / "out"
        command = [
            *(soffice, f"-env:UserInstallation={(place / 'profile').as_uri()}", "--headless", "--norestore"),
            *("--nolockcheck", "--nodefault", "--convert-to", target, "--outdir", str(out), str(copy)),
        ]
        if not _ends_in_time(command, place, seconds):
            raise InputFileError(str(path), f"took LibreOffice more than {seconds:.0f} s: save it as .{target}")
        result = out / f"document.{target}"
        if not result.is_file():
            raise InputFileError(str(path), f"is damaged: LibreOffice cannot read it; save it as .{target}")
        yield result


def _ends_in_time(command: list[str], folder: Path, seconds: float) -> bool:
    """Run a program with everything that it starts, and end all of it when the time is over."""
    environment = {**os.environ, "HOME": str(folder), "SAL_USE_VCLPLUGIN": "svp"}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    finally:
        _end(process)
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """What is still running; its helpers outlive it otherwise."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
