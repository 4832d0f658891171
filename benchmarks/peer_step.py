"""One search of `retrieval.py` in a process of its own: `peer_step.py NAME FOLDER` writes FOLDER/NAME.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from peers.contract import Measured, Workload, measure
from peers.measuring import Lap
from peers.registry import CONTENDERS

NOT_INSTALLED = 3


def load_measured(path: Path) -> Measured:
    """What a step has written."""
    fields = json.loads(path.read_text(encoding="utf-8"))
    return Measured(**fields | {"laps": [Lap(*lap) for lap in fields["laps"]]})


def main() -> None:
    """Run by `retrieval.py`; ends with `NOT_INSTALLED` and the reason where a package is missing."""
    name, folder = sys.argv[1], Path(sys.argv[2])
    try:
        measured = measure(CONTENDERS[name].prepare, Workload.load(folder))
    except ImportError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(NOT_INSTALLED)
    (folder / f"{name}.json").write_text(json.dumps(measured._asdict()), encoding="utf-8")


if __name__ == "__main__":
    main()
