"""Runs commands in this process, as they are typed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from veriloop.serving.cli.main import main


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run_command(capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """Run `veriloop` with these arguments; a traceback on stderr fails the test."""
    patch.setattr(sys, "argv", ["veriloop", *arguments])
    patch.setattr(sys, "excepthook", sys.excepthook)
    with pytest.raises(SystemExit) as end:
        main()
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return Result(int(end.value.code or 0), captured.out, captured.err)


class Shell:
    """Runs commands in this process, each over one library."""

    def __init__(self, library: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.library = library
        self._capsys = capsys
        self._patch = patch

    def __call__(self, *arguments: str) -> Result:
        return run_command(self._capsys, self._patch, *arguments, "--library", str(self.library))
