"""The scripts under `benchmarks/` as modules: they import one another by bare name."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"


def benchmark(name: str) -> ModuleType:
    """A script by its file's name without the suffix."""
    if str(BENCHMARKS) not in sys.path:
        sys.path.append(str(BENCHMARKS))
    return importlib.import_module(name)
